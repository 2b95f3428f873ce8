//! The shapes of request bodies, turned into checked values. Whatever does not fit is 400, and
//! nothing is dispatched.

use super::body::{object, object_or_null, present};
use crate::lease::{Order, ProfileKey, Terms};
use crate::problem::Problem;
use domain::browser::{Action, ConsequenceCeiling, Constraint, GrantKind};
use domain::id::{ProfileId, SessionId, TenantId};
use domain::limits::URL_BYTES_MAX;
use domain::scope::{HostRule, parse_origin};
use domain::time::Timestamp;
use serde::Deserialize;

/// Origins of one lease.
const ORIGINS_MAX: usize = 64;
/// Shortest and longest life of a lease in seconds. A grant lives thirty minutes; a day is more than
/// any conversation's browser needs.
const TTL_SECS: std::ops::RangeInclusive<u32> = 1..=86_400;
/// Bytes of a revision or reference; ours are far shorter.
const NAME_BYTES_MAX: usize = 128;

/// `POST /v1/leases`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NewLease {
    tenant: TenantId,
    session: SessionId,
    #[serde(default, deserialize_with = "object_or_null")]
    profile: Option<Profile>,
    allowed_origins: Vec<String>,
    ttl_seconds: u32,
}

/// The browser profile of a lease.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Profile {
    id: ProfileId,
    generation: u64,
}

/// `POST /v1/leases/{id}/navigate`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Navigate {
    pub(super) sequence: u64,
    pub(super) url: String,
}

/// `POST /v1/leases/{id}/observe`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Observe {
    pub(super) sequence: u64,
}

/// `POST /v1/leases/{id}/act`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Act {
    sequence: u64,
    revision: String,
    #[serde(default)]
    element_ref: Option<String>,
    #[serde(deserialize_with = "object")]
    action: Action,
    #[serde(default, deserialize_with = "present")]
    constraint: Option<Bounds>,
}

/// The constraint of a granted act, field by field.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Bounds {
    grant_kind: GrantKind,
    origins: Vec<String>,
    path_prefix: String,
    not_after: jiff::Timestamp,
    consequence_ceiling: ConsequenceCeiling,
    text_cap: u32,
}

impl NewLease {
    /// Checks the terms.
    ///
    /// # Errors
    /// 400 for anything that a lease cannot have.
    pub fn into_terms(self, hosts: HostRule) -> Result<Terms, Problem> {
        if !TTL_SECS.contains(&self.ttl_seconds) {
            return Err(Problem::malformed("`ttl_seconds` must be between 1 and 86400"));
        }
        if self.allowed_origins.is_empty() || self.allowed_origins.len() > ORIGINS_MAX {
            return Err(Problem::malformed("`allowed_origins` must name between 1 and 64 origins"));
        }
        let origins: Result<Vec<String>, _> = self.allowed_origins.iter().map(|text| parse_origin(text, hosts)).collect();
        let allowed_origins =
            origins.map_err(|error| Problem::new(axum::http::StatusCode::BAD_REQUEST, "tool.browser.origin_refused", error.reason()))?;
        Ok(Terms {
            profile: self.profile.map(|profile| ProfileKey { tenant: self.tenant.clone(), id: profile.id, generation: profile.generation }),
            tenant: self.tenant,
            session: self.session,
            allowed_origins,
            ttl_secs: self.ttl_seconds,
        })
    }
}

impl Act {
    /// Checks contents and constraint.
    ///
    /// # Errors
    /// 400 for an action or a constraint that cannot be one.
    pub fn into_order(self) -> Result<(u64, Order), Problem> {
        if self.action.validate().is_err() {
            return Err(Problem::malformed("`action` breaks one of its bounds"));
        }
        if self.element_ref.is_none() && !self.action.stands_alone() {
            return Err(Problem::malformed("`element_ref` is required for every action but scroll"));
        }
        let names = [Some(self.revision.as_str()), self.element_ref.as_deref()];
        if names.into_iter().flatten().any(|name| name.len() > NAME_BYTES_MAX) {
            return Err(Problem::malformed("`revision` and `element_ref` are what an observation gave"));
        }
        let constraint = self.constraint.map(Bounds::into_constraint).transpose()?;
        let order = Order { revision: self.revision, element_ref: self.element_ref, action: self.action, constraint };
        Ok((self.sequence, order))
    }
}

impl Bounds {
    fn into_constraint(self) -> Result<Constraint, Problem> {
        let not_after = Timestamp::from_micros(self.not_after.as_microsecond());
        let long = self.origins.iter().any(|origin| origin.len() > URL_BYTES_MAX);
        let made = Constraint::new(self.grant_kind, &self.origins, &self.path_prefix, not_after, self.consequence_ceiling, self.text_cap);
        let malformed = "the constraint's fields disagree with each other or with its grant kind";
        let code = "tool.browser.malformed_constraint";
        made.ok().filter(|_| !long).ok_or_else(|| Problem::new(axum::http::StatusCode::BAD_REQUEST, code, malformed))
    }
}

/// An instant as RFC 3339 in UTC.
#[must_use]
pub fn instant(at: Timestamp) -> String {
    jiff::Timestamp::from_microsecond(at.as_micros()).map(|at| at.to_string()).unwrap_or_default()
}
