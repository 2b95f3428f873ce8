//! Signing in, staying signed in, and what is shown to nobody else.

use super::fixture::{Act, Console, Cookie, Request, location};
use api::scopes::Holder;
use api::tokens::{self, NewToken};
use reqwest::StatusCode;
use reqwest::header::SET_COOKIE;

/// UI-1: looking at the link leaves it good; pressing the button uses it up.
#[tokio::test]
async fn a_link_signs_in_once() {
    let console = Console::start().await;
    let link = console.link("o1");
    for _ in 0..2 {
        let looked = console.send(Request::get(&link)).await;
        assert_eq!(looked.status(), StatusCode::OK);
        assert!(looked.headers().get(SET_COOKIE).is_none());
        assert!(looked.text().await.unwrap().contains("Sign in</button>"));
    }
    let used = console.send(Request::post(&link).from(&console.origin())).await;
    assert_eq!((used.status(), location(&used)), (StatusCode::SEE_OTHER, "/console"));
    let cookie = used.headers()[SET_COOKIE].to_str().unwrap();
    assert!(cookie.starts_with("hallpass_session=") && cookie.contains("; HttpOnly; SameSite=Strict; Path=/console;"), "{cookie}");
    let again = console.send(Request::post(&link).from(&console.origin())).await;
    assert_eq!(again.status(), StatusCode::FORBIDDEN);
    assert!(again.headers().get(SET_COOKIE).is_none());
    console.stop().await;
}

/// UI-1, threat G3: another page cannot sign this browser in, and its try does not use the link up.
#[tokio::test]
async fn another_page_cannot_use_a_link() {
    let console = Console::start().await;
    let link = console.link("o1");
    let foreign = [Request::post(&link), Request::post(&link).from("http://example.com"), Request::post(&link).from("null")];
    for request in foreign {
        let refused = console.send(request).await;
        assert_eq!(refused.status(), StatusCode::FORBIDDEN);
        assert!(refused.headers().get(SET_COOKIE).is_none());
    }
    let own = console.send(Request::post(&link).from(&console.origin())).await;
    assert_eq!(own.status(), StatusCode::SEE_OTHER);
    console.stop().await;
}

/// UI-1: a made-up link looks like any other and signs nobody in.
#[tokio::test]
async fn made_up_links_say_nothing() {
    let console = Console::start().await;
    let (good, made_up) = (console.link("o1"), format!("/console/sign-in/{}", "A".repeat(43)));
    let mut pages = Vec::new();
    for link in [&good, &made_up] {
        pages.push(console.send(Request::get(link)).await.text().await.unwrap());
    }
    assert_eq!(pages[0], pages[1]);
    let refused = console.send(Request::post(&made_up).from(&console.origin())).await;
    assert_eq!(refused.status(), StatusCode::FORBIDDEN);
    console.stop().await;
}

/// UI-1, API-2: without the cookie, or with another one, nothing is shown.
#[tokio::test]
async fn pages_are_for_the_signed_in_owner() {
    let console = Console::start().await;
    let chat = console.chat().await;
    console.ask(chat, &Act::click("Continue"), &[]).await;
    let cookie = console.sign_in().await;
    for path in ["/console", "/console/part"] {
        let (status, page) = console.get(path, &cookie).await;
        assert!(status == StatusCode::OK && page.contains("Continue"), "{path}");
        for request in [Request::get(path), Request::get(path).with(&Cookie("hallpass_session=made-up".to_owned()))] {
            let refused = console.send(request).await;
            assert_eq!(refused.status(), StatusCode::UNAUTHORIZED, "{path}");
            assert!(!refused.text().await.unwrap().contains("Continue"));
        }
    }
    let (_, page) = console.get("/console", &console.sign_in_as("o2").await).await;
    assert!(page.contains("Nothing waits for you.") && !page.contains("Continue"), "another owner's page");
    console.stop().await;
}

/// OFF-3, threat G1: a token, whatever its scopes, opens no page.
#[tokio::test]
async fn tokens_do_not_open_the_console() {
    let console = Console::start().await;
    for (holder, scopes) in [(Holder::Agent, vec![api::scopes::Scope::ToolCall]), (Holder::Owner, api::scopes::Scope::CONSOLE.to_vec())] {
        let new = NewToken { tenant: console.tenant.clone(), principal: console.owner.clone(), name: "t".to_owned(), holder, scopes };
        let (_, secret) = tokens::create(&console.app().log, &new).await.unwrap();
        let bearer = format!("Bearer {secret}");
        let opened = console.send(Request::get("/console").header("authorization", &bearer)).await;
        assert_eq!(opened.status(), StatusCode::UNAUTHORIZED);
        let as_cookie = console.send(Request::get("/console").with(&Cookie(format!("hallpass_session={secret}")))).await;
        assert_eq!(as_cookie.status(), StatusCode::UNAUTHORIZED);
    }
    console.stop().await;
}

/// UI-1: signing out ends the session at the server, not only in the browser.
#[tokio::test]
async fn signing_out_ends_the_session() {
    let console = Console::start().await;
    let cookie = console.sign_in().await;
    let foreign = console.send(Request::post("/console/sign-out").with(&cookie).from("http://example.com")).await;
    assert_eq!(foreign.status(), StatusCode::FORBIDDEN);
    assert_eq!(console.get("/console", &cookie).await.0, StatusCode::OK);
    let out = console.answer(&cookie, "/console/sign-out", &[]).await;
    assert!(out.headers()[SET_COOKIE].to_str().unwrap().contains("Max-Age=0"));
    assert_eq!(console.get("/console", &cookie).await.0, StatusCode::UNAUTHORIZED);
    console.stop().await;
}

/// Threat G4: an address that leads here under another name is not answered.
#[tokio::test]
async fn other_names_are_not_answered() {
    let console = Console::start().await;
    let cookie = console.sign_in().await;
    let rebound = console.send(Request::get("/console").with(&cookie).header("host", "rebound.example.com")).await;
    assert_eq!(rebound.status(), StatusCode::MISDIRECTED_REQUEST);
    assert_eq!(console.get("/console", &cookie).await.0, StatusCode::OK);
    console.stop().await;
}
