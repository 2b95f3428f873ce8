//! Structured columns as JSON text. What is written here is read back by the same types.

use crate::apply::failed;
use eventlog::StoreError;
use serde::Serialize;
use serde::de::DeserializeOwned;

/// Writes a value.
pub(crate) fn to_text<T: Serialize + ?Sized>(value: &T) -> Result<String, StoreError> {
    serde_json::to_string(value).map_err(|error| failed(format!("a read model value cannot be written: {error}")))
}

/// Reads a value.
pub(crate) fn from_text<T: DeserializeOwned>(text: &str) -> Result<T, StoreError> {
    serde_json::from_str(text).map_err(|error| failed(format!("a read model value cannot be read: {error}")))
}
