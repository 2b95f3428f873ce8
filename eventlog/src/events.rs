//! Rows of the events table.

use crate::codec;
use crate::conn::Conn;
use crate::error::StoreError;
use crate::limits::PAYLOAD_BYTES_MAX;
use crate::value::Row;
use crate::values;
use domain::event::{Actor, Category, Recorded, StreamId};
use domain::id::{CommandId, TenantId};
use domain::time::Timestamp;
use uuid::Uuid;

const INSERT: &str =
    "INSERT INTO events (tenant, position, category, stream, version, type, schema_version, recorded_at, actor, command, payload)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)";

const SELECT_STREAM: &str = "SELECT position, category, stream, version, type, schema_version, recorded_at, actor, payload
     FROM events WHERE tenant = $1 AND category = $2 AND stream = $3 AND version > $4 ORDER BY version LIMIT $5";

const SELECT_LOG: &str = "SELECT position, category, stream, version, type, schema_version, recorded_at, actor, payload
     FROM events WHERE tenant = $1 AND position > $2 ORDER BY position LIMIT $3";

const SELECT_VERSION: &str = "SELECT MAX(version) FROM events WHERE tenant = $1 AND category = $2 AND stream = $3";

/// Writes one event at the place that it was given.
pub(crate) async fn insert(conn: &mut Conn<'_>, tenant: &TenantId, command: CommandId, recorded: &Recorded) -> Result<(), StoreError> {
    let encoded = codec::encode(&recorded.event);
    if encoded.payload.len() > PAYLOAD_BYTES_MAX {
        return Err(StoreError::TooLarge { bytes: encoded.payload.len() });
    }
    let values = values![
        tenant.as_str(),
        recorded.position,
        recorded.stream.category.as_str(),
        recorded.stream.id.as_bytes(),
        recorded.version,
        encoded.type_name,
        encoded.schema_version,
        recorded.recorded_at.as_micros(),
        actor_text(&recorded.actor),
        command.as_uuid().as_bytes(),
        encoded.payload,
    ];
    conn.execute(INSERT, values).await?;
    Ok(())
}

/// The version of a stream; 0 for one without events.
pub(crate) async fn version(conn: &mut Conn<'_>, tenant: &TenantId, stream: StreamId) -> Result<u64, StoreError> {
    let values = values![tenant.as_str(), stream.category.as_str(), stream.id.as_bytes()];
    let row = conn.fetch_optional(SELECT_VERSION, values).await?;
    let version = row.map(|row| row.opt_i64(0)).transpose()?.flatten().unwrap_or(0);
    u64::try_from(version).map_err(|_| StoreError::Column { column: 0, wanted: "a version" })
}

/// Reads a stream from behind `after`, and makes sure that no version is missing.
pub(crate) async fn read_stream(
    conn: &mut Conn<'_>,
    tenant: &TenantId,
    stream: StreamId,
    after: u64,
    limit: u64,
) -> Result<Vec<Recorded>, StoreError> {
    let values = values![tenant.as_str(), stream.category.as_str(), stream.id.as_bytes(), after, limit];
    let rows = conn.fetch_all(SELECT_STREAM, values).await?;
    let mut expected = after;
    rows.iter()
        .map(|row| {
            let recorded = recorded(row)?;
            expected = expected.saturating_add(1);
            if recorded.version == expected { Ok(recorded) } else { Err(StoreError::StreamHole { stream, version: expected }) }
        })
        .collect()
}

/// Reads a tenant's log from behind `after`, and makes sure that no position is missing.
pub(crate) async fn read(conn: &mut Conn<'_>, tenant: &TenantId, after: u64, limit: u64) -> Result<Vec<Recorded>, StoreError> {
    let rows = conn.fetch_all(SELECT_LOG, values![tenant.as_str(), after, limit]).await?;
    let mut expected = after;
    rows.iter()
        .map(|row| {
            let recorded = recorded(row)?;
            expected = expected.saturating_add(1);
            if recorded.position == expected { Ok(recorded) } else { Err(StoreError::Hole { position: expected }) }
        })
        .collect()
}

fn recorded(row: &Row) -> Result<Recorded, StoreError> {
    let position = row.u64(0)?;
    let event = codec::decode(row.text(4)?, row.u32(5)?, row.bytes(8)?).map_err(|source| StoreError::Undecodable { position, source })?;
    let stream = StreamId {
        category: category(row.text(1)?).ok_or(StoreError::Column { column: 1, wanted: "a category" })?,
        id: Uuid::from_slice(row.bytes(2)?).map_err(|_| StoreError::Column { column: 2, wanted: "an id" })?,
    };
    // The stream follows from the event; a row that says otherwise was moved there.
    if event.stream() != stream {
        return Err(StoreError::WrongStream { named: stream, actual: event.stream() });
    }
    Ok(Recorded {
        position,
        stream,
        version: row.u64(3)?,
        recorded_at: Timestamp::from_micros(row.i64(6)?),
        actor: actor(row.text(7)?).ok_or(StoreError::Column { column: 7, wanted: "an actor" })?,
        event,
    })
}

fn category(name: &str) -> Option<Category> {
    Category::ALL.into_iter().find(|category| category.as_str() == name)
}

/// An actor as text; a principal's alphabet has no colon.
fn actor_text(actor: &Actor) -> String {
    match actor {
        Actor::Owner(principal) => format!("owner:{principal}"),
        Actor::Agent(principal) => format!("agent:{principal}"),
        Actor::System => "system".to_owned(),
    }
}

fn actor(text: &str) -> Option<Actor> {
    match text.split_once(':') {
        Some(("owner", principal)) => principal.parse().ok().map(Actor::Owner),
        Some(("agent", principal)) => principal.parse().ok().map(Actor::Agent),
        None if text == "system" => Some(Actor::System),
        _ => None,
    }
}
