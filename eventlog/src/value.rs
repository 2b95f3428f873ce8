//! Values that go into and come out of SQL, the same for both databases.
//!
//! The set is closed on purpose: counters and instants are 64-bit integers, truth is 0 or 1, ids
//! are text or 16 bytes, JSON is text. What needs no more than this needs no per-database code.

use crate::error::StoreError;
use std::str::FromStr;

/// One value. NULL has a type, because PostgreSQL wants to know which.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// BIGINT or INTEGER.
    I64(Option<i64>),
    /// TEXT. PostgreSQL refuses NUL in it: text that may hold one goes into bytes or JSON.
    Text(Option<String>),
    /// BYTEA or BLOB.
    Bytes(Option<Vec<u8>>),
}

/// Builds the values of a statement: `values![tenant, position, None::<&str>]`.
#[macro_export]
macro_rules! values {
    ($($value:expr),* $(,)?) => { &[$($crate::Value::from($value)),*] as &[$crate::Value] };
}

macro_rules! value_from {
    ($($type:ty => $variant:ident, $convert:expr);+ $(;)?) => {$(
        impl From<$type> for Value {
            fn from(value: $type) -> Self {
                Self::$variant(Some($convert(value)))
            }
        }

        impl From<Option<$type>> for Value {
            fn from(value: Option<$type>) -> Self {
                Self::$variant(value.map($convert))
            }
        }
    )+};
}

value_from! {
    i64 => I64, std::convert::identity;
    i32 => I64, i64::from;
    u32 => I64, i64::from;
    // No counter of the log comes near the end of the range; a database check refuses one that does.
    u64 => I64, |value| i64::try_from(value).unwrap_or(i64::MAX);
    bool => I64, i64::from;
    String => Text, std::convert::identity;
    &String => Text, String::clone;
    &str => Text, str::to_owned;
    Vec<u8> => Bytes, std::convert::identity;
    &[u8] => Bytes, <[u8]>::to_vec;
    &[u8; 16] => Bytes, |bytes: &[u8; 16]| bytes.to_vec();
}

/// One row of an answer, its columns counted from 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    values: Vec<Cell>,
}

/// What a column holds; a NULL that comes back has no type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Cell {
    Null,
    I64(i64),
    Text(String),
    Bytes(Vec<u8>),
}

impl Row {
    pub(crate) const fn new(values: Vec<Cell>) -> Self {
        Self { values }
    }

    fn cell(&self, column: usize) -> Result<&Cell, StoreError> {
        self.values.get(column).ok_or(StoreError::Column { column, wanted: "a column" })
    }

    /// An integer, or NULL.
    ///
    /// # Errors
    /// When the column is missing or holds something else; so for every reader of a row.
    pub fn opt_i64(&self, column: usize) -> Result<Option<i64>, StoreError> {
        match self.cell(column)? {
            Cell::Null => Ok(None),
            Cell::I64(value) => Ok(Some(*value)),
            _ => Err(StoreError::Column { column, wanted: "an integer" }),
        }
    }

    /// A text, or NULL.
    ///
    /// # Errors
    /// As for [`Row::opt_i64`].
    pub fn opt_text(&self, column: usize) -> Result<Option<&str>, StoreError> {
        match self.cell(column)? {
            Cell::Null => Ok(None),
            Cell::Text(value) => Ok(Some(value)),
            _ => Err(StoreError::Column { column, wanted: "a text" }),
        }
    }

    /// Bytes, or NULL.
    ///
    /// # Errors
    /// As for [`Row::opt_i64`].
    pub fn opt_bytes(&self, column: usize) -> Result<Option<&[u8]>, StoreError> {
        match self.cell(column)? {
            Cell::Null => Ok(None),
            Cell::Bytes(value) => Ok(Some(value)),
            _ => Err(StoreError::Column { column, wanted: "bytes" }),
        }
    }

    /// An integer.
    ///
    /// # Errors
    /// As for [`Row::opt_i64`], and for NULL.
    pub fn i64(&self, column: usize) -> Result<i64, StoreError> {
        self.opt_i64(column)?.ok_or(StoreError::Column { column, wanted: "an integer" })
    }

    /// An integer that is never negative: a position, a version, a count.
    ///
    /// # Errors
    /// As for [`Row::i64`], and for a negative one.
    pub fn u64(&self, column: usize) -> Result<u64, StoreError> {
        u64::try_from(self.i64(column)?).map_err(|_| StoreError::Column { column, wanted: "an integer from 0" })
    }

    /// A small integer that is never negative.
    ///
    /// # Errors
    /// As for [`Row::i64`], and for one outside the range.
    pub fn u32(&self, column: usize) -> Result<u32, StoreError> {
        u32::try_from(self.i64(column)?).map_err(|_| StoreError::Column { column, wanted: "a small integer from 0" })
    }

    /// Truth, kept as 0 or 1.
    ///
    /// # Errors
    /// As for [`Row::i64`], and for any other integer.
    pub fn bool(&self, column: usize) -> Result<bool, StoreError> {
        match self.i64(column)? {
            0 => Ok(false),
            1 => Ok(true),
            _ => Err(StoreError::Column { column, wanted: "0 or 1" }),
        }
    }

    /// A text.
    ///
    /// # Errors
    /// As for [`Row::opt_i64`], and for NULL.
    pub fn text(&self, column: usize) -> Result<&str, StoreError> {
        self.opt_text(column)?.ok_or(StoreError::Column { column, wanted: "a text" })
    }

    /// Bytes.
    ///
    /// # Errors
    /// As for [`Row::opt_i64`], and for NULL.
    pub fn bytes(&self, column: usize) -> Result<&[u8], StoreError> {
        self.opt_bytes(column)?.ok_or(StoreError::Column { column, wanted: "bytes" })
    }

    /// A text that is read as an id or another value with a text form.
    ///
    /// # Errors
    /// As for [`Row::text`], and for a text that is no such value.
    pub fn parsed<T: FromStr>(&self, column: usize) -> Result<T, StoreError> {
        self.text(column)?.parse().map_err(|_| StoreError::Column { column, wanted: "a text of another form" })
    }

    /// As [`Row::parsed`], or NULL.
    ///
    /// # Errors
    /// As for [`Row::parsed`].
    pub fn opt_parsed<T: FromStr>(&self, column: usize) -> Result<Option<T>, StoreError> {
        let text = self.opt_text(column)?;
        text.map(str::parse).transpose().map_err(|_| StoreError::Column { column, wanted: "a text of another form" })
    }
}
