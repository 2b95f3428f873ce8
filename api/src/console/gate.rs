//! Who may see a page, and what may change something (threat G3): the cookie of a session, and for
//! every form the proof that it was sent by one of our own pages.

use super::form::Fields;
use super::page;
use super::sign_in::{SESSION_SECS_MAX, SignedIn};
use crate::app::App;
use crate::http::BODY_BYTES_MAX;
use crate::problem::Problem;
use axum::extract::{FromRequest, FromRequestParts, Path, Request};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::response::Response;
use http_body_util::{BodyExt, LengthLimitError, Limited};
use subtle::ConstantTimeEq;
use url::{Host, Url};

/// The name of the cookie.
const COOKIE: &str = "hallpass_session";
const SEC_FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");

/// A request of a signed-in owner. Taking it counts as activity of the owner.
pub(super) struct Visitor(pub SignedIn);

impl FromRequestParts<App> for Visitor {
    type Rejection = Response;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, Response> {
        signed_in(&parts.headers, app, true).map(Self).map_err(|problem| page::problem(None, &problem))
    }
}

/// The same for a page that refreshes itself, which is no activity.
pub(super) struct Watcher(pub SignedIn);

impl FromRequestParts<App> for Watcher {
    type Rejection = Response;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, Response> {
        signed_in(&parts.headers, app, false).map(Self).map_err(|problem| page::problem(None, &problem))
    }
}

/// What stands in a path. What is no text names nothing, so it is not found.
pub(super) struct Named(pub String);

impl FromRequestParts<App> for Named {
    type Rejection = Response;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, Response> {
        let path = Path::<String>::from_request_parts(parts, app).await;
        path.map(|Path(name)| Self(name)).map_err(|_| page::problem(None, &Problem::not_found()))
    }
}

/// A form that a signed-in owner sent from one of our pages.
pub(super) struct OwnersForm {
    /// The owner.
    pub owner: SignedIn,
    /// What the form holds, without its token.
    pub fields: Fields,
}

impl FromRequest<App> for OwnersForm {
    type Rejection = Response;

    async fn from_request(request: Request, app: &App) -> Result<Self, Response> {
        Self::admit(request, app).await.map_err(|problem| page::problem(None, &problem))
    }
}

impl OwnersForm {
    async fn admit(request: Request, app: &App) -> Result<Self, Problem> {
        let (parts, body) = request.into_parts();
        same_origin(&parts.headers)?;
        let owner = signed_in(&parts.headers, app, true)?;
        let bytes = match Limited::new(body, BODY_BYTES_MAX).collect().await {
            Ok(collected) => collected.to_bytes(),
            Err(error) if error.is::<LengthLimitError>() => {
                return Err(Problem::new(StatusCode::PAYLOAD_TOO_LARGE, "body_too_large", "a form may hold at most 64 KiB"));
            }
            Err(_) => return Err(Problem::malformed("the form ended early")),
        };
        let mut fields = Fields::read(&parts.headers, &bytes)?;
        let token = fields.take("form_token").unwrap_or_default();
        if !bool::from(token.as_bytes().ct_eq(owner.form_token().as_bytes())) {
            return Err(Problem::new(
                StatusCode::FORBIDDEN,
                "form_token_invalid",
                "this form was not written for your session; load the page again",
            ));
        }
        Ok(Self { owner, fields })
    }
}

fn signed_in(headers: &HeaderMap, app: &App, touch: bool) -> Result<SignedIn, Problem> {
    let found = cookie(headers).and_then(|secret| app.console.find(secret, touch));
    found.ok_or_else(|| {
        Problem::new(StatusCode::UNAUTHORIZED, "not_signed_in", "open the sign-in link that `hallpass serve` prints when it starts")
    })
}

/// The session's secret. Two cookies of the name are as good as none: the second one may have been
/// planted by another program on this host.
pub(super) fn cookie(headers: &HeaderMap) -> Option<&str> {
    let texts = headers.get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok());
    let mut found =
        texts.flat_map(|text| text.split(';')).filter_map(|pair| pair.trim().split_once('=')).filter(|(name, _)| *name == COOKIE);
    match (found.next(), found.next()) {
        (Some((_, secret)), None) => Some(secret),
        _ => None,
    }
}

/// The cookie to set: a secret, or none to remove it.
///
/// It is `Secure` unless this request came to a loopback name, where no network is crossed. So
/// beyond loopback the console works behind TLS only, and a plain address fails closed.
pub(super) fn set_cookie(headers: &HeaderMap, secret: Option<&str>) -> HeaderValue {
    let secure = if is_loopback(host(headers)) { "" } else { "; Secure" };
    let (secret, age) = secret.map_or(("", 0), |secret| (secret, SESSION_SECS_MAX));
    let text = format!("{COOKIE}={secret}; HttpOnly; SameSite=Strict; Path=/console; Max-Age={age}{secure}");
    // The secret is ours and URL-safe, so this never fails; an empty value would only sign out.
    HeaderValue::try_from(text).unwrap_or(HeaderValue::from_static(""))
}

/// Refuses what another page sent. `Origin` must be this very host; where a browser leaves it out,
/// its own word that the request is of the same origin is needed. Either way nothing may say that
/// the request comes from elsewhere.
pub(super) fn same_origin(headers: &HeaderMap) -> Result<(), Problem> {
    let site = match one(headers, &SEC_FETCH_SITE) {
        Ok(site) => site,
        Err(Repeated) => return Err(foreign()),
    };
    if site.is_some_and(|site| site != "same-origin") {
        return Err(foreign());
    }
    match one(headers, &header::ORIGIN) {
        Ok(Some(origin)) if is_own(origin, host(headers)) => Ok(()),
        Ok(None) if site.is_some() => Ok(()),
        _ => Err(foreign()),
    }
}

fn foreign() -> Problem {
    Problem::new(StatusCode::FORBIDDEN, "foreign_form", "only the console's own pages may send this; open the console and answer there")
}

/// Plain HTTP is an origin of ours on loopback names only; elsewhere a network could forge it.
fn is_own(origin: &str, host: &str) -> bool {
    if host.is_empty() {
        return false;
    }
    match origin.split_once("://") {
        Some(("https", authority)) => authority == host,
        Some(("http", authority)) => authority == host && is_loopback(host),
        _ => false,
    }
}

struct Repeated;

fn one<'h>(headers: &'h HeaderMap, name: &HeaderName) -> Result<Option<&'h str>, Repeated> {
    let mut values = headers.get_all(name).iter();
    match (values.next(), values.next()) {
        (None, _) => Ok(None),
        (Some(value), None) => value.to_str().map(Some).map_err(|_| Repeated),
        (Some(_), Some(_)) => Err(Repeated),
    }
}

/// The `Host` header, which the outermost layer has checked; empty when it cannot be read.
fn host(headers: &HeaderMap) -> &str {
    one(headers, &header::HOST).ok().flatten().unwrap_or_default()
}

fn is_loopback(host: &str) -> bool {
    let Ok(url) = Url::parse(&format!("http://{host}/")) else { return false };
    match url.host() {
        Some(Host::Ipv4(address)) => address.is_loopback(),
        Some(Host::Ipv6(address)) => address.is_loopback(),
        Some(Host::Domain(name)) => name == "localhost",
        None => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(pairs: &[(&'static str, &'static str)]) -> HeaderMap {
        pairs.iter().map(|(name, value)| (HeaderName::from_static(name), HeaderValue::from_static(value))).fold(
            HeaderMap::new(),
            |mut map, (name, value)| {
                map.append(name, value);
                map
            },
        )
    }

    /// UI-1, threat G3: each refusal beside the nearest request that passes.
    #[test]
    fn forms_come_from_our_own_pages() {
        let host = ("host", "127.0.0.1:8080");
        let cases = [
            (vec![host, ("origin", "http://127.0.0.1:8080")], true),
            (vec![host, ("origin", "http://127.0.0.1:8081")], false),
            (vec![host, ("origin", "http://127.0.0.1:8080.example.com")], false),
            (vec![host, ("origin", "null")], false),
            (vec![host, ("origin", "null"), ("sec-fetch-site", "same-origin")], false),
            (vec![host], false),
            (vec![host, ("sec-fetch-site", "same-origin")], true),
            (vec![host, ("sec-fetch-site", "same-site")], false),
            (vec![host, ("sec-fetch-site", "none")], false),
            (vec![host, ("origin", "http://127.0.0.1:8080"), ("sec-fetch-site", "cross-site")], false),
            (vec![host, ("origin", "http://127.0.0.1:8080"), ("origin", "http://example.com")], false),
            (vec![("host", "console.example.com"), ("origin", "https://console.example.com")], true),
            (vec![("host", "console.example.com"), ("origin", "http://console.example.com")], false),
        ];
        for (pairs, passes) in cases {
            assert_eq!(same_origin(&headers(&pairs)).is_ok(), passes, "{pairs:?}");
        }
    }

    /// UI-1: the cookie is told to stay here, and is sent in the clear on loopback only.
    #[test]
    fn cookies_stay_here() {
        let local = set_cookie(&headers(&[("host", "localhost:8080")]), Some("s"));
        assert_eq!(local, "hallpass_session=s; HttpOnly; SameSite=Strict; Path=/console; Max-Age=43200");
        let public = set_cookie(&headers(&[("host", "console.example.com")]), Some("s"));
        assert!(public.to_str().unwrap().ends_with("; Secure"));
    }

    /// UI-1: one cookie counts, two do not.
    #[test]
    fn planted_cookies_do_not_count() {
        assert_eq!(cookie(&headers(&[("cookie", "a=1; hallpass_session=s; b=2")])), Some("s"));
        assert_eq!(cookie(&headers(&[("cookie", "hallpass_session=s"), ("cookie", "hallpass_session=t")])), None);
        assert_eq!(cookie(&headers(&[("cookie", "xhallpass_session=s")])), None);
    }
}
