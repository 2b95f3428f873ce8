//! How keeping and reading the log can fail.

use crate::codec::DecodeError;
use domain::event::StreamId;
use domain::id::CommandId;

/// A failure of the store, told apart by what a caller can do about it.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// Somebody else wrote to the stream first: load it again and decide again.
    #[error("the stream {stream:?} is at version {actual}, not {expected}")]
    VersionConflict {
        /// The stream.
        stream: StreamId,
        /// What the caller had seen.
        expected: u64,
        /// What is there.
        actual: u64,
    },
    /// An event does not belong to the stream that the caller named.
    #[error("the event belongs to {actual:?}, not to {named:?}")]
    WrongStream {
        /// The stream that was named.
        named: StreamId,
        /// The stream of the event.
        actual: StreamId,
    },
    /// An event is larger than [`crate::limits::PAYLOAD_BYTES_MAX`].
    #[error("an event of {bytes} bytes is larger than {max} bytes", max = crate::limits::PAYLOAD_BYTES_MAX)]
    TooLarge {
        /// Its size.
        bytes: usize,
    },
    /// A position is missing. Positions have no gaps, so the log was tampered with or is broken.
    #[error("the log has no event at position {position}")]
    Hole {
        /// The missing position.
        position: u64,
    },
    /// A version is missing from a stream; see [`StoreError::Hole`].
    #[error("the stream {stream:?} has no version {version}")]
    StreamHole {
        /// The stream.
        stream: StreamId,
        /// The missing version.
        version: u64,
    },
    /// A stored event is not understood.
    #[error("the event at position {position} cannot be read: {source}")]
    Undecodable {
        /// Where it is.
        position: u64,
        /// Why.
        source: DecodeError,
    },
    /// Other writers kept the database for the whole time that is waited for it. Try again later.
    #[error("the database is busy: {0}")]
    Busy(String),
    /// The transaction lost to another one. [`crate::Log::perform`] tries again by itself first.
    #[error("the transaction gave way to another one: {0}")]
    GaveWay(String),
    /// The disk is full.
    #[error("there is no room left for the database: {0}")]
    Full(String),
    /// The database may not be written to.
    #[error("the database cannot be written: {0}")]
    ReadOnly(String),
    /// The database cannot be reached, or the connection broke.
    #[error("the database cannot be reached: {0}")]
    Unreachable(String),
    /// The connection broke while a command was being committed and it could not be learnt what
    /// became of it. Sending the same command again is safe and tells.
    #[error("it is not known whether command {command} was recorded; send the same command again")]
    CommitUnknown {
        /// The command.
        command: CommandId,
    },
    /// Work went on after an append had failed, which could have recorded half of a decision.
    #[error("an append of this unit failed, so nothing of it is recorded")]
    Broken,
    /// A row has another shape than the query wants.
    #[error("column {column} does not hold {wanted}")]
    Column {
        /// The column, from 0.
        column: usize,
        /// What it should hold.
        wanted: &'static str,
    },
    /// A projection cannot apply an event.
    #[error("the projection {projection} failed: {reason}")]
    Projection {
        /// The projection's name.
        projection: &'static str,
        /// What is wrong.
        reason: String,
    },
    /// Anything else that the database says.
    #[error("the database failed: {0}")]
    Database(#[source] sqlx::Error),
}

impl StoreError {
    /// Whether running the same work again may succeed where this run lost a race.
    #[must_use]
    pub const fn is_passing(&self) -> bool {
        matches!(self, Self::GaveWay(_))
    }

    /// Whether the store may take the same work later, when somebody lets go of it or brings it
    /// back.
    #[must_use]
    pub const fn is_for_later(&self) -> bool {
        matches!(self, Self::GaveWay(_) | Self::Busy(_) | Self::Full(_) | Self::Unreachable(_) | Self::CommitUnknown { .. })
    }
}

impl From<sqlx::Error> for StoreError {
    fn from(error: sqlx::Error) -> Self {
        match &error {
            sqlx::Error::Database(database) => {
                let message = database.message().to_owned();
                let code = database.code().unwrap_or_default();
                match condition(&code) {
                    Condition::Busy => Self::Busy(message),
                    Condition::GaveWay => Self::GaveWay(message),
                    Condition::Full => Self::Full(message),
                    Condition::ReadOnly => Self::ReadOnly(message),
                    Condition::Unreachable => Self::Unreachable(message),
                    Condition::Other => Self::Database(error),
                }
            }
            sqlx::Error::PoolTimedOut => Self::Busy("every connection is in use".to_owned()),
            sqlx::Error::Io(_) | sqlx::Error::Tls(_) | sqlx::Error::Protocol(_) | sqlx::Error::PoolClosed | sqlx::Error::WorkerCrashed => {
                Self::Unreachable(error.to_string())
            }
            _ => Self::Database(error),
        }
    }
}

pub(crate) enum Condition {
    Busy,
    GaveWay,
    Full,
    ReadOnly,
    Unreachable,
    Other,
}

/// Sorts an error code: five characters are an SQLSTATE of PostgreSQL (appendix A of its manual),
/// fewer are an extended result code of SQLite, whose low byte is the primary one.
pub(crate) fn condition(code: &str) -> Condition {
    if code.len() == 5 {
        return match code {
            "40001" | "40P01" => Condition::GaveWay,
            "55P03" | "53300" => Condition::Busy,
            "53100" => Condition::Full,
            "25006" | "42501" => Condition::ReadOnly,
            "57P01" | "57P02" | "57P03" | "25P03" => Condition::Unreachable,
            _ if code.starts_with("08") => Condition::Unreachable,
            _ => Condition::Other,
        };
    }
    match code.parse::<i32>().map(|code| code & 0xff) {
        Ok(5 | 6) => Condition::Busy,
        Ok(8) => Condition::ReadOnly,
        Ok(13) => Condition::Full,
        Ok(10 | 14) => Condition::Unreachable,
        _ => Condition::Other,
    }
}
