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
use eventlog::{Row, StoreError, values};
use http_body_util::BodyExt;
use sha2::{Digest, Sha256};
use uuid::Uuid;

/// The header of a command's key.
const HEADER: &str = "idempotency-key";
/// The status of a command that has no kept answer yet.
const UNANSWERED: i64 = 0;
/// Characters of a key.
const KEY_CHARACTERS_MAX: usize = 200;

/// Marks an answer that the command gives again by itself, so that it need not be kept.
#[derive(Clone, Copy, Debug)]
pub(super) struct NotKept;

/// One command as it came in.
#[derive(Clone, Debug)]
pub(super) struct Command {
    /// The command's id.
    pub(super) id: CommandId,
    key: Option<String>,
    request_hash: String,
}

impl Command {
    /// Reads the key and hashes the request. The token's secret goes into the hash, so that whoever
    /// reads the store cannot guess a short text that was typed.
    ///
    /// # Errors
    /// When the key is malformed.
    pub(super) fn of(caller: &Caller, secret: &str, parts: &Parts, body: &Bytes) -> Result<Self, Problem> {
        let mut hash = Sha256::new();
        for part in [secret.as_bytes(), parts.method.as_str().as_bytes(), parts.uri.path().as_bytes(), body.as_ref()] {
            hash.update(part.len().to_be_bytes());
            hash.update(part);
        }
        let request_hash = hex(&hash.finalize());
        let mut values = parts.headers.get_all(HEADER).iter();
        let (value, more) = (values.next(), values.next());
        if more.is_some() {
            return Err(Problem::malformed("send one `Idempotency-Key`, not several"));
        }
        let Some(value) = value else {
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

/// The answer that the same command got before. For a new key its request is written down before
/// anything else happens, so that no other request can ever run under it.
///
/// # Errors
/// When the key was used for another request, or the store fails.
pub(super) async fn earlier_answer(app: &App, caller: &Caller, command: &Command) -> Result<Option<Response>, Problem> {
    let Some(key) = &command.key else { return Ok(None) };
    if let Some(kept) = find(app, caller, key).await? {
        return kept.answer_to(command);
    }
    let sql = "INSERT INTO command_answers (tenant, token_id, command_key, request_hash, status, body, created_at)
               VALUES ($1, $2, $3, $4, $5, '', $6) ON CONFLICT DO NOTHING";
    let values = values![caller.tenant.as_str(), &caller.credential, key, &command.request_hash, UNANSWERED, app.log.now().as_micros(),];
    if write(&app.log, sql, values).await? == 1 {
        return Ok(None);
    }
    // Another request with this key was a moment faster.
    find(app, caller, key).await?.map_or(Ok(None), |kept| kept.answer_to(command))
}

/// What is kept under a key.
struct Kept {
    request_hash: String,
    status: i64,
    body: String,
}

async fn find(app: &App, caller: &Caller, key: &str) -> Result<Option<Kept>, Problem> {
    let sql = "SELECT request_hash, status, body FROM command_answers WHERE tenant = $1 AND token_id = $2 AND command_key = $3";
    let values = values![caller.tenant.as_str(), &caller.credential, key];
    let row = app.log.reader().await?.fetch_optional(sql, values).await?;
    let kept = |row: Row| Ok(Kept { request_hash: row.text(0)?.to_owned(), status: row.i64(1)?, body: row.text(2)?.to_owned() });
    row.map(kept).transpose().map_err(|error: StoreError| error.into())
}

impl Kept {
    /// The kept answer; `None` while there is none, because the first attempt goes on or was lost.
    fn answer_to(self, command: &Command) -> Result<Option<Response>, Problem> {
        if self.request_hash != command.request_hash {
            return Err(Problem::new(
                StatusCode::CONFLICT,
                "idempotency_key_reused",
                "this Idempotency-Key was used for another request; take a new one",
            ));
        }
        if self.status == UNANSWERED {
            return Ok(None);
        }
        let status = u16::try_from(self.status).ok().and_then(|status| StatusCode::from_u16(status).ok()).unwrap_or(StatusCode::OK);
        Ok(Some(answer(status, self.body)))
    }
}

/// Keeps an answer for the next time. Failures of the server and "try later" are not kept.
///
/// # Errors
/// When the store fails: the caller then repeats the command, which finds what it did.
pub(super) async fn keep(app: &App, caller: &Caller, command: &Command, response: Response) -> Result<Response, Problem> {
    let status = response.status();
    let kept = response.extensions().get::<NotKept>().is_none();
    let lasting = kept && !status.is_server_error() && status != StatusCode::TOO_MANY_REQUESTS;
    let Some(key) = command.key.as_ref().filter(|_| lasting) else { return Ok(response) };
    let (parts, body) = response.into_parts();
    let bytes = body.collect().await.map_err(|_| Problem::internal())?.to_bytes();
    let sql = "UPDATE command_answers SET status = $1, body = $2
               WHERE tenant = $3 AND token_id = $4 AND command_key = $5 AND request_hash = $6 AND status = $7";
    let values = values![
        i64::from(status.as_u16()),
        String::from_utf8_lossy(&bytes).into_owned(),
        caller.tenant.as_str(),
        &caller.credential,
        key,
        &command.request_hash,
        UNANSWERED,
    ];
    if write(&app.log, sql, values).await? == 0
        && let Some(kept) = find(app, caller, key).await?
        && let Some(first) = kept.answer_to(command)?
    {
        // Two attempts at once: both give the answer of the first.
        return Ok(first);
    }
    Ok(Response::from_parts(parts, Body::from(bytes)))
}

fn answer(status: StatusCode, body: String) -> Response {
    let kind = if status.is_client_error() { "application/problem+json" } else { "application/json" };
    let mut response = Response::new(Body::from(body));
    *response.status_mut() = status;
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static(kind));
    response
}
