//! Repeated commands (API-3). A command's id follows from its key, so what it created is found
//! again even if the answer was lost; the answer itself is kept and given again.

use super::Caller;
use crate::app::App;
use crate::problem::Problem;
use crate::random::new_uuid;
use crate::tokens::{hex, write};
use axum::body::{Body, Bytes};
use axum::http::{HeaderValue, StatusCode, header, request::Parts};
use axum::response::Response;
use domain::id::CommandId;
use eventlog::values;
use http_body_util::BodyExt;
use sha2::{Digest, Sha256};
use uuid::Uuid;

/// The header of a command's key.
const HEADER: &str = "idempotency-key";
/// Characters of a key.
const KEY_CHARACTERS_MAX: usize = 200;

/// One command as it came in.
#[derive(Clone, Debug)]
pub(super) struct Command {
    /// The command's id.
    pub(super) id: CommandId,
    key: Option<String>,
    request_hash: String,
}

impl Command {
    /// Reads the key and hashes the request.
    ///
    /// # Errors
    /// When the key is malformed.
    pub(super) fn of(caller: &Caller, parts: &Parts, body: &Bytes) -> Result<Self, Problem> {
        let mut hash = Sha256::new();
        for part in [parts.method.as_str().as_bytes(), parts.uri.path().as_bytes(), body.as_ref()] {
            hash.update(part.len().to_be_bytes());
            hash.update(part);
        }
        let request_hash = hex(&hash.finalize());
        let Some(value) = parts.headers.get(HEADER) else {
            return Ok(Self { id: CommandId::from_uuid(new_uuid()), key: None, request_hash });
        };
        let key = value.to_str().ok().filter(|key| !key.is_empty() && key.len() <= KEY_CHARACTERS_MAX);
        let key = key.ok_or_else(|| Problem::malformed("`Idempotency-Key` must be 1 to 200 visible ASCII characters"))?;
        // The same key of another token or tenant is another command.
        let name = format!("{}\n{}\n{key}", caller.tenant, caller.credential);
        let id = CommandId::from_uuid(Uuid::new_v5(&Uuid::NAMESPACE_OID, name.as_bytes()));
        Ok(Self { id, key: Some(key.to_owned()), request_hash })
    }
}

/// The answer that the same command got before.
///
/// # Errors
/// When the key was used for another request, or the store fails.
pub(super) async fn earlier_answer(app: &App, caller: &Caller, command: &Command) -> Result<Option<Response>, Problem> {
    let Some(key) = &command.key else { return Ok(None) };
    let sql = "SELECT request_hash, status, body FROM command_answers WHERE tenant = $1 AND token_id = $2 AND command_key = $3";
    let values = values![caller.tenant.as_str(), &caller.credential, key];
    let rows = app.log.reader().await?.fetch_all(sql, values).await?;
    let Some(row) = rows.first() else { return Ok(None) };
    if row.text(0)? != command.request_hash {
        return Err(Problem::new(StatusCode::CONFLICT, "idempotency_key_reused", "this Idempotency-Key was used for another request; take a new one"));
    }
    let status = u16::try_from(row.i64(1)?).ok().and_then(|status| StatusCode::from_u16(status).ok()).unwrap_or(StatusCode::OK);
    Ok(Some(answer(status, row.text(2)?.to_owned())))
}

/// Keeps an answer for the next time. Failures of the server and "try later" are not kept.
///
/// # Errors
/// When the store fails: the caller then repeats the command, which finds what it did.
pub(super) async fn keep(app: &App, caller: &Caller, command: &Command, response: Response) -> Result<Response, Problem> {
    let status = response.status();
    let lasting = !status.is_server_error() && status != StatusCode::TOO_MANY_REQUESTS;
    let Some(key) = command.key.as_ref().filter(|_| lasting) else { return Ok(response) };
    let (parts, body) = response.into_parts();
    let bytes = body.collect().await.map_err(|_| Problem::malformed("the answer could not be read"))?.to_bytes();
    let sql = "INSERT INTO command_answers (tenant, token_id, command_key, request_hash, status, body, created_at)
               VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT DO NOTHING";
    let values = values![
        caller.tenant.as_str(),
        &caller.credential,
        key,
        &command.request_hash,
        i64::from(status.as_u16()),
        String::from_utf8_lossy(&bytes).into_owned(),
        app.log.now().as_micros(),
    ];
    write(&app.log, sql, values).await?;
    Ok(Response::from_parts(parts, Body::from(bytes)))
}

fn answer(status: StatusCode, body: String) -> Response {
    let kind = if status.is_client_error() { "application/problem+json" } else { "application/json" };
    let mut response = Response::new(Body::from(body));
    *response.status_mut() = status;
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static(kind));
    response
}
