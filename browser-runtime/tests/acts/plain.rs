//! Honest pages: every kind of act completes, and the page saw what a person would have done.

use crate::lab::{Lab, Leave, reference};
use Leave::{Approved, Granted};
use browser_runtime::act::code;
use domain::browser::{Action, Outcome, TypeMode};

fn click() -> Action {
    Action::Click {}
}

fn type_text(text: &str) -> Action {
    Action::Type { text: text.to_owned(), mode: TypeMode::Replace }
}

fn press(key: &str) -> Action {
    Action::Press { key: key.to_owned() }
}

fn select(label: &str) -> Action {
    Action::Select { values: Vec::new(), labels: vec![label.to_owned()] }
}

/// RUN-4, RUN-8, RUN-9, COV-1: each kind of act, under a grant and approved alone, on a page that
/// works with it.
#[tokio::test]
async fn every_kind_of_act_completes_on_an_honest_page() {
    let mut lab = Lab::start().await;
    let append = Action::Type { text: " day".to_owned(), mode: TypeMode::Append };
    let rows: Vec<(&str, Action, &str)> = vec![
        ("water", click(), "click:water;"),
        ("closed tile", click(), "click:closed tile;"),
        ("open tile", click(), "click:open tile;"),
        ("slotted tile", click(), "click:slotted tile;"),
        ("label tile", click(), "click:label tile;"),
        ("far below", click(), "click:far below;"),
        ("Your answer", type_text("good"), "value:good;"),
        ("Your answer", append, "value:good day;"),
        ("Your answer", type_text("ein Ärger 𝄞"), "value:ein Ärger 𝄞;"),
        ("Your answer", type_text(""), "value:;"),
        ("Long answer", type_text("two\nlines"), "value:two|lines;"),
        ("Your answer", press("Enter"), "key:Enter;"),
        ("water", press("ArrowLeft"), "key:ArrowLeft;"),
        ("Level", select("Second level"), "select:2;"),
        ("Sound", Action::Check { checked: true }, "check:true;"),
        ("Sound", Action::Check { checked: true }, ""),
        ("Sound", Action::Check { checked: false }, "check:false;"),
        ("", Action::Scroll { dx: 0, dy: 300 }, ""),
        ("In the box", Action::Scroll { dx: 0, dy: 40 }, "box:40;"),
    ];
    for leave in [Granted, Approved] {
        lab.open("plain").await;
        for (name, action, wanted) in &rows {
            lab.in_page("document.documentElement.dataset.log = ''").await;
            let result = lab.act(name, action.clone(), leave).await;
            assert_eq!(result.outcome, Outcome::Completed, "{leave:?} {name} {action:?}: {result:?}");
            assert_eq!(lab.log().await, *wanted, "{leave:?} {name} {action:?}");
        }
    }
    lab.close().await;
}

/// RUN-7: a reference of an older observation, an invented one and one of another document mean
/// nothing, and nothing is pressed.
#[tokio::test]
async fn old_and_invented_references_are_refused() {
    let mut lab = Lab::start().await;
    lab.open("plain").await;
    let (first, _) = lab.observe().await;
    let (second, _) = lab.observe().await;
    let old = reference(&first, "water");
    let now = reference(&second, "water");
    let rows = [
        (first.revision.as_str(), old.as_str(), code::STALE_REVISION),
        (second.revision.as_str(), old.as_str(), code::STALE_ELEMENT),
        ("", now.as_str(), code::STALE_REVISION),
        (second.revision.as_str(), "invented", code::STALE_ELEMENT),
    ];
    for (revision, element, wanted) in rows {
        let (observation, _) = if wanted == code::STALE_ELEMENT { lab.observe().await } else { (second.clone(), Default::default()) };
        let revision = if wanted == code::STALE_ELEMENT { observation.revision.as_str() } else { revision };
        let result = lab.act_on(revision, Some(element), click(), Approved).await;
        assert_eq!((result.outcome, result.code), (Outcome::Refused, wanted), "{element}");
    }
    let (observation, _) = lab.observe().await;
    lab.open("plain").await;
    let result = lab.act_on(&observation.revision, Some(&reference(&observation, "water")), click(), Approved).await;
    assert_eq!((result.outcome, result.code), (Outcome::Refused, code::STALE_REVISION));
    assert_eq!(lab.log().await, "");
    lab.close().await;
}
