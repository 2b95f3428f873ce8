//! Read models that change in the same transaction as their events.

use crate::conn::Conn;
use crate::error::StoreError;
use async_trait::async_trait;
use domain::event::Recorded;
use domain::id::TenantId;

/// A read model that authority depends on, so it must never be behind the log.
#[async_trait]
pub trait Inline: Send + Sync {
    /// Applies one event. It is called once for each event, in the order of the log.
    ///
    /// # Errors
    /// An error undoes the whole unit of work: an event that cannot be projected is not recorded.
    async fn apply(&self, conn: &mut Conn<'_>, tenant: &TenantId, recorded: &Recorded) -> Result<(), StoreError>;
}
