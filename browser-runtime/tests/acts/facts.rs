//! What the facts say of an element, and that no page can make them say anything else.

use crate::cases::read;
use crate::lab::{Lab, reference};
use serde_json::Value;

/// A page's attempt to forge every answer that a script of its own world could give.
const FORGERY: &str = include_str!("../data/pages/forgery.html");

/// A1, A3, RUN-6, RUN-12, RUN-13, CLS-1, CLS-3, COV-6, COV-8: each row's facts, and the same when
/// the page has replaced the prototypes of its own world.
#[tokio::test]
async fn facts_are_as_written_with_and_without_forged_prototypes() {
    let mut lab = Lab::start().await;
    let mut faults = Vec::new();
    for case in read("facts.cases") {
        for prelude in ["", FORGERY] {
            lab.show(prelude, &case.html).await;
            let facts = serde_json::to_value(lab.facts_of(case.needed("of")).await).unwrap();
            let text = case.needed("facts").replace("ORIGIN", &lab.site.origin());
            let wanted: Value = serde_json::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", case.name));
            let forged = if prelude.is_empty() { "" } else { ", forged" };
            faults.extend(differences(&facts, &wanted).into_iter().map(|fault| format!("{}{forged}: {fault}", case.name)));
        }
    }
    lab.close().await;
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// Members of `wanted` that `facts` does not have exactly so; objects are compared member by member.
fn differences(facts: &Value, wanted: &Value) -> Vec<String> {
    match wanted {
        Value::Object(members) => members
            .iter()
            .flat_map(|(key, value)| {
                let found = facts.get(key).unwrap_or(&Value::Null);
                let below = if value.is_object() && found.is_object() {
                    differences(found, value)
                } else if found == value {
                    Vec::new()
                } else {
                    vec![format!("is {found}, wanted {value}")]
                };
                below.into_iter().map(move |fault| format!("{key} {fault}")).collect::<Vec<_>>()
            })
            .collect(),
        _ => vec!["is no object".to_owned()],
    }
}

/// RUN-12: the forgery works in the page's own world, so that the test above means something.
#[tokio::test]
async fn the_forgery_forges_the_pages_own_world() {
    let mut lab = Lab::start().await;
    lab.show(FORGERY, "<button aria-label=Continue>Pay</button>").await;
    assert_eq!(lab.in_page("document.getElementsByTagName('button')[0].getAttribute('aria-label')").await, "forged");
    assert_eq!(lab.in_page("document.getElementsByTagName('button')[0].textContent").await, "forged");
    lab.close().await;
}

/// RUN-5, VIE-3: what fields hold is in neither the observation nor the facts, also inside other
/// elements and editable regions; and what cannot be read is told.
#[tokio::test]
async fn an_observation_holds_no_field_content_and_tells_what_it_left_out() {
    let mut lab = Lab::start().await;
    lab.show("", r#"<h1>Title <em>one</em></h1><div tabindex="0" aria-label="card">card <input value="s3cret"><textarea>s3cret</textarea>
        <div contenteditable>s3cret</div></div><input type="hidden" value="s3cret"><label>Name <input value="s3cret"></label>
        <input type="password" value="s3cret" aria-label="Word"><p>after</p><iframe srcdoc="<button>inside</button>"></iframe><canvas></canvas>"#).await;
    let (observation, facts) = lab.observe().await;
    let all = format!("{} {}", serde_json::to_string(&observation).unwrap(), serde_json::to_string(&facts).unwrap());
    assert!(!all.contains("s3cret"), "{all}");
    assert_eq!(observation.omitted, ["frame", "canvas"]);
    let texts: Vec<&str> = observation.elements.iter().filter(|entry| entry.reference.is_none()).map(|entry| entry.name.as_str()).collect();
    assert_eq!(texts, ["Title one", "Name", "after"]);
    lab.close().await;
}

/// RUN-15: a page too large, too deep or full of nested widgets ends in a bounded observation that
/// says so, within seconds; an element with more inside than is read is never called whole.
#[tokio::test]
async fn huge_and_deep_pages_are_read_within_bounds() {
    let mut lab = Lab::start().await;
    let rows = [
        ("wide", "document.body.append(...Array.from({ length: 120000 }, () => document.createElement('i')));", "nodes"),
        (
            "deep",
            "let at = document.body; for (let i = 0; i < 700; i++) { const next = document.createElement('div'); at.append(next); at = next; } at.textContent = 'x';",
            "depth",
        ),
        (
            "many",
            "for (let i = 0; i < 2500; i++) { const b = document.createElement('button'); b.textContent = i; document.body.append(b); }",
            "elements",
        ),
    ];
    for (name, script, omitted) in rows {
        lab.show("", &format!("<body><button>First</button><script>{script}</script>")).await;
        let begun = std::time::Instant::now();
        let (observation, _) = lab.observe().await;
        assert!(observation.omitted.iter().any(|what| what == omitted), "{name}: {:?}", observation.omitted);
        assert!(begun.elapsed().as_secs() < 8, "{name} took {:?}", begun.elapsed());
        reference(&observation, "First");
    }
    lab.show("", "<div tabindex=0 aria-label=Card id=c></div><script>c.append(...Array.from({ length: 9000 }, () => document.createElement('i')));</script>").await;
    assert!(lab.facts_of("Card").await.truncated);
    lab.show("", &format!("<button aria-label=Card title='{}'>Card</button>", "x".repeat(300))).await;
    assert!(lab.facts_of("Card").await.truncated);
    lab.close().await;
}
