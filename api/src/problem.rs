//! Errors as RFC 9457 problem documents: a stable `code`, what is wrong, what to do.

use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use domain::decide::Refusal;
use eventlog::StoreError;
use serde_json::json;

/// One problem document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    status: StatusCode,
    code: &'static str,
    detail: String,
    retry_after_secs: Option<u32>,
}

impl Problem {
    /// A problem with a stable code and a sentence that says what to do.
    #[must_use]
    pub fn new(status: StatusCode, code: &'static str, detail: impl Into<String>) -> Self {
        Self { status, code, detail: detail.into(), retry_after_secs: None }
    }

    /// The request cannot be read.
    #[must_use]
    pub fn malformed(detail: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, "malformed_request", detail)
    }

    /// There is no such thing, or it is someone else's: one answer for both (API-2).
    #[must_use]
    pub fn not_found() -> Self {
        Self::new(StatusCode::NOT_FOUND, "not_found", "there is no such resource")
    }

    /// No valid token.
    #[must_use]
    pub fn unauthorized() -> Self {
        Self::new(StatusCode::UNAUTHORIZED, "unauthorized", "send a valid token as `Authorization: Bearer ...`")
    }

    /// The token lacks a scope.
    #[must_use]
    pub fn scope_missing(scope: &str) -> Self {
        Self::new(StatusCode::FORBIDDEN, "scope_missing", format!("this route needs a token with the scope `{scope}`"))
    }

    /// Something that should not happen did.
    #[must_use]
    pub fn internal() -> Self {
        Self::new(StatusCode::INTERNAL_SERVER_ERROR, "internal", "the request failed; an operator finds the cause in the log of the server")
    }

    /// Too much at once.
    #[must_use]
    pub fn busy(code: &'static str, detail: impl Into<String>, retry_after_secs: u32) -> Self {
        Self { retry_after_secs: Some(retry_after_secs), ..Self::new(StatusCode::TOO_MANY_REQUESTS, code, detail) }
    }

    /// The HTTP status.
    #[must_use]
    pub const fn status(&self) -> StatusCode {
        self.status
    }

    /// The stable code.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        self.code
    }

    /// The document as JSON.
    #[must_use]
    pub fn document(&self) -> serde_json::Value {
        json!({
            "type": format!("urn:hallpass:problem:{}", self.code),
            "title": self.status.canonical_reason().unwrap_or("Error"),
            "status": self.status.as_u16(),
            "code": self.code,
            "detail": self.detail,
        })
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let body = self.document().to_string();
        let mut response = (self.status, [(header::CONTENT_TYPE, "application/problem+json")], body).into_response();
        if self.status == StatusCode::UNAUTHORIZED {
            response.headers_mut().insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
        }
        if let Some(secs) = self.retry_after_secs {
            response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(secs));
        }
        response
    }
}

impl From<Refusal> for Problem {
    fn from(refusal: Refusal) -> Self {
        let detail = match refusal {
            Refusal::NotFound => return Self::not_found(),
            Refusal::Quarantined => {
                "the history of this resource does not make sense; an operator must look at the log before it can be used"
            }
            Refusal::SessionDeleted => "the session was deleted; open a new one",
            Refusal::RunEnded => "the run is over; start a new one",
            Refusal::ParentRun => "a child run names an active parent run of the same session, and no other kind does",
            Refusal::ToolCallStage => "the tool call is no longer waiting",
            Refusal::AlreadyResolved => "the approval was answered already; the first answer stands",
            Refusal::ApprovalLapsed => {
                "the approval lapsed before this answer, which was recorded as late and changed nothing; the agent has to ask again"
            }
            Refusal::ApprovalCancelled => "the approval was cancelled with its run; the answer changed nothing",
            Refusal::NoOffer => "this approval carries no offer; answer with approve_once or deny",
            Refusal::OfferDiffers => "repeat the offered `origin` and `path_prefix` exactly; the approval is still pending",
            Refusal::OfferNoLongerValid => "the offer no longer stands; the approval is still pending and approve_once still works",
            Refusal::GrantsDisabled => "task permissions are switched off; the approval is still pending and approve_once still works",
            Refusal::ProfileGone => "the browser profile was revoked or deleted",
            Refusal::SignInUnknown => "this sign-in is not in progress; begin a new one",
        };
        Self::new(StatusCode::CONFLICT, refusal.code(), detail)
    }
}

impl From<StoreError> for Problem {
    fn from(error: StoreError) -> Self {
        tracing::error!(%error, "the event log failed");
        Self {
            retry_after_secs: Some(1),
            ..Self::new(
                StatusCode::SERVICE_UNAVAILABLE,
                "storage_unavailable",
                "the event log cannot be used right now; nothing was changed, try again",
            )
        }
    }
}
