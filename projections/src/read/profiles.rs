//! Browser profiles.

use domain::id::{PrincipalId, ProfileId, SignInId, TenantId};
use domain::time::Timestamp;
use eventlog::{Conn, Row, StoreError, values};

/// One profile.
#[derive(Clone, Debug)]
pub struct ProfileRow {
    /// The profile.
    pub profile: ProfileId,
    /// What the owner calls it.
    pub name: String,
    /// `ready`, `signing_in` or `revoked`.
    pub status: String,
    /// Advances twice with each sign-in.
    pub generation: u64,
    /// The sign-in in progress.
    pub sign_in: Option<SignInId>,
    /// When it was created.
    pub created_at: Timestamp,
}

/// One profile of a principal, unless it was deleted.
///
/// # Errors
/// When the store fails.
pub async fn find(
    conn: &mut Conn<'_>,
    tenant: &TenantId,
    principal: &PrincipalId,
    profile: ProfileId,
) -> Result<Option<ProfileRow>, StoreError> {
    let sql = "SELECT profile_id, name, status, generation, sign_in_id, created_at FROM browser_profiles
               WHERE tenant = $1 AND profile_id = $2 AND principal = $3 AND status <> 'deleted'";
    let values = values![tenant.as_str(), profile.to_string(), principal.as_str()];
    conn.fetch_all(sql, values).await?.first().map(row).transpose()
}

fn row(row: &Row) -> Result<ProfileRow, StoreError> {
    Ok(ProfileRow {
        profile: row.parsed(0)?,
        name: row.text(1)?.to_owned(),
        status: row.text(2)?.to_owned(),
        generation: row.u64(3)?,
        sign_in: row.opt_parsed(4)?,
        created_at: Timestamp::from_micros(row.i64(5)?),
    })
}
