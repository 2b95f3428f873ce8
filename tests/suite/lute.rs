//! A real site that nobody here wrote: a chapter read in Lute under one card.

use hallpass_tests::deployment::{Chat, Replied, number, text};
use hallpass_tests::lute::Lute;
use hallpass_tests::served::Served;
use reqwest::StatusCode;
use serde_json::{Value, json};

/// The newest observation's elements, with its revision.
async fn elements(chat: &Chat) -> (String, Vec<Value>) {
    let seen = chat.observe().await;
    let elements = seen.result.pointer("/result/observation/elements").and_then(Value::as_array).cloned();
    (seen.revision, elements.expect("elements"))
}

/// Acts on the element of a name and gives the proposal's answer.
async fn act(chat: &Chat, name: &str, action: Value) -> Replied {
    let (revision, elements) = elements(chat).await;
    let element = elements.iter().find(|entry| entry["name"] == name && entry["ref"].is_string());
    let element = text(element.unwrap_or_else(|| panic!("`{name}` is not on the page: {elements:?}")), "ref");
    chat.propose("browser.act", json!({"revision": revision, "element_ref": element, "action": action})).await
}

async fn click(chat: &Chat, name: &str) -> Replied {
    act(chat, name, json!({"kind": "click"})).await
}

/// The page number that Lute shows, such as `2/5`.
async fn page_number(chat: &Chat) -> String {
    let (_, elements) = elements(chat).await;
    let shown = elements.iter().filter_map(|entry| entry["name"].as_str()).find(|name| name.ends_with("/5") && name.len() == 3);
    shown.unwrap_or_else(|| panic!("no page number: {elements:?}")).to_owned()
}

async fn go(chat: &Chat, url: String) {
    let opened = chat.done("browser.navigate", json!({"url": url})).await;
    assert_eq!(text(&opened, "outcome"), "completed", "{opened}");
}

/// Sees a card, sees why, and denies.
async fn must_ask(chat: &Chat, name: &str, why: &str) {
    let (call, approval) = chat.asks(click(chat, name).await).await;
    let reasons = approval["reasons"].as_array().expect("reasons");
    assert!(reasons.iter().any(|reason| reason == why), "`{name}`: {approval}");
    let _ = chat.resolve(&approval, json!({"resolution": "deny"})).await.expect(StatusCode::OK);
    assert_eq!(text(&chat.finished(&call).await, "code"), "tool.approval_denied");
}

/// One card for the reading pages; gives the grant.
async fn allow_reading(chat: &Chat, origin: &str) -> String {
    let (call, approval) = chat.asks(click(chat, "▶").await).await;
    let offer = &approval["offer"];
    assert_eq!((text(offer, "origin").as_str(), text(offer, "path_prefix").as_str()), (origin, "/read"));
    let grant = text(&chat.allow_task(&approval).await.expect(StatusCode::OK), "task_grant_id");
    assert_eq!(text(&chat.finished(&call).await, "outcome"), "completed");
    grant
}

/// COV-1, COV-5, RUN-10, OFF-6: a reader turns pages and opens a word under one card; what leaves
/// the reading pages asks, and what a script sends out of them is refused at the fence.
#[tokio::test(flavor = "multi_thread")]
async fn a_chapter_takes_one_card() {
    let lute = Lute::start().await.expect("Lute runs");
    let served = Served::start(&format!("{}/read", lute.origin())).await;
    let chat = served.chat(&lute.origin()).await;
    let book = format!("{}{}", lute.origin(), lute.tutorial());
    go(&chat, book.clone()).await;
    assert_eq!(page_number(&chat).await, "1/5");

    let grant = allow_reading(&chat, &lute.origin()).await;
    for (arrow, page) in [("▶", "3/5"), ("▶", "4/5"), ("◀", "3/5")] {
        let turned = click(&chat, arrow).await.expect(StatusCode::OK);
        assert_eq!(text(&turned, "outcome"), "completed", "{turned}");
        assert_eq!(page_number(&chat).await, page);
    }

    // A word opens by a key. Its dictionary is another site, which the fence refuses.
    let opened = act(&chat, "Term list", json!({"kind": "press", "key": "ArrowRight"})).await.expect(StatusCode::OK);
    assert!(["completed", "unknown"].contains(&text(&opened, "outcome").as_str()), "{opened}");
    assert!(lute.requests().iter().any(|request| request.contains("/read/edit_term/")), "no word was opened: {:?}", lute.requests());

    must_ask(&chat, "Keyboard shortcuts", "target_outside_prefix").await;

    // Outside the reading pages everything asks: settings, backups.
    go(&chat, format!("{}/settings/index", lute.origin())).await;
    must_ask(&chat, "Save", "page_outside_prefix").await;
    go(&chat, format!("{}/backup/index", lute.origin())).await;
    must_ask(&chat, "Create new", "page_outside_prefix").await;
    assert_eq!(lute.backups().expect("the folder"), 0);

    archive_is_out_of_reach(&chat, book).await;
    let sent = lute.requests();
    assert!(!sent.iter().any(|request| request.starts_with("POST /book/archive")), "{sent:?}");
    assert!(!sent.iter().any(|request| request.starts_with("POST") && request.contains("/settings/")), "{sent:?}");

    let used = number(&chat.grant(&grant).await, "actions_used");
    let uses = chat.events_of("tool.call.authorized").await;
    assert_eq!(u64::try_from(uses.iter().filter(|event| event["data"]["grant_id"] == grant).count()).ok(), Some(used));
    assert!(used >= 4, "{used} uses");
    served.stop().await;
}

/// The book's last page offers to archive it, by a script that posts outside the prefix: it is asked
/// for, or sent and refused at the fence.
async fn archive_is_out_of_reach(chat: &Chat, book: String) {
    go(chat, book).await;
    for _ in 0..5 {
        if page_number(chat).await != "5/5" {
            let _ = click(chat, "▶").await.expect(StatusCode::OK);
        }
    }
    let archive = click(chat, "Archive book").await;
    if archive.status == StatusCode::OK.as_u16() {
        assert_ne!(text(&archive.body, "outcome"), "completed", "{}", archive.text);
    } else {
        let (_, approval) = chat.asks(archive).await;
        let _ = chat.resolve(&approval, json!({"resolution": "deny"})).await.expect(StatusCode::OK);
    }
}
