//! How single fields are written and read: ids as 16 bytes, vocabularies by their stable names.

use super::DecodeError;
use domain::classify::Consequence;
use domain::coverage::Reason;
use domain::id::PrincipalId;
use serde_json::Value;
use uuid::Uuid;

/// The bytes of an id.
pub(super) fn bytes(id: &Uuid) -> Vec<u8> {
    id.as_bytes().to_vec()
}

/// Reads a required id.
pub(super) fn uuid(field: &'static str, bytes: &[u8]) -> Result<Uuid, DecodeError> {
    Uuid::from_slice(bytes).map_err(|_| DecodeError::Field { field })
}

/// Reads an id that may be absent; present and malformed is still an error.
pub(super) fn optional_uuid(field: &'static str, bytes: Option<&[u8]>) -> Result<Option<Uuid>, DecodeError> {
    bytes.map(|bytes| uuid(field, bytes)).transpose()
}

/// Reads a principal.
pub(super) fn principal(field: &'static str, text: &str) -> Result<PrincipalId, DecodeError> {
    text.parse().map_err(|_| DecodeError::Field { field })
}

/// Reads a name of a closed vocabulary.
pub(super) fn named<T>(field: &'static str, name: &str, parse: impl Fn(&str) -> Option<T>) -> Result<T, DecodeError> {
    parse(name).ok_or_else(|| DecodeError::UnknownName { field, name: name.to_owned() })
}

/// The names of reasons.
pub(super) fn reason_names(reasons: &[Reason]) -> Vec<String> {
    reasons.iter().map(|reason| reason.as_str().to_owned()).collect()
}

/// Reads reasons by their names.
pub(super) fn reasons(field: &'static str, names: &[String]) -> Result<Vec<Reason>, DecodeError> {
    names.iter().map(|name| named(field, name, |name| serde_json::from_value(Value::from(name)).ok())).collect()
}

/// Reads a consequence by its name.
pub(super) fn consequence(field: &'static str, name: &str) -> Result<Consequence, DecodeError> {
    named(field, name, |name| serde_json::from_value(Value::from(name)).ok())
}
