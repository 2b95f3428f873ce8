//! API tokens: random secrets of which only a hash is stored, shown once at creation.

use crate::http::Caller;
use crate::random::{new_uuid, random_token};
use crate::scopes::{Holder, Scope};
use domain::id::{PrincipalId, TenantId, TokenId};
use eventlog::{Conn, Log, Row, StoreError, Value, values};
use sha2::{Digest, Sha256};

/// Starts every secret, so that scanners find one that leaked.
pub const PREFIX: &str = "hallpass_";

/// A token as an operator lists it.
#[derive(Clone, Debug)]
pub struct TokenRow {
    /// The token.
    pub token: TokenId,
    /// Its tenant.
    pub tenant: String,
    /// The person that it acts for.
    pub principal: String,
    /// What the operator calls it.
    pub name: String,
    /// Whether the person or a program holds it.
    pub holder: String,
    /// Its scopes, separated by commas.
    pub scopes: String,
    /// Whether it was revoked.
    pub revoked: bool,
}

/// What a new token is for.
#[derive(Clone, Debug)]
pub struct NewToken {
    /// The tenant.
    pub tenant: TenantId,
    /// The person that it acts for.
    pub principal: PrincipalId,
    /// What the operator calls it.
    pub name: String,
    /// Whether the person or a program holds it.
    pub holder: Holder,
    /// What it may do.
    pub scopes: Vec<Scope>,
}

/// Creates a token and gives its secret, which nothing can give again.
///
/// # Errors
/// When the store fails.
pub async fn create(log: &Log, new: &NewToken) -> Result<(TokenId, String), StoreError> {
    let token = TokenId::from_uuid(new_uuid());
    let secret = format!("{PREFIX}{}_{}", new.holder.as_str(), random_token());
    let scopes: Vec<&str> = new.scopes.iter().map(|scope| scope.as_str()).collect();
    let values = values![
        token.to_string(),
        new.tenant.as_str(),
        new.principal.as_str(),
        &new.name,
        new.holder.as_str(),
        scopes.join(","),
        hash(&secret),
        log.now().as_micros(),
    ];
    let sql =
        "INSERT INTO tokens (token_id, tenant, principal, name, holder, scopes, hash, created_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)";
    write(log, sql, values).await?;
    Ok((token, secret))
}

/// Every token, newest last.
///
/// # Errors
/// When the store fails.
pub async fn list(log: &Log) -> Result<Vec<TokenRow>, StoreError> {
    let sql = "SELECT token_id, tenant, principal, name, holder, scopes, revoked_at FROM tokens ORDER BY created_at";
    let rows = log.reader().await?.fetch_all(sql, &[]).await?;
    let row = |row: &Row| {
        Ok(TokenRow {
            token: row.parsed(0)?,
            tenant: row.text(1)?.to_owned(),
            principal: row.text(2)?.to_owned(),
            name: row.text(3)?.to_owned(),
            holder: row.text(4)?.to_owned(),
            scopes: row.text(5)?.to_owned(),
            revoked: row.opt_i64(6)?.is_some(),
        })
    };
    rows.iter().map(row).collect()
}

/// Revokes a token; false when there is no such token.
///
/// # Errors
/// When the store fails.
pub async fn revoke(log: &Log, token: TokenId) -> Result<bool, StoreError> {
    let sql = "UPDATE tokens SET revoked_at = COALESCE(revoked_at, $1) WHERE token_id = $2";
    Ok(write(log, sql, values![log.now().as_micros(), token.to_string()]).await? == 1)
}

/// The caller of a secret; `None` for one that is unknown or revoked.
///
/// The secret is looked up by its hash: how long that takes says nothing about any stored secret.
///
/// # Errors
/// When the store fails.
pub async fn caller(conn: &mut Conn<'_>, secret: &str) -> Result<Option<Caller>, StoreError> {
    let sql = "SELECT token_id, tenant, principal, holder, scopes FROM tokens WHERE hash = $1 AND revoked_at IS NULL";
    let rows = conn.fetch_all(sql, values![hash(secret)]).await?;
    let Some(row) = rows.first() else { return Ok(None) };
    let scopes: Option<Vec<Scope>> = row.text(4)?.split(',').map(Scope::parse).collect();
    let wanted = |column, wanted| StoreError::Column { column, wanted };
    Ok(Some(Caller {
        credential: row.text(0)?.to_owned(),
        tenant: row.parsed(1)?,
        principal: row.parsed(2)?,
        holder: Holder::parse(row.text(3)?).ok_or_else(|| wanted(3, "a holder"))?,
        scopes: scopes.ok_or_else(|| wanted(4, "scopes"))?,
    }))
}

/// Runs one statement in a transaction of its own.
pub(crate) async fn write(log: &Log, sql: &'static str, values: &[Value]) -> Result<u64, StoreError> {
    let mut transaction = log.begin().await?;
    let touched = transaction.connection().execute(sql, values).await?;
    transaction.commit().await?;
    Ok(touched)
}

/// SHA-256 in hex. The secret has 256 random bits, so no slow hash is needed.
pub(crate) fn hash(secret: &str) -> String {
    hex(&Sha256::digest(secret.as_bytes()))
}

/// Bytes in lower-case hex.
pub(crate) fn hex(bytes: &[u8]) -> String {
    use std::fmt::Write as _;
    bytes.iter().fold(String::with_capacity(bytes.len() * 2), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}
