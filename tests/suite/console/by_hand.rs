//! The owner's way through the console in a real browser.

use super::chrome::with_browser;
use super::fixture::{Act, Chat, Console};
use domain::coverage::Reason;
use domain::decide::approval::ApprovalStatus;
use domain::id::ApprovalId;
use fantoccini::elements::Element;
use fantoccini::{Client, Locator};
use std::sync::Arc;
use std::time::Duration;

/// Longest wait for anything that the page should come to show.
const PATIENCE: Duration = Duration::from_secs(30);

async fn find(client: &Client, css: &str) -> Element {
    client.wait().at_most(PATIENCE).for_element(Locator::Css(css)).await.unwrap_or_else(|error| panic!("`{css}`: {error}"))
}

async fn find_words(client: &Client, xpath: &str) -> Element {
    client.wait().at_most(PATIENCE).for_element(Locator::XPath(xpath)).await.unwrap_or_else(|error| panic!("`{xpath}`: {error}"))
}

async fn press(client: &Client, label: &str) {
    find_words(client, &format!("//main//button[not(@disabled)][.='{label}']")).await.click().await.unwrap();
}

/// Waits for a fact of the log that a press in the browser leads to.
async fn wait_for_status(console: &Console, approval: ApprovalId, status: ApprovalStatus) {
    let mut commits = console.app().log.commits();
    let reached = async {
        while console.status(approval).await != status {
            commits.changed().await.unwrap();
        }
    };
    tokio::time::timeout(PATIENCE, reached).await.unwrap_or_else(|_| panic!("the approval did not become {status:?}"));
}

/// UI-1, OFF-2, GRA-10, threat J3: the owner signs in by the link, allows a task, sees the banner
/// count down without loading the page again, denies a card by the keyboard, and stops the
/// permission. A new card cannot be allowed at once and moves no button.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_owner_allows_a_task_and_stops_it() {
    let console = Arc::new(Console::start().await);
    let chat = console.chat().await;
    let walked = Arc::clone(&console);
    with_browser(move |client| walk(client, walked, chat)).await;
    Arc::into_inner(console).expect("the walk is over").stop().await;
}

async fn walk(client: Client, console: Arc<Console>, chat: Chat) {
    let first = console.ask(chat, &Act::click("Continue"), &[]).await;
    sign_in(&client, &console).await;
    let card = find(&client, "article.card").await.text().await.unwrap();
    assert!(card.contains("Click a button on www.example.com/lesson/3") && card.contains("“Continue”"), "{card}");
    press(&client, "Allow for this task").await;
    find_words(&client, "//strong[@data-live='actions'][.='200']").await;
    wait_for_status(&console, first, ApprovalStatus::Approved).await;
    assert_eq!(console.grants().await.len(), 1);
    assert_fits(&client).await;
    let second = watch_it_run(&client, &console, chat).await;
    find_words(&client, "//main//button[.='Deny']").await.send_keys("\u{e007}").await.unwrap();
    wait_for_status(&console, second, ApprovalStatus::Denied).await;
    find(&client, "#cards .nothing").await;
    find(&client, ".strip button.stop").await.click().await.unwrap();
    find_words(&client, "//aside//p[.='No permission is running.']").await;
    assert_eq!(console.grants().await[0].end_reason.as_deref(), Some("revoked"));
    assert_nothing_missing(&client).await;
}

async fn sign_in(client: &Client, console: &Console) {
    client.goto(&format!("{}{}", console.origin(), console.link("o1"))).await.unwrap();
    press(client, "Sign in").await;
    find(client, "#cards").await;
    assert_eq!(client.current_url().await.unwrap().path(), "/console");
    let radius = find(client, ".card").await.css_value("border-top-left-radius").await.unwrap();
    assert_eq!(radius, "8px", "the style sheet is not applied");
}

/// What happens while the owner only looks.
async fn watch_it_run(client: &Client, console: &Console, chat: Chat) -> ApprovalId {
    let stop = find(client, ".strip button.stop").await;
    let place = stop.rectangle().await.unwrap();
    console.act(chat, &Act::click("Check"), &[]).await;
    find_words(client, "//strong[@data-live='actions'][.='199']").await;
    find_words(client, "//li[contains(., 'Allowed by task permission')]").await;
    let watch = "window.inert = []; new MutationObserver((changes) => {
        for (const button of document.querySelectorAll('.card button.approve')) window.inert.push(button.disabled);
    }).observe(document.getElementById('cards'), {childList: true});";
    client.execute(watch, Vec::new()).await.unwrap();
    let approval = console.ask(chat, &Act::click("Get 20 gems"), &[Reason::ConsequenceNamed]).await;
    find(client, &format!("article[data-key='{approval}']")).await;
    let inert = client.execute("return window.inert;", Vec::new()).await.unwrap();
    let inert = inert.as_array().unwrap();
    assert!(!inert.is_empty() && inert.iter().all(|disabled| disabled == true), "{inert:?}");
    find(client, "article.card button.approve:enabled").await;
    assert_eq!(stop.rectangle().await.unwrap(), place, "a new card moved the Stop button");
    approval
}

/// Wide or as narrow as a phone, nothing covers Stop and nothing has to be scrolled sideways.
async fn assert_fits(client: &Client) {
    let fits = "const stop = document.querySelector('.strip button.stop');
        const box = stop.getBoundingClientRect();
        const hit = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
        return [hit === stop, document.documentElement.scrollWidth <= document.documentElement.clientWidth];";
    for width in [390, 1200] {
        client.set_window_size(width, 844).await.unwrap();
        assert_eq!(client.execute(fits, Vec::new()).await.unwrap(), serde_json::json!([true, true]), "{width} pixels wide");
    }
}

/// Everything that the page asks for is there.
async fn assert_nothing_missing(client: &Client) {
    let missing = "return performance.getEntriesByType('resource').filter((e) => e.responseStatus !== 200).map((e) => e.name);";
    let missing = client.execute(missing, Vec::new()).await.unwrap();
    assert_eq!(missing.as_array().map(Vec::len), Some(0), "{missing}");
}
