//! Refuses JSON that names a field of one object twice: two readers of such a text may each take
//! another value for the one that was meant (threat F5).

use serde::Deserialize;
use serde::de::{Deserializer, Error, MapAccess, SeqAccess, Visitor};
use std::collections::HashSet;
use std::fmt;

/// Some JSON in which every object names each field once, at any depth.
pub(super) struct UniqueKeys;

impl<'de> Deserialize<'de> for UniqueKeys {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Each)
    }
}

struct Each;

impl<'de> Visitor<'de> for Each {
    type Value = UniqueKeys;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_bool<E>(self, _: bool) -> Result<UniqueKeys, E> {
        Ok(UniqueKeys)
    }

    fn visit_i64<E>(self, _: i64) -> Result<UniqueKeys, E> {
        Ok(UniqueKeys)
    }

    fn visit_u64<E>(self, _: u64) -> Result<UniqueKeys, E> {
        Ok(UniqueKeys)
    }

    fn visit_f64<E>(self, _: f64) -> Result<UniqueKeys, E> {
        Ok(UniqueKeys)
    }

    fn visit_str<E>(self, _: &str) -> Result<UniqueKeys, E> {
        Ok(UniqueKeys)
    }

    fn visit_unit<E>(self) -> Result<UniqueKeys, E> {
        Ok(UniqueKeys)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<UniqueKeys, A::Error> {
        while items.next_element::<UniqueKeys>()?.is_some() {}
        Ok(UniqueKeys)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<UniqueKeys, A::Error> {
        let mut names = HashSet::new();
        while let Some(name) = fields.next_key::<String>()? {
            fields.next_value::<UniqueKeys>()?;
            if let Some(name) = names.replace(name) {
                return Err(A::Error::custom(format_args!("duplicate field `{name}`")));
            }
        }
        Ok(UniqueKeys)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A field that is named twice is refused wherever it stands, also when it is spelt by escapes.
    #[test]
    fn finds_repeated_fields_at_any_depth() {
        let unique = |text: &str| serde_json::from_str::<UniqueKeys>(text).is_ok();
        for fine in ["{}", "[1, -2, 3.5, null, true]", r#"{"a": {"a": 1}, "b": [{"a": 1}, {"a": 2}]}"#] {
            assert!(unique(fine), "{fine}");
        }
        for twice in [r#"{"a": 1, "a": 1}"#, r#"{"a": 1, "\u0061": 2}"#, r#"[{"b": {"a": 1, "c": 2, "a": 3}}]"#] {
            assert!(!unique(twice), "{twice}");
        }
    }
}
