//! The permit: what the runtime's last check gives, and what it never gives.

use crate::words::{scope, time};
use domain::browser::{Action, Constraint, ElementFacts, FieldKind, GrantKind, Labels, TypeMode};
use domain::coverage::Reason;
use domain::permit::{LiveAct, NoPermit, Permit};

const PAGE: &str = "https://www.example.com/lesson/3";

fn tile(field_kind: FieldKind) -> ElementFacts {
    let labels = Labels { visible_text: vec!["der Apfel".to_owned()], ..Labels::default() };
    ElementFacts { role: "button".to_owned(), name: "der Apfel".to_owned(), labels, field_kind, ..ElementFacts::default() }
}

fn type_text() -> Action {
    Action::Type { text: "Apfel".to_owned(), mode: TypeMode::Replace }
}

fn until(clock: &str) -> Constraint {
    Constraint::for_grant(GrantKind::Task, scope("https://www.example.com/lesson").unwrap(), time(clock).unwrap())
}

fn check(action: &Action, element: Option<&ElementFacts>, constraint: Option<&Constraint>, now: &str) -> Result<Permit, NoPermit> {
    Permit::check(&LiveAct { action, page_url: PAGE, element }, constraint, time(now).unwrap())
}

/// COV-9: a password or one-time-code field is refused, approved or granted, for every kind of act;
/// its neighbour, a text field, is not.
#[test]
fn credential_fields_are_refused_outright() {
    let acts = [Action::Click {}, type_text(), Action::Press { key: "a".to_owned() }];
    for action in &acts {
        for kind in [FieldKind::Password, FieldKind::OneTimeCode] {
            let element = tile(kind);
            assert_eq!(check(action, Some(&element), None, "10:00").unwrap_err(), NoPermit::RefusedOutright);
            assert_eq!(check(action, Some(&element), Some(&until("10:30")), "10:00").unwrap_err(), NoPermit::RefusedOutright);
        }
        assert!(check(action, Some(&tile(FieldKind::Text)), None, "10:00").is_ok());
    }
}

/// COV-9, RUN-13: an element that was not read may be a password field.
#[test]
fn an_act_on_an_element_that_was_not_read_is_refused_outright() {
    assert_eq!(check(&type_text(), None, None, "10:00").unwrap_err(), NoPermit::RefusedOutright);
    assert_eq!(check(&Action::Click {}, None, None, "10:00").unwrap_err(), NoPermit::RefusedOutright);
    assert!(check(&Action::Scroll { dx: 0, dy: 400 }, None, None, "10:00").is_ok());
}

/// RUN-3: an act without a constraint behaves as approved and has no deadline.
#[test]
fn an_approved_act_is_done_as_approved() {
    let permit = check(&type_text(), Some(&tile(FieldKind::Text)), None, "10:00").unwrap();
    assert_eq!(permit.spend(time("23:00").unwrap()), Some(type_text()));
}

/// GRA-13, RUN-4: a granted act is refused at exactly `not_after`; an instant before it is not, and the
/// permit of that instant gives nothing at the deadline.
#[test]
fn a_granted_act_ends_with_its_time() {
    let (action, element) = (Action::Click {}, tile(FieldKind::None));
    let refused = check(&action, Some(&element), Some(&until("10:30")), "10:30").unwrap_err();
    assert!(matches!(refused, NoPermit::NotApplicable(reasons) if reasons.contains(&Reason::Expired)));
    let permit = check(&action, Some(&element), Some(&until("10:30")), "10:29:59.999999").unwrap();
    assert_eq!(permit.spend(time("10:30").unwrap()), None);
    let permit = check(&action, Some(&element), Some(&until("10:30")), "10:29:59.999999").unwrap();
    assert_eq!(permit.spend(time("10:29:59.999999").unwrap()), Some(action));
}

/// RUN-4: what the live page no longer covers is refused with its reason.
#[test]
fn a_granted_act_on_another_page_is_refused() {
    let (action, element) = (Action::Click {}, tile(FieldKind::None));
    for (page, reason) in [
        ("https://www.example.com/shop", Reason::PageOutsidePrefix),
        ("https://example.com/lesson", Reason::PageOutsideOrigin),
        ("about:blank", Reason::PageOutsideOrigin),
    ] {
        let live = LiveAct { action: &action, page_url: page, element: Some(&element) };
        let refused = Permit::check(&live, Some(&until("10:30")), time("10:00").unwrap()).unwrap_err();
        assert!(matches!(&refused, NoPermit::NotApplicable(reasons) if reasons.contains(&reason)), "{page}: {refused:?}");
    }
}
