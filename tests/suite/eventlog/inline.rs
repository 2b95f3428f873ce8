//! Read models that change with their events.

use super::places::{Place, options};
use super::works::{Append, Then, append, everything, message, perform, session, tenant};
use domain::event::{Event, Recorded};
use domain::id::TenantId;
use eventlog::{Conn, Inline, Log, Options, StoreError, WorkError, async_trait, values};
use std::sync::Arc;

/// Notes each event, and fails at a message with a certain text.
struct Notes;

#[async_trait]
impl Inline for Notes {
    async fn apply(&self, conn: &mut Conn<'_>, tenant: &TenantId, recorded: &Recorded) -> Result<(), StoreError> {
        let text = match &recorded.event {
            Event::MessageReceived(message) => message.text.as_str(),
            _ => "",
        };
        conn.execute("INSERT INTO notes (tenant, position, text) VALUES ($1, $2, $3)", values![tenant.as_str(), recorded.position, text])
            .await?;
        if text == "poison" {
            return Err(StoreError::Projection { projection: "notes", reason: "poison".to_owned() });
        }
        Ok(())
    }
}

async fn open(place: &Place) -> Log {
    let log = place.open_with(Options { inline: vec![Arc::new(Notes)], ..options() }).await;
    let mut transaction = log.begin().await.unwrap();
    transaction.connection().execute("CREATE TABLE notes (tenant TEXT, position BIGINT, text TEXT)", &[]).await.unwrap();
    transaction.commit().await.unwrap();
    log
}

async fn notes(log: &Log) -> Vec<(u64, String)> {
    let rows = log.reader().await.unwrap().fetch_all("SELECT position, text FROM notes WHERE tenant = $1", values!["acme"]).await.unwrap();
    rows.iter().map(|row| (row.u64(0).unwrap(), row.text(1).unwrap().to_owned())).collect()
}

/// EVT-1: an inline projection is given each event once, with its place, in the order of the log.
pub(super) async fn a_projection_sees_every_event_once_and_in_order(place: &Place) {
    let log = open(place).await;
    append(&log, vec![message(session(), "a"), message(session(), "b")]).await;
    append(&log, vec![message(session(), "c")]).await;
    assert_eq!(notes(&log).await, [(1, "a".to_owned()), (2, "b".to_owned()), (3, "c".to_owned())]);
}

/// EVT-1: an event that a projection cannot apply is not recorded, and nothing beside it either.
pub(super) async fn a_projection_that_fails_undoes_the_unit(place: &Place) {
    let log = open(place).await;
    let error = perform(&log, &Append::of(vec![message(session(), "fine"), message(session(), "poison")])).await.unwrap_err();
    assert!(matches!(error, WorkError::Store(StoreError::Projection { projection: "notes", .. })), "{error:?}");
    assert_eq!(everything(&log, &tenant()).await, []);
    assert_eq!(notes(&log).await, []);
    append(&log, vec![message(session(), "after")]).await;
    assert_eq!(notes(&log).await, [(1, "after".to_owned())]);
}

/// EVT-1: a unit that is refused takes its projections back with it.
pub(super) async fn a_projection_is_undone_with_its_unit(place: &Place) {
    let log = open(place).await;
    let refused = Append::of(vec![message(session(), "never")]).then(Then::Refuse);
    assert!(matches!(perform(&log, &refused).await, Err(WorkError::Refused(_))));
    assert_eq!(notes(&log).await, []);
}
