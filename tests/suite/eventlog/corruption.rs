//! A log that somebody touched: it is not read as if nothing had happened.

use super::places::Place;
use super::works::{append, everything, message, open_session, session, tenant, texts};
use eventlog::codec::{DecodeError, encode};
use eventlog::{Log, StoreError, Value, values};
use uuid::Uuid;

const INSERT: &str =
    "INSERT INTO events (tenant, position, category, stream, version, type, schema_version, recorded_at, actor, command, payload)
    VALUES ($1, $2, $3, $4, 1, $5, 1, 0, 'system', $6, $7)";

async fn write(log: &Log, sql: &'static str, values: &[Value]) -> Result<u64, StoreError> {
    let mut transaction = log.begin().await.unwrap();
    let changed = transaction.connection().execute(sql, values).await;
    match changed {
        Ok(_) => transaction.commit().await.unwrap(),
        Err(_) => transaction.rollback().await.unwrap(),
    }
    changed
}

/// EVT-3: the database itself refuses to change or delete events.
pub(super) async fn events_are_never_changed_or_deleted(place: &Place) {
    let log = place.open().await;
    append(&log, vec![message(session(), "as it was")]).await;
    let update = write(&log, "UPDATE events SET recorded_at = 0", &[]).await.unwrap_err();
    assert!(update.to_string().contains("never changed"), "{update}");
    let delete = write(&log, "DELETE FROM events", &[]).await.unwrap_err();
    assert!(delete.to_string().contains("never changed or deleted") || delete.to_string().contains("never deleted"), "{delete}");
    if place.is_postgres() {
        assert!(write(&log, "TRUNCATE events", &[]).await.is_err());
    }
    assert_eq!(texts(&everything(&log, &tenant()).await), ["as it was"]);
}

/// EVT-2: a missing position is reported, not stepped over.
pub(super) async fn a_hole_is_an_error(place: &Place) {
    let log = place.open().await;
    open_session(&log).await;
    let stray = message(session(), "behind a hole");
    let encoded = encode(&stray);
    let values =
        values!["acme", 3_i64, "session", stray.stream().id.as_bytes(), encoded.type_name, Uuid::now_v7().as_bytes(), encoded.payload];
    write(&log, INSERT, values).await.unwrap();
    let error = log.read(&tenant(), 0, 10).await.unwrap_err();
    assert!(matches!(error, StoreError::Hole { position: 2 }), "{error:?}");
    let error = log.read(&tenant(), 1, 10).await.unwrap_err();
    assert!(matches!(error, StoreError::Hole { position: 2 }), "{error:?}");
}

/// EVT-5: an event type that is not known stops the reader and names the place.
pub(super) async fn an_unknown_event_is_an_error(place: &Place) {
    let log = place.open().await;
    let values =
        values!["acme", 1_i64, "session", Uuid::now_v7().as_bytes(), "session.renamed", Uuid::now_v7().as_bytes(), Vec::<u8>::new()];
    write(&log, INSERT, values).await.unwrap();
    let error = log.read(&tenant(), 0, 10).await.unwrap_err();
    assert!(matches!(error, StoreError::Undecodable { position: 1, source: DecodeError::UnknownType { .. } }), "{error:?}");
}

/// EVT-3: an event that was moved to another stream is noticed.
pub(super) async fn an_event_on_a_foreign_stream_is_an_error(place: &Place) {
    let log = place.open().await;
    let encoded = encode(&message(session(), "moved"));
    let values =
        values!["acme", 1_i64, "session", Uuid::now_v7().as_bytes(), encoded.type_name, Uuid::now_v7().as_bytes(), encoded.payload];
    write(&log, INSERT, values).await.unwrap();
    let error = log.read(&tenant(), 0, 10).await.unwrap_err();
    assert!(matches!(error, StoreError::WrongStream { .. }), "{error:?}");
}
