//! Hostile pages, each beside an honest neighbour: what the guards stop, what they let pass, and how
//! the outcome is told.

use crate::cases::{Case, read};
use crate::lab::{Lab, Leave};
use browser_runtime::act::ActResult;
use domain::browser::{Action, TypeMode};

/// `click`, `type:good`, `append:x`, `press:Enter`, `check:true`, `select:label`.
fn action(text: &str) -> Action {
    let (kind, rest) = text.split_once(':').unwrap_or((text, ""));
    let typed = |mode| Action::Type { text: rest.replace("\\n", "\n"), mode };
    match kind {
        "click" => Action::Click {},
        "type" => typed(TypeMode::Replace),
        "append" => typed(TypeMode::Append),
        "press" => Action::Press { key: rest.to_owned() },
        "check" => Action::Check { checked: rest == "true" },
        "select" => Action::Select { values: Vec::new(), labels: vec![rest.to_owned()] },
        other => panic!("no action is called {other:?}"),
    }
}

fn told(result: &ActResult) -> String {
    let outcome = result.outcome.as_str();
    let code = result.code.strip_prefix("tool.browser.").unwrap_or_default();
    let reasons: Vec<String> = result
        .reasons
        .iter()
        .filter_map(|reason| serde_json::to_value(reason).ok())
        .filter_map(|reason| reason.as_str().map(str::to_owned))
        .collect();
    let words = [outcome, code].into_iter().map(str::to_owned).chain(reasons);
    words.collect::<Vec<_>>().join(" ")
}

async fn run(lab: &mut Lab, case: &Case, leave: Leave) -> Option<String> {
    lab.show("", &case.html).await;
    let result = lab.act(case.needed("on"), action(case.needed("act")), leave).await;
    let key = if leave == Leave::Granted { "granted" } else { "approved" };
    let wanted = case.field(key).or(case.field("then")).unwrap_or_else(|| panic!("{}: no outcome", case.name));
    let mut faults = Vec::new();
    if told(&result) != wanted {
        faults.push(format!("gave {:?} ({:?}), wanted {wanted:?}", told(&result), result.detail));
    }
    if let Some(detail) = case.field("detail")
        && !result.detail.as_deref().unwrap_or_default().contains(detail)
    {
        faults.push(format!("detail {:?}, wanted {detail:?}", result.detail));
    }
    let log = lab.log().await;
    if let Some(wanted) = case.field("log")
        && log != wanted.trim_matches('"')
    {
        faults.push(format!("the page saw {log:?}, wanted {wanted}"));
    }
    if let Some(value) = case.field("unchanged") {
        let touched =
            format!("((field) => field.type === 'checkbox' ? field.checked : field.value !== '')(document.querySelector({value:?}))");
        if lab.in_page(&touched).await.as_bool() != Some(false) {
            faults.push(format!("{value} was changed"));
        }
    }
    let escaped: Vec<String> = lab.site.requests().into_iter().filter(|path| path.contains("outside")).collect();
    if !escaped.is_empty() {
        faults.push(format!("requests left the prefix: {escaped:?}"));
    }
    (!faults.is_empty()).then(|| format!("{} [{leave:?}]: {}", case.name, faults.join("; ")))
}

async fn run_table(file: &str) {
    let mut lab = Lab::start().await;
    let mut faults = Vec::new();
    for case in read(file) {
        for (leave, key) in [(Leave::Granted, "granted"), (Leave::Approved, "approved")] {
            if case.field(key) == Some("-") {
                continue;
            }
            faults.extend(run(&mut lab, &case, leave).await);
        }
    }
    lab.close().await;
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// RUN-8: pages that swap, move, cover or replace what is pressed, and pages that do nothing of it.
#[tokio::test]
async fn the_click_guard_lets_only_the_approved_element_be_pressed() {
    run_table("pointer.cases").await;
}

/// RUN-9, COV-7: pages that take the focus, the key or the text, and pages that do not.
#[tokio::test]
async fn the_focus_guard_lets_only_the_approved_field_be_typed_into() {
    run_table("keyboard.cases").await;
}

/// COV-1, COV-5, COV-6, COV-9: what is refused on the live page, grant or not, and where acts lead.
#[tokio::test]
async fn refusals_and_targets_follow_the_live_page() {
    run_table("refusals.cases").await;
}

/// RUN-8, RUN-9: input that no act is behind was meant for another document: not a press and not a
/// key of it reaches the page. What the page's own script does with labels and texts still works.
#[tokio::test]
async fn input_without_an_act_reaches_nothing() {
    let mut lab = Lab::start().await;
    let html = r#"<button id="b" style="position:fixed;left:0;top:0;width:200px;height:200px">Go</button><input id="a" autofocus>
<label id="l">Box <input type="checkbox" id="c"></label><script>
for (const type of ["pointerdown", "mousedown", "click", "keydown", "keypress"]) b.addEventListener(type, () => log(type));
a.addEventListener("keydown", () => log("key")); a.addEventListener("input", () => log("text"));
a.focus();</script>"#;
    lab.show("", html).await;
    lab.input_unasked(100.0, 100.0, "abc").await;
    assert_eq!(lab.log().await, "");
    assert_eq!(lab.in_page("a.value").await, "");
    lab.in_page("l.click(); a.focus(); document.execCommand('insertText', false, 'own')").await;
    assert_eq!(lab.in_page("[c.checked, a.value].join()").await, "true,own");
    let result = lab.act("Go", Action::Click {}, Leave::Granted).await;
    assert_eq!(told(&result), "completed completed", "{result:?}");
    assert_eq!(lab.log().await, "text;pointerdown;mousedown;click;");
    lab.close().await;
}
