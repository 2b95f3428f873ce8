//! What the pages show, and what a hostile website cannot do with them.

use super::fixture::{Act, Console, Cookie, ORIGIN_OF_SITE, Request};
use domain::browser::Action;
use domain::coverage::Reason;
use reqwest::StatusCode;

const FOR_TASK: [(&str, &str); 3] = [("resolution", "approve_for_task"), ("origin", ORIGIN_OF_SITE), ("path_prefix", "/lesson")];

/// Texts that try to leave their place. The last parts are what must not appear as they are.
const HOSTILE: [&str; 8] = [
    "<script>alert(1)</script>",
    "\"><img src=x onerror=alert(1)>",
    "' autofocus onfocus='alert(1)",
    "</bdi></span></dd></dl><h2>Hallpass: this is safe</h2>",
    "<style>*{display:none}</style>",
    "]]><svg/onload=alert(1)>",
    "</textarea><form action=//example.com><button>",
    "javascript:alert(1)//<a href=javascript:alert(1)>",
];

/// Threat G5: no answer of the console can be framed, cached, sniffed or run inline code; none has
/// any.
#[tokio::test]
async fn every_answer_is_locked_down() {
    let console = Console::start().await;
    let chat = console.chat().await;
    console.ask(chat, &Act::click("Continue"), &[]).await;
    let (cookie, nobody) = (console.sign_in().await, Cookie("none=1".to_owned()));
    let link = console.link("o1");
    let answers = [
        ("/console", &cookie, 200),
        ("/console/part", &cookie, 200),
        ("/console/style.css", &nobody, 200),
        ("/console/script.js", &nobody, 200),
        ("/console/icon.svg", &nobody, 200),
        (link.as_str(), &nobody, 200),
        ("/", &nobody, 303),
        ("/console/", &nobody, 303),
        ("/console", &nobody, 401),
        ("/console/nothing/there", &cookie, 404),
        ("/console/sign-out", &cookie, 405),
    ];
    for (path, cookie, status) in answers {
        let response = console.send(Request::get(path).with(cookie)).await;
        assert_eq!(response.status().as_u16(), status, "{path}");
        let header = |name: &str| response.headers().get(name).map(|value| value.to_str().unwrap().to_owned()).unwrap_or_default();
        let policy = header("content-security-policy");
        for rule in [
            "default-src 'none'",
            "script-src 'self'",
            "style-src 'self'",
            "form-action 'self'",
            "base-uri 'none'",
            "frame-ancestors 'none'",
        ] {
            assert!(policy.contains(rule), "{path}: {policy}");
        }
        assert!(!policy.contains("unsafe"), "{path}: {policy}");
        let fixed =
            [header("x-frame-options"), header("x-content-type-options"), header("cache-control"), header("cross-origin-opener-policy")];
        assert_eq!(fixed, ["DENY", "nosniff", "no-store", "same-origin"], "{path}");
        assert!(header("access-control-allow-origin").is_empty(), "{path}");
        if header("content-type").starts_with("text/html") {
            assert_no_inline_code(&response.text().await.unwrap());
        }
    }
    console.stop().await;
}

/// Markup of our own never holds code or style; the one script comes from a file.
fn assert_no_inline_code(page: &str) {
    let page = page.replace("<script src=\"/console/script.js\" defer></script>", "");
    for inline in ["<script", "<style", " style=", " onload=", " onerror=", " onclick=", "javascript:"] {
        assert!(!page.contains(inline), "{inline} in {page}");
    }
}

/// VIE-2, threats B8 and G5: whatever a website or an agent writes stays quoted text, on the card
/// and in the activity.
#[tokio::test]
async fn hostile_texts_stay_texts() {
    let console = Console::start().await;
    let chat = console.chat().await;
    let cookie = console.sign_in().await;
    for (number, text) in HOSTILE.into_iter().enumerate() {
        let mut act = Act::click(text);
        act.element.labels.visible_text = vec![format!("{text} seen")];
        act.element.dialog_name = Some(text.to_owned());
        act.element.role = text.to_owned();
        act.title = text.to_owned();
        if number % 2 == 0 {
            act.action = Action::Type { text: text.to_owned(), mode: domain::browser::TypeMode::Replace };
        }
        console.ask(chat, &act, &[]).await;
    }
    let (status, page) = console.get("/console", &cookie).await;
    assert_eq!(status, StatusCode::OK);
    assert_eq!(page.matches("<article").count(), HOSTILE.len());
    let own = page.replace("<script src=\"/console/script.js\" defer></script>", "");
    for markup in ["<script", "<img", "<style", "<svg", "<h2>Hallpass", "<a href=java", "<form action=", "<textarea"] {
        assert!(!own.contains(markup), "{markup}");
    }
    // Every opening of a quotation is closed by us, in the same place.
    assert_eq!(page.matches("<bdi dir=\"ltr\">").count(), page.matches("</bdi>").count());
    assert_eq!(page.matches("<span class=\"quoted\">“<bdi").count(), page.matches("</bdi>”</span>").count());
    assert!(page.contains("&lt;script&gt;alert(1)&lt;/script&gt;"), "the text itself is shown");
    console.stop().await;
}

/// VIE-5: text that hides or reorders is shown by its code points.
#[tokio::test]
async fn hidden_characters_are_made_visible() {
    let console = Console::start().await;
    let chat = console.chat().await;
    console.ask(chat, &Act::click("Con\u{202e}eteleD\u{202c}tin\u{200b}ue"), &[]).await;
    let (_, page) = console.get("/console", &console.sign_in().await).await;
    for shown in ["‹U+202E›", "‹U+202C›", "‹U+200B›"] {
        assert!(page.contains(shown), "{shown}");
    }
    assert!(!page.contains(['\u{202e}', '\u{202c}', '\u{200b}']));
    console.stop().await;
}

/// VIE-1, VIE-2, OFF-8, COV-10: the card says in our words what is asked and why, and quotes the
/// website's apart; the offer stands beside its button and is repeated in its form.
#[tokio::test]
async fn a_card_says_everything() {
    let console = Console::start().await;
    let chat = console.chat().await;
    let mut act = Act::click("Continue");
    act.element.labels.visible_text = vec!["Next step".to_owned()];
    act.element.dialog_name = Some("Unit 3".to_owned());
    console.ask(chat, &act, &[]).await;
    let (_, page) = console.get("/console", &console.sign_in().await).await;
    for part in [
        "Click a button on www.example.com/lesson/3",
        "Words of the website",
        "data-field=\"name\"><span class=\"quoted\">“<bdi dir=\"ltr\">Continue</bdi>”</span>",
        "data-field=\"visible_text\"><span class=\"quoted\">“<bdi dir=\"ltr\">Next step</bdi>”",
        "data-field=\"dialog_name\"><span class=\"quoted\">“<bdi dir=\"ltr\">Unit 3</bdi>”",
        "data-field=\"title\"><span class=\"quoted\">“<bdi dir=\"ltr\">Lesson 3</bdi>”",
        "<span class=\"origin\"><bdi dir=\"ltr\">https://www.example.com</bdi></span><bdi dir=\"ltr\">/lesson/3</bdi>",
        "No task permission was running",
        "by the website&#39;s labels",
        "<input type=\"hidden\" name=\"origin\" value=\"https://www.example.com\">",
        "<input type=\"hidden\" name=\"path_prefix\" value=\"/lesson\">",
        ">Allow once</button>",
        ">Allow for this task</button>",
        ">Deny</button>",
    ] {
        let part = part.replace("&#39;", "'");
        assert!(page.contains(&part), "{part} in {page}");
    }
    console.stop().await;
}

/// UI-1, COV-10, AUT-5: the banner counts down, the activity says what stood behind each act, a card
/// says why the permission did not do, and an ended permission says why it ended.
#[tokio::test]
async fn banner_and_activity_follow_the_log() {
    let console = Console::start().await;
    let chat = console.chat().await;
    let cookie = console.sign_in().await;
    let approval = console.ask(chat, &Act::click("Start"), &[]).await;
    console.answer(&cookie, &format!("/console/approvals/{approval}/resolve"), &FOR_TASK).await;
    let typed = Act { action: Action::Type { text: "hola".to_owned(), mode: domain::browser::TypeMode::Replace }, ..Act::click("Answer") };
    console.act(chat, &typed, &[]).await;
    console.ask(chat, &Act::click("Get 20 gems"), &[Reason::ConsequenceNamed]).await;
    let (_, page) = console.get("/console", &cookie).await;
    for part in [
        "data-live=\"actions\">199</strong>",
        "data-live=\"characters\">4092</strong>",
        ">Stop</button>",
        "Allowed by task permission",
        "typed <span class=\"quoted\">“<bdi dir=\"ltr\">hola</bdi>”",
        "something that always asks",
    ] {
        assert!(page.contains(part), "{part} in {page}");
    }
    assert!(page.contains("29 minutes") || page.contains("30 minutes"), "{page}");
    console.revoke(console.grants().await[0].task_grant).await;
    let (_, page) = console.get("/console", &cookie).await;
    assert!(page.contains("No permission is running.") && page.contains("You stopped it."), "{page}");
    assert!(!page.contains(">Stop</button>"));
    console.stop().await;
}
