//! The one way between events and stored bytes. Whoever reads the log, inline or following,
//! rebuilding or auditing, decodes here, so no reader can see an older shape than another (EVT-5).
//!
//! Nothing is guessed: a type, name, id or time that is not understood is an error, because an
//! event that was half understood could give authority that nobody gave.

mod approval;
mod fields;
mod profile;
mod run;
mod session;
mod task_grant;
mod tool_call;
mod view;
mod wire;

use domain::event::Event;
use prost::Message;

/// An event as it is stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Encoded {
    /// [`Event::type_name`].
    pub type_name: &'static str,
    /// Which shape of that type the payload has, from 1.
    pub schema_version: u32,
    /// A protobuf message of `eventlog/proto`.
    pub payload: Vec<u8>,
}

/// Why stored bytes are no event.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DecodeError {
    /// No shape is known by this name and version; perhaps a newer Hallpass wrote it.
    #[error("no event type {type_name:?} with schema version {schema_version}")]
    UnknownType {
        /// The stored type.
        type_name: String,
        /// The stored schema version.
        schema_version: u32,
    },
    /// The bytes are no protobuf message of the type.
    #[error("the payload is malformed: {0}")]
    Malformed(#[from] prost::DecodeError),
    /// A field is missing or does not hold what it must.
    #[error("field {field} is missing or not valid")]
    Field {
        /// The field's name in the shape.
        field: &'static str,
    },
    /// A field holds a name outside its closed vocabulary.
    #[error("field {field} holds the unknown name {name:?}")]
    UnknownName {
        /// The field's name in the shape.
        field: &'static str,
        /// What it holds.
        name: String,
    },
}

/// The schema version that every type is written in today.
const SCHEMA_VERSION: u32 = 1;

macro_rules! types {
    ($($name:literal => $decode:path),+ $(,)?) => {
        /// Every event type that can be decoded.
        pub const TYPES: &[&str] = &[$($name),+];

        fn decoder(type_name: &str) -> Option<fn(&[u8]) -> Result<Event, DecodeError>> {
            match type_name {
                $($name => Some($decode),)+
                _ => None,
            }
        }
    };
}

types! {
    "session.opened" => session::opened,
    "message.received" => session::message_received,
    "session.turn_left_browser" => session::turn_left_browser,
    "session.deleted" => session::deleted,
    "run.started" => run::started,
    "run.ended" => run::ended,
    "tool.call.requested" => tool_call::requested,
    "tool.call.authorized" => tool_call::authorized,
    "tool.call.dispatched" => tool_call::dispatched,
    "tool.call.finished" => tool_call::finished,
    "approval.requested" => approval::requested,
    "approval.resolved" => approval::resolved,
    "approval.lapsed" => approval::lapsed,
    "approval.cancelled" => approval::cancelled,
    "approval.answered_late" => approval::answered_late,
    "browser.task_grant.created" => task_grant::created,
    "browser.task_grant.ended" => task_grant::ended,
    "browser.profile.created" => profile::created,
    "browser.profile.sign_in_began" => profile::sign_in_began,
    "browser.profile.sign_in_ready" => profile::sign_in_ready,
    "browser.profile.revoked" => profile::revoked,
    "browser.profile.deleted" => profile::deleted,
}

/// Gives an event's stored form. The same event always gives the same bytes.
#[must_use]
pub fn encode(event: &Event) -> Encoded {
    let payload = match event {
        Event::SessionOpened(e) => wire::SessionOpened::from(e).encode_to_vec(),
        Event::MessageReceived(e) => wire::MessageReceived::from(e).encode_to_vec(),
        Event::TurnLeftBrowser(e) => wire::TurnLeftBrowser::from(e).encode_to_vec(),
        Event::SessionDeleted(e) => wire::SessionDeleted::from(e).encode_to_vec(),
        Event::RunStarted(e) => wire::RunStarted::from(e).encode_to_vec(),
        Event::RunEnded(e) => wire::RunEnded::from(e).encode_to_vec(),
        Event::ToolCallRequested(e) => wire::ToolCallRequested::from(e).encode_to_vec(),
        Event::ToolCallAuthorized(e) => wire::ToolCallAuthorized::from(e).encode_to_vec(),
        Event::ToolCallDispatched(e) => wire::ToolCallDispatched::from(e).encode_to_vec(),
        Event::ToolCallFinished(e) => wire::ToolCallFinished::from(e).encode_to_vec(),
        Event::ApprovalRequested(e) => wire::ApprovalRequested::from(e).encode_to_vec(),
        Event::ApprovalResolved(e) => wire::ApprovalResolved::from(e).encode_to_vec(),
        Event::ApprovalLapsed(e) => wire::ApprovalLapsed::from(e).encode_to_vec(),
        Event::ApprovalCancelled(e) => wire::ApprovalCancelled::from(e).encode_to_vec(),
        Event::ApprovalAnsweredLate(e) => wire::ApprovalAnsweredLate::from(e).encode_to_vec(),
        Event::TaskGrantCreated(e) => wire::TaskGrantCreated::from(e).encode_to_vec(),
        Event::TaskGrantEnded(e) => wire::TaskGrantEnded::from(e).encode_to_vec(),
        Event::ProfileCreated(e) => wire::ProfileCreated::from(e).encode_to_vec(),
        Event::SignInBegan(e) => wire::SignInBegan::from(e).encode_to_vec(),
        Event::SignInReady(e) => wire::SignInReady::from(e).encode_to_vec(),
        Event::ProfileRevoked(e) => wire::ProfileRevoked::from(e).encode_to_vec(),
        Event::ProfileDeleted(e) => wire::ProfileDeleted::from(e).encode_to_vec(),
    };
    Encoded { type_name: event.type_name(), schema_version: SCHEMA_VERSION, payload }
}

/// Reads a stored event.
///
/// # Errors
/// Whatever is not understood in full, see [`DecodeError`].
pub fn decode(type_name: &str, schema_version: u32, payload: &[u8]) -> Result<Event, DecodeError> {
    let unknown = || DecodeError::UnknownType { type_name: type_name.to_owned(), schema_version };
    if schema_version != SCHEMA_VERSION {
        return Err(unknown());
    }
    decoder(type_name).ok_or_else(unknown)?(payload)
}
