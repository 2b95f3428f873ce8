//! The words of a line: `Name key=value key=value`, with short names for ids and clock times of
//! one day for instants.

use domain::browser::Outcome;
use domain::coverage::Reason;
use domain::scope::SiteScope;
use domain::time::Timestamp;
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use uuid::Uuid;

/// One line, split. Every key must be asked for, so that a misspelt one is not passed over.
pub(crate) struct Words {
    pub(crate) name: String,
    values: BTreeMap<String, String>,
    asked: RefCell<BTreeSet<String>>,
}

impl Words {
    /// Splits a line.
    pub(crate) fn of(line: &str) -> Result<Self, String> {
        let mut words = line.split_whitespace();
        let name = words.next().ok_or("an empty line")?.to_owned();
        let mut values = BTreeMap::new();
        for word in words {
            let (key, value) = word.split_once('=').ok_or(format!("`{word}` is not key=value in `{line}`"))?;
            if values.insert(key.to_owned(), value.to_owned()).is_some() {
                return Err(format!("`{key}` stands twice in `{line}`"));
            }
        }
        Ok(Self { name, values, asked: RefCell::default() })
    }

    /// The value of a key, if the line has it.
    pub(crate) fn get(&self, key: &str) -> Option<&str> {
        self.asked.borrow_mut().insert(key.to_owned());
        self.values.get(key).map(String::as_str)
    }

    /// The value of a key; `otherwise` when the line leaves it out.
    pub(crate) fn or<'a>(&'a self, key: &str, otherwise: &'a str) -> &'a str {
        self.get(key).unwrap_or(otherwise)
    }

    /// A number.
    pub(crate) fn number<N: std::str::FromStr>(&self, key: &str, otherwise: N) -> Result<N, String> {
        self.get(key).map_or(Ok(otherwise), |text| text.parse().map_err(|_| format!("`{text}` is no number")))
    }

    /// A clock time.
    pub(crate) fn time(&self, key: &str, otherwise: &str) -> Result<Timestamp, String> {
        time(self.or(key, otherwise))
    }

    /// Refuses keys that nothing asked for.
    pub(crate) fn all_asked(&self) -> Result<(), String> {
        match self.values.keys().find(|key| !self.asked.borrow().contains(*key)) {
            Some(key) => Err(format!("`{}` knows no `{key}`", self.name)),
            None => Ok(()),
        }
    }
}

/// The id that a short name stands for: the name's own bytes, so that a difference can be read.
pub(crate) fn id(name: &str) -> Uuid {
    let mut bytes = [0_u8; 16];
    assert!(name.len() <= 16, "the name `{name}` is too long for an id");
    bytes[..name.len()].copy_from_slice(name.as_bytes());
    Uuid::from_bytes(bytes)
}

/// `10:30`, `10:30:00` or `10:30:00.000001`, on one and the same day.
pub(crate) fn time(text: &str) -> Result<Timestamp, String> {
    let bad = || format!("`{text}` is no clock time");
    let (clock, fraction) = text.split_once('.').unwrap_or((text, "0"));
    let parts: Vec<i64> = clock.split(':').map(|part| part.parse().map_err(|_| bad())).collect::<Result<_, _>>()?;
    let (hours, minutes, seconds) = match parts[..] {
        [h, m] => (h, m, 0),
        [h, m, s] => (h, m, s),
        _ => return Err(bad()),
    };
    let micros: i64 = format!("{fraction:0<6}").parse().map_err(|_| bad())?;
    Ok(Timestamp::from_micros(((hours * 60 + minutes) * 60 + seconds) * 1_000_000 + micros))
}

/// `https://host/segment` in two halves.
pub(crate) fn halves(scope: &str) -> Result<(&str, &str), String> {
    let at = scope.rfind('/').filter(|at| *at > "https://".len()).ok_or(format!("`{scope}` is no scope"))?;
    Ok(scope.split_at(at))
}

/// A scope.
pub(crate) fn scope(text: &str) -> Result<SiteScope, String> {
    let (origin, prefix) = halves(text)?;
    SiteScope::from_parts(origin, prefix).map_err(|error| format!("`{text}`: {error}"))
}

/// A list with commas; `-` is the empty one.
pub(crate) fn list(text: &str) -> Vec<&str> {
    if text == "-" { Vec::new() } else { text.split(',').collect() }
}

/// A coverage reason by its stable code.
pub(crate) fn reason(code: &str) -> Result<Reason, String> {
    serde_json::from_value(code.into()).map_err(|_| format!("`{code}` is no reason"))
}

/// The stable codes of reasons, with commas.
pub(crate) fn codes(reasons: &[Reason]) -> String {
    let codes: Vec<String> = reasons.iter().map(|reason| serde_json::to_value(reason).unwrap().as_str().unwrap().to_owned()).collect();
    codes.join(",")
}

/// An outcome by its name.
pub(crate) fn outcome(name: &str) -> Result<Outcome, String> {
    serde_json::from_value(name.into()).map_err(|_| format!("`{name}` is no outcome"))
}
