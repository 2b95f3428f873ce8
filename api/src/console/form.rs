//! The fields of a form, read strictly: each once, none that nobody asked for.

use crate::problem::Problem;
use axum::http::{HeaderMap, StatusCode, header};
use std::collections::BTreeMap;
use url::form_urlencoded;

/// What browsers send for a form without files.
const MEDIA_TYPE: &str = "application/x-www-form-urlencoded";

/// Fields that were not taken yet.
pub(super) struct Fields(BTreeMap<String, String>);

impl Fields {
    /// Reads a body.
    ///
    /// # Errors
    /// When it is no form, or a field comes twice.
    pub(super) fn read(headers: &HeaderMap, body: &[u8]) -> Result<Self, Problem> {
        let media_type = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
        let media_type = media_type.split(';').next().unwrap_or_default().trim();
        if !media_type.eq_ignore_ascii_case(MEDIA_TYPE) {
            return Err(Problem::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, "not_a_form", "the console takes its own forms only"));
        }
        let mut fields = BTreeMap::new();
        for (name, value) in form_urlencoded::parse(body) {
            if fields.insert(name.into_owned(), value.into_owned()).is_some() {
                return Err(Problem::malformed("a field of the form comes twice"));
            }
        }
        Ok(Self(fields))
    }

    /// Takes a field.
    pub(super) fn take(&mut self, name: &str) -> Option<String> {
        self.0.remove(name)
    }

    /// Refuses a form with fields that nobody took.
    ///
    /// # Errors
    /// When there are any.
    pub(super) fn end(self) -> Result<(), Problem> {
        if self.0.is_empty() { Ok(()) } else { Err(Problem::malformed("the form has fields that this page does not take")) }
    }
}
