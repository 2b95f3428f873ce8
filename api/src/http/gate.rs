//! What every API request passes, in this order: the token, its right to the route, the size of
//! the body, and, for commands, whether the command was answered before. The body of a caller
//! without the right is never read.

use super::idempotency::{self, Command};
use super::{BODY_BYTES_MAX, rights};
use crate::app::App;
use crate::problem::Problem;
use crate::tokens;
use axum::body::{Body, Bytes};
use axum::extract::{MatchedPath, Request, State};
use axum::http::{Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use http_body_util::{BodyExt, Limited};

/// The middleware.
pub(super) async fn pass(State(app): State<App>, request: Request, next: Next) -> Response {
    match admit(&app, request, next).await {
        Ok(response) => private(response),
        Err(problem) => private(problem.into_response()),
    }
}

async fn admit(app: &App, mut request: Request, next: Next) -> Result<Response, Problem> {
    let secret = secret(&request)?;
    let caller = tokens::caller(&mut app.log.reader().await?.connection(), &secret).await?.ok_or_else(Problem::unauthorized)?;
    let route = request.extensions().get::<MatchedPath>().map(|path| path.as_str().to_owned());
    let needed = route.as_deref().and_then(|route| rights::needed(request.method(), route));
    let Some(needed) = needed else {
        let problem = Problem::new(StatusCode::METHOD_NOT_ALLOWED, "method_not_allowed", "this route does not take this method");
        let allowed = header::HeaderValue::try_from(rights::methods(&route.unwrap_or_default()));
        let mut response = problem.into_response();
        response.headers_mut().extend(allowed.map(|allowed| (header::ALLOW, allowed)));
        return Ok(response);
    };
    if !needed.iter().any(|scope| caller.may(*scope)) {
        return Err(Problem::scope_missing(needed.first().map_or("", |scope| scope.as_str())));
    }
    request.extensions_mut().insert(caller.clone());
    if matches!(*request.method(), Method::GET | Method::HEAD) {
        return Ok(next.run(request).await);
    }
    let (parts, body) = request.into_parts();
    let bytes = read(body).await?;
    let command = Command::of(&caller, &secret, &parts, &bytes)?;
    if let Some(answer) = idempotency::earlier_answer(app, &caller, &command).await? {
        return Ok(answer);
    }
    let mut request = Request::from_parts(parts, Body::from(bytes));
    request.extensions_mut().insert(command.id);
    let response = next.run(request).await;
    idempotency::keep(app, &caller, &command, response).await
}

fn secret(request: &Request) -> Result<String, Problem> {
    let mut headers = request.headers().get_all(header::AUTHORIZATION).iter();
    let (Some(value), None) = (headers.next(), headers.next()) else { return Err(Problem::unauthorized()) };
    // The name of a scheme has no case (RFC 9110, section 11.1).
    let secret = value.to_str().ok().and_then(|value| value.split_once(' ')).filter(|(scheme, _)| scheme.eq_ignore_ascii_case("Bearer"));
    secret.map(|(_, secret)| secret.to_owned()).ok_or_else(Problem::unauthorized)
}

async fn read(body: Body) -> Result<Bytes, Problem> {
    match Limited::new(body, BODY_BYTES_MAX).collect().await {
        Ok(collected) => Ok(collected.to_bytes()),
        Err(error) if error.is::<http_body_util::LengthLimitError>() => {
            Err(Problem::new(StatusCode::PAYLOAD_TOO_LARGE, "body_too_large", "a request body may hold at most 64 KiB"))
        }
        Err(_) => Err(Problem::malformed("the request body ended early")),
    }
}

/// No cache may keep an answer, and no browser may guess its type.
fn private(mut response: Response) -> Response {
    let headers = response.headers_mut();
    headers.insert(header::CACHE_CONTROL, header::HeaderValue::from_static("no-store"));
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, header::HeaderValue::from_static("nosniff"));
    response
}
