//! The event log of Hallpass: append-only, gap-free, in commit order, exactly once (EVT-1, EVT-2).
//!
//! A command is a [`Work`] that [`Log::perform`] runs: it loads streams, lets the core decide and
//! appends events, all in one transaction together with the [`Inline`] projections. Everything else
//! reads ([`Log::read`]) or follows ([`Log::follow`]). The log runs on SQLite and on PostgreSQL and
//! behaves the same on both; what differs is behind [`Conn`].

mod clock;
pub mod codec;
mod conn;
mod error;
mod events;
mod follow;
mod head;
pub mod limits;
mod log;
mod migrate;
mod open;
mod pools;
mod projection;
mod unit;
mod value;
mod work;

/// What [`Work`] and [`Inline`] are implemented with.
pub use async_trait::async_trait;
pub use clock::{Clock, SystemClock};
pub use conn::Conn;
pub use error::StoreError;
pub use follow::Follower;
pub use log::{Log, Options};
pub use open::OpenError;
pub use pools::{Reader, Transaction};
pub use projection::Inline;
pub use unit::Unit;
pub use value::{Row, Value};
pub use work::{Performed, Work, WorkError};
