//! Constrained acts against a page that changed after it was observed.

use super::plane::{Answered, Lease, Plane, Stage, click, with};
use serde_json::{Value, json};

/// Words that no answer may repeat, and values that no answer may hold.
const PAGE: &str = r##"<button id="go" onclick="fetch('/lesson/went')">Go on</button>
<form action="/lesson/2"><label>Answer <input id="field" value="v4lue"></label><textarea aria-label="Long">v4lue</textarea>
<input type="password" aria-label="Word" value="v4lue"><input type="hidden" name="h" value="v4lue"><input type="email" aria-label="Mail" value="v4lue">
<input type="number" aria-label="Count" value="733133"><input type="range" aria-label="Level" max="999999" value="733133">
<input type="date" aria-label="Day" value="1999-07-31"><input type="color" aria-label="Colour" value="#733133">
<input type="checkbox" aria-label="Box" value="v4lue"><input type="radio" aria-label="Radio" value="v4lue">
<input list="l" aria-label="Listed" value="v4lue"><input type="search" aria-label="Search" value="v4lue">
<div contenteditable aria-label="Edit">v4lue</div><div role="textbox" tabindex="0" aria-label="Built" contenteditable>v4lue</div>
<button aria-labelledby="t field">Named by a field</button><button aria-describedby="field">Told by a field</button><span id="t">Named</span>
<button><input value="v4lue" aria-label="Inside">Around</button><div tabindex="0">Card <textarea>v4lue</textarea></div>
<output>fine</output></form>"##;

/// RUN-5: facts stand beside the observation, and neither holds what any field holds.
#[tokio::test]
async fn facts_stand_beside_and_hold_no_field_values() {
    let (plane, stage) = (Plane::start().await, Stage::set(PAGE).await);
    let lease = plane.lease(stage.terms()).await;
    assert_eq!(lease.navigate(1, &stage.url()).await.told(), ("completed", "completed"));
    let script = "document.getElementById('field').value = 'v4lue-typed'; customElements.define('x-field', class extends HTMLElement { constructor() { super(); this.attachShadow({ mode: 'closed' }).innerHTML = '<input aria-label=Shut value=v4lue>'; } }); document.body.append(document.createElement('x-field'));";
    stage.order(script).await;
    let observed = lease.observe(2).await;
    for value in ["v4lue", "733133", "1999-07-31"] {
        assert!(!observed.text.contains(value), "{value} in {}", observed.text);
    }
    let observation = &observed.body["observation"];
    assert!(observation.get("facts").is_none());
    for entry in observation["elements"].as_array().unwrap() {
        assert!(entry.get("labels").is_none() && entry.get("targets").is_none(), "{entry}");
        if let Some(reference) = entry["ref"].as_str() {
            assert!(observed.body["facts"].get(reference).is_some(), "{entry} has no facts");
        }
    }
    plane.end().await;
}

/// Observes, has the page change itself, acts under `constraint`, and checks what RUN-4 promises of a
/// refusal. Gives the answer.
async fn changed_then_refused(
    lease: &Lease<'_>,
    stage: &Stage,
    sequence: &mut u64,
    script: &str,
    constraint: Value,
    reasons: &[&str],
) -> Answered {
    assert_eq!(lease.navigate(*sequence + 1, &stage.url()).await.told().0, "completed");
    let observed = lease.observe(*sequence + 2).await;
    *sequence += 2;
    if !script.is_empty() {
        stage.order(script).await;
    }
    let act = with(click(*sequence + 1, &observed, "Go on"), "constraint", constraint);
    let answer = lease.command("act", act.clone()).await;
    assert_eq!(answer.told(), ("refused", "grant_not_applicable"), "{script}: {}", answer.text);
    let told: Vec<&str> = answer.body["reasons"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
    assert!(reasons.iter().all(|reason| told.contains(reason)), "{script}: {told:?}, wanted {reasons:?}");
    assert_eq!(answer.body["sequence"], *sequence, "the sequence moved");
    // Where the page is stands in every answer; beside it, nothing of the page does.
    let mut told = answer.body.clone();
    told.as_object_mut().unwrap().remove("page");
    for words in ["m4rked", "Buy", "gems", "Go on"] {
        assert!(!told.to_string().contains(words), "{words} in {}", answer.text);
    }
    // Even approved by itself: the observation is gone.
    let mut approved = act;
    approved.as_object_mut().unwrap().remove("constraint");
    assert_eq!(lease.command("act", approved).await.told(), ("refused", "stale_revision"));
    answer
}

/// RUN-4: what changed between the look and the act refuses the granted act with its reasons and no
/// word of the page, leaves the lease open and the sequence where it was, and voids the observation.
/// The unchanged page completes.
#[tokio::test]
async fn a_page_that_changed_is_refused_with_reasons() {
    let (plane, stage) = (Plane::start().await, Stage::set(PAGE).await);
    let lease = plane.lease(stage.terms()).await;
    let mut sequence = 0;
    let good = stage.constraint();
    let button = "document.getElementById('go')";
    let rows = [
        ("history.pushState(0, '', '/m4rked/x')".to_owned(), "page_outside_prefix"),
        ("history.pushState(0, '', '/lesson/checkout/m4rked')".to_owned(), "page_sensitive"),
        (format!("{button}.textContent = 'Buy m4rked gems'"), "consequence_named"),
        (format!("{button}.title = 'Buy m4rked gems'"), "consequence_named"),
        (format!("{button}.setAttribute('aria-description', 'm4rked'); {button}.textContent = 'm4rked'"), "element_changed"),
        (
            format!(
                "const l = document.createElement('span'); l.id = 'b'; l.hidden = true; l.textContent = 'Buy m4rked gems'; document.body.append(l); {button}.setAttribute('aria-labelledby', 'b')"
            ),
            "consequence_named",
        ),
        (format!("{button}.disabled = true"), "disabled"),
    ];
    let mut faults = Vec::new();
    for (script, reason) in &rows {
        let answer = changed_then_refused(&lease, &stage, &mut sequence, script, good.clone(), &[]).await;
        if !answer.body["reasons"].as_array().unwrap().iter().any(|told| told == reason) {
            faults.push(format!("{script}: {} instead of {reason}", answer.body["reasons"]));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    let over = with(good.clone(), "not_after", json!("2001-01-01T00:00:00Z"));
    changed_then_refused(&lease, &stage, &mut sequence, "", over, &["expired"]).await;
    let foreign = with(good.clone(), "origins", json!(["https://www.example.com"]));
    changed_then_refused(&lease, &stage, &mut sequence, "", foreign, &["page_outside_origin"]).await;
    assert_eq!(stage.site.count("/lesson/went"), 0, "a refused act was dispatched");

    lease.navigate(sequence + 1, &stage.url()).await;
    let observed = lease.observe(sequence + 2).await;
    let done = lease.command("act", with(click(sequence + 3, &observed, "Go on"), "constraint", good)).await;
    assert_eq!(done.told(), ("completed", "completed"), "{}", done.text);
    assert!(stage.site.was_asked("/lesson/went", super::plane::LIMIT).await);
    plane.end().await;
}
