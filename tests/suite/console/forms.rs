//! Answers over HTTP: what is refused, beside the nearest one that is taken.

use super::fixture::{Act, Console, ORIGIN_OF_SITE, Request, location};
use domain::decide::approval::ApprovalStatus;
use reqwest::StatusCode;

const ONCE: (&str, &str) = ("resolution", "approve_once");
const FOR_TASK: [(&str, &str); 3] = [("resolution", "approve_for_task"), ("origin", ORIGIN_OF_SITE), ("path_prefix", "/lesson")];

/// UI-1, OFF-3, threat G3: an answer needs the cookie, an own page as its sender, and that page's
/// token; each one alone missing or foreign leaves the question open.
#[tokio::test]
async fn only_own_pages_answer() {
    let console = Console::start().await;
    let chat = console.chat().await;
    let approval = console.ask(chat, &Act::click("Continue"), &[]).await;
    let path = format!("/console/approvals/{approval}/resolve");
    let (cookie, own) = (console.sign_in().await, console.origin());
    let token = console.form_token(&cookie).await;
    let other_sessions_token = console.form_token(&console.sign_in().await).await;
    let form = || Request::post(&path).field(ONCE.0, ONCE.1);
    let refused = [
        (form().from(&own).field("form_token", &token), StatusCode::UNAUTHORIZED),
        (form().with(&cookie).field("form_token", &token), StatusCode::FORBIDDEN),
        (form().with(&cookie).field("form_token", &token).from("http://example.com"), StatusCode::FORBIDDEN),
        (form().with(&cookie).field("form_token", &token).from("null"), StatusCode::FORBIDDEN),
        (form().with(&cookie).field("form_token", &token).header("sec-fetch-site", "cross-site"), StatusCode::FORBIDDEN),
        (form().with(&cookie).field("form_token", &token).from(&own).header("sec-fetch-site", "same-site"), StatusCode::FORBIDDEN),
        (form().with(&cookie).from(&own), StatusCode::FORBIDDEN),
        (form().with(&cookie).from(&own).field("form_token", ""), StatusCode::FORBIDDEN),
        (form().with(&cookie).from(&own).field("form_token", &other_sessions_token), StatusCode::FORBIDDEN),
        (form().with(&cookie).from(&own).field("form_token", &token).content_type("text/plain"), StatusCode::UNSUPPORTED_MEDIA_TYPE),
        (form().with(&cookie).from(&own).field("form_token", &token).field("surplus", "1"), StatusCode::BAD_REQUEST),
        (form().with(&cookie).from(&own).field("form_token", &token).field("resolution", "deny"), StatusCode::BAD_REQUEST),
    ];
    for (number, (request, status)) in refused.into_iter().enumerate() {
        assert_eq!(console.send(request).await.status(), status, "request {number}");
        assert_eq!(console.status(approval).await, ApprovalStatus::Pending, "request {number}");
    }
    let taken = console.send(form().with(&cookie).from(&own).field("form_token", &token)).await;
    assert_eq!((taken.status(), location(&taken)), (StatusCode::SEE_OTHER, "/console"));
    assert_eq!(console.status(approval).await, ApprovalStatus::Approved);
    console.stop().await;
}

/// UI-1: a browser that leaves `Origin` out says by `Sec-Fetch-Site` where the form comes from.
#[tokio::test]
async fn a_missing_origin_needs_the_browsers_word() {
    let console = Console::start().await;
    let chat = console.chat().await;
    let approval = console.ask(chat, &Act::click("Continue"), &[]).await;
    let (path, cookie) = (format!("/console/approvals/{approval}/resolve"), console.sign_in().await);
    let token = console.form_token(&cookie).await;
    let form = Request::post(&path).with(&cookie).field("form_token", &token).field("resolution", "deny");
    assert_eq!(console.send(form.header("sec-fetch-site", "same-origin")).await.status(), StatusCode::SEE_OTHER);
    assert_eq!(console.status(approval).await, ApprovalStatus::Denied);
    console.stop().await;
}

/// UI-1: 64 KiB of form, not a byte more.
#[tokio::test]
async fn forms_are_bounded() {
    let console = Console::start().await;
    let chat = console.chat().await;
    let approval = console.ask(chat, &Act::click("Continue"), &[]).await;
    let (path, cookie) = (format!("/console/approvals/{approval}/resolve"), console.sign_in().await);
    let token = console.form_token(&cookie).await;
    // What the names and the other fields take.
    let around = format!("form_token={token}&resolution=x&origin=").len();
    for (length, status) in [(64 * 1024 - around, StatusCode::BAD_REQUEST), (64 * 1024 - around + 1, StatusCode::PAYLOAD_TOO_LARGE)] {
        let form = Request::post(&path).with(&cookie).from(&console.origin()).field("form_token", &token);
        let form = form.field("resolution", "x").field("origin", &"a".repeat(length));
        assert_eq!(console.send(form).await.status(), status, "{length}");
    }
    console.stop().await;
}

/// OFF-5: an answer that does not repeat the offer says so and leaves the question open, so that
/// "Allow once" still works.
#[tokio::test]
async fn a_wrong_offer_leaves_the_question_open() {
    let console = Console::start().await;
    let chat = console.chat().await;
    let approval = console.ask(chat, &Act::click("Continue"), &[]).await;
    let (path, cookie) = (format!("/console/approvals/{approval}/resolve"), console.sign_in().await);
    for changed in [("origin", "https://example.com"), ("path_prefix", "/")] {
        let fields: Vec<_> = FOR_TASK.into_iter().map(|field| if field.0 == changed.0 { changed } else { field }).collect();
        let refused = console.answer(&cookie, &path, &fields).await;
        assert_eq!(refused.status(), StatusCode::CONFLICT, "{changed:?}");
        let page = refused.text().await.unwrap();
        assert!(page.contains("The question is still open") && page.contains("href=\"/console\""), "{page}");
        assert_eq!(console.status(approval).await, ApprovalStatus::Pending);
    }
    assert!(console.grants().await.is_empty());
    assert_eq!(console.answer(&cookie, &path, &[ONCE]).await.status(), StatusCode::SEE_OTHER);
    assert_eq!(console.status(approval).await, ApprovalStatus::Approved);
    assert!(console.grants().await.is_empty());
    console.stop().await;
}

/// OFF-2, APR-5, threat J3: the same form twice is one answer and one grant; another answer to the
/// same question is refused.
#[tokio::test]
async fn a_double_press_counts_once() {
    let console = Console::start().await;
    let chat = console.chat().await;
    let approval = console.ask(chat, &Act::click("Continue"), &[]).await;
    let (path, cookie) = (format!("/console/approvals/{approval}/resolve"), console.sign_in().await);
    let (first, second) = tokio::join!(console.answer(&cookie, &path, &FOR_TASK), console.answer(&cookie, &path, &FOR_TASK));
    assert_eq!((first.status(), second.status()), (StatusCode::SEE_OTHER, StatusCode::SEE_OTHER));
    assert_eq!(console.events("approval.resolved").await.len(), 1);
    assert_eq!(console.grants().await.len(), 1);
    let other = console.answer(&cookie, &path, &[("resolution", "deny")]).await;
    assert_eq!(other.status(), StatusCode::CONFLICT);
    assert!(other.text().await.unwrap().contains("The first answer stands."));
    assert_eq!(console.status(approval).await, ApprovalStatus::Approved);
    console.stop().await;
}

/// API-2: another owner's question and permission look like ones that do not exist.
#[tokio::test]
async fn foreign_and_missing_look_the_same() {
    let console = Console::start().await;
    let chat = console.chat().await;
    let approval = console.ask(chat, &Act::click("Continue"), &[]).await;
    let owner = console.sign_in().await;
    console.answer(&owner, &format!("/console/approvals/{approval}/resolve"), &FOR_TASK).await;
    let grant = console.grants().await[0].task_grant;
    let pending = console.ask(chat, &Act::click("Buy"), &[domain::coverage::Reason::ConsequenceNamed]).await;
    let stranger = console.sign_in_as("o2").await;
    let missing = "00000000-0000-4000-8000-000000000000";
    let once: &[(&str, &str)] = &[ONCE];
    let pairs = [
        (format!("approvals/{pending}/resolve"), format!("approvals/{missing}/resolve"), once),
        (format!("grants/{grant}/stop"), format!("grants/{missing}/stop"), &[]),
    ];
    for (foreign, missing, fields) in pairs {
        let foreign = console.answer(&stranger, &format!("/console/{foreign}"), fields).await;
        let missing = console.answer(&stranger, &format!("/console/{missing}"), fields).await;
        assert_eq!((foreign.status(), missing.status()), (StatusCode::NOT_FOUND, StatusCode::NOT_FOUND));
        assert_eq!(foreign.text().await.unwrap(), missing.text().await.unwrap());
    }
    assert_eq!(console.status(pending).await, ApprovalStatus::Pending);
    assert_eq!(console.grants().await[0].status, "active");
    assert_eq!(console.answer(&owner, &format!("/console/approvals/{pending}/resolve"), &[ONCE]).await.status(), StatusCode::SEE_OTHER);
    console.stop().await;
}

/// GRA-10: Stop ends the permission; stopping again changes nothing. Another page cannot stop it.
#[tokio::test]
async fn stop_ends_the_permission() {
    let console = Console::start().await;
    let chat = console.chat().await;
    let approval = console.ask(chat, &Act::click("Continue"), &[]).await;
    let cookie = console.sign_in().await;
    console.answer(&cookie, &format!("/console/approvals/{approval}/resolve"), &FOR_TASK).await;
    let grant = console.grants().await[0].task_grant;
    let path = format!("/console/grants/{grant}/stop");
    let token = console.form_token(&cookie).await;
    let foreign = Request::post(&path).with(&cookie).field("form_token", &token).from("http://example.com");
    assert_eq!(console.send(foreign).await.status(), StatusCode::FORBIDDEN);
    assert_eq!(console.grants().await[0].status, "active");
    for _ in 0..2 {
        assert_eq!(console.answer(&cookie, &path, &[]).await.status(), StatusCode::SEE_OTHER);
    }
    assert_eq!(console.grants().await[0].end_reason.as_deref(), Some("revoked"));
    assert_eq!(console.events("browser.task_grant.ended").await.len(), 1);
    console.stop().await;
}
