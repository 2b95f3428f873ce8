//! Browser profiles. The generation moves with each step of a sign-in (GRA-11).

use super::Target;
use domain::event::{ProfileCreated, SignInBegan, SignInReady};
use domain::id::ProfileId;
use eventlog::{StoreError, values};

pub(super) async fn created(target: &mut Target<'_, '_>, e: &ProfileCreated) -> Result<(), StoreError> {
    let values = values![target.tenant(), e.profile.to_string(), e.principal.as_str(), &e.name, target.at(), target.recorded.position];
    target
        .one(
            "INSERT INTO browser_profiles (tenant, profile_id, principal, name, status, generation, created_at, position)
             VALUES ($1, $2, $3, $4, 'ready', 1, $5, $6)",
            values,
        )
        .await
}

pub(super) async fn sign_in_began(target: &mut Target<'_, '_>, e: &SignInBegan) -> Result<(), StoreError> {
    let values = values![e.sign_in.to_string(), target.tenant(), e.profile.to_string()];
    target
        .one(
            "UPDATE browser_profiles SET status = 'signing_in', generation = generation + 1, sign_in_id = $1
             WHERE tenant = $2 AND profile_id = $3 AND status IN ('ready', 'signing_in')",
            values,
        )
        .await
}

pub(super) async fn sign_in_ready(target: &mut Target<'_, '_>, e: &SignInReady) -> Result<(), StoreError> {
    let values = values![target.tenant(), e.profile.to_string(), e.sign_in.to_string()];
    target
        .one(
            "UPDATE browser_profiles SET status = 'ready', generation = generation + 1, sign_in_id = NULL
             WHERE tenant = $1 AND profile_id = $2 AND sign_in_id = $3",
            values,
        )
        .await
}

pub(super) async fn closed(target: &mut Target<'_, '_>, profile: ProfileId, status: &str) -> Result<(), StoreError> {
    let values = values![status, target.tenant(), profile.to_string()];
    target
        .one("UPDATE browser_profiles SET status = $1, sign_in_id = NULL WHERE tenant = $2 AND profile_id = $3 AND status <> $1", values)
        .await
}
