//! Runs the tables of `tests/data/view`: an act on a page in, the card's view out. Lines hold JSON;
//! `<<a*513>>` stands for 513 times `a`.

use crate::table::{Case, check};
use domain::browser::{Action, ElementFacts};
use domain::decide::approval::Offer;
use domain::view::{ApprovalView, Page};
use serde_json::Value;

/// VIE-1 to VIE-4, OFF-7: what a card shows and what it never shows.
#[test]
fn cards() {
    check("view", run);
}

fn run(case: &Case) -> Result<(), String> {
    let mut page: Option<Value> = None;
    let mut element: Option<ElementFacts> = None;
    for line in &case.given {
        let (what, json) = line.split_once(' ').ok_or("`given` holds `page` or `element` and JSON")?;
        match what {
            "page" => page = Some(read(json)?),
            "element" => element = Some(read(json)?),
            _ => return Err(format!("`{what}` cannot be given")),
        }
    }
    let [act] = &case.when[..] else { return Err("a case has one act".to_owned()) };
    let action: Action = read(act)?;
    let text = |key: &str| page.as_ref().and_then(|page| page.get(key)).and_then(Value::as_str).unwrap_or_default();
    let shown = page.as_ref().map(|_| Page { url: text("url"), title: text("title") });
    let view = serde_json::to_value(ApprovalView::describe(&action, shown, element.as_ref())).map_err(|error| error.to_string())?;
    let wrong: Vec<String> = case.then.iter().filter_map(|line| differs(line, &view).transpose()).collect::<Result<_, _>>()?;
    if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n")) }
}

/// Checks one line: `field = JSON`, or `nowhere "text"` for what no field may hold, or
/// `summary free of "text"`.
fn differs(line: &str, view: &Value) -> Result<Option<String>, String> {
    if let Some(json) = line.strip_prefix("nowhere ") {
        let text: String = read(json)?;
        return Ok(view.to_string().contains(&text).then(|| format!("  {text:?} stands in {view}")));
    }
    if let Some(json) = line.strip_prefix("summary free of ") {
        let text: String = read(json)?;
        let summary = view.get("action_summary").and_then(Value::as_str).unwrap_or_default();
        return Ok(summary.contains(&text).then(|| format!("  {text:?} stands in the summary {summary:?}")));
    }
    let (field, json) = line.split_once(" = ").ok_or(format!("`{line}` is no expectation"))?;
    let expected: Value = read(json)?;
    let came = view.get(field).ok_or(format!("a view has no `{field}`"))?;
    Ok((*came != expected).then(|| format!("  - {field} = {expected}\n  + {field} = {came}")))
}

fn read<T: serde::de::DeserializeOwned>(json: &str) -> Result<T, String> {
    serde_json::from_str(&repeated(json)?).map_err(|error| format!("`{json}`: {error}"))
}

fn repeated(text: &str) -> Result<String, String> {
    let Some((before, rest)) = text.split_once("<<") else { return Ok(text.to_owned()) };
    let (inside, after) = rest.split_once(">>").ok_or("`<<` without `>>`")?;
    let (piece, times) = inside.split_once('*').ok_or("`<<text*times>>`")?;
    let times: usize = times.parse().map_err(|_| format!("`{times}` is no number"))?;
    Ok(format!("{before}{}{}", piece.repeat(times), repeated(after)?))
}

/// OFF-8: the offer's whole text, so that no word is added to what it promises. OFF-1: the place, half
/// an hour, 200 actions, 4,096 characters.
#[test]
fn an_offer_says_what_it_allows_and_promises_no_more() {
    let offer = Offer { origin: "https://www.example.com".to_owned(), path_prefix: "/lesson".to_owned(), profile_generation: 1 };
    assert_eq!(
        offer.text(),
        "Allow clicks and typing on www.example.com/lesson for 30 minutes, up to 200 actions and 4096 typed characters. \
         Hallpass recognises payments, purchases, account changes and messages by the website's labels. \
         You can stop this permission at any time."
    );
}

/// OFF-6: an offer is made of the configuration's words alone.
#[test]
fn an_offer_repeats_the_configured_scope() {
    let scope = crate::words::scope("https://www.example.com:8443/lesson").unwrap();
    let offer = Offer::of(&scope, 7);
    assert_eq!(
        (offer.origin.as_str(), offer.path_prefix.as_str(), offer.profile_generation),
        ("https://www.example.com:8443", "/lesson", 7)
    );
}
