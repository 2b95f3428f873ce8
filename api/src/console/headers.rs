//! Headers of every console answer (threat G5).

use axum::http::header::{self, HeaderName, HeaderValue};
use axum::response::Response;

/// Nothing but our own style and script, no inline code, no frame around us, no base or form that
/// leads away.
const POLICY: &str = "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src 'self'; \
                      form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

/// Adds the headers.
///
/// The referrer policy is `strict-origin` and not `no-referrer`, because under the latter browsers
/// send `Origin: null` with forms (Fetch standard, "append a request `Origin` header"), and `Origin`
/// is what tells our own forms from others. No path is sent to anybody, so no link leaks.
pub(super) async fn secure(mut response: Response) -> Response {
    let headers = response.headers_mut();
    let mut put = |name: HeaderName, value: &'static str| drop(headers.insert(name, HeaderValue::from_static(value)));
    put(header::CONTENT_SECURITY_POLICY, POLICY);
    put(header::X_FRAME_OPTIONS, "DENY");
    put(header::X_CONTENT_TYPE_OPTIONS, "nosniff");
    put(header::CACHE_CONTROL, "no-store");
    put(header::REFERRER_POLICY, "strict-origin");
    put(HeaderName::from_static("cross-origin-opener-policy"), "same-origin");
    put(HeaderName::from_static("cross-origin-resource-policy"), "same-origin");
    put(HeaderName::from_static("permissions-policy"), "camera=(), geolocation=(), microphone=(), payment=(), usb=()");
    response
}
