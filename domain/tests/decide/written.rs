//! Events as tables write them. What a line leaves out has the value that most cases need: owner
//! `olga`, session `s1`, run `r1`, call `c1`, approval `a1`, grant `g1`, profile `p1`, and the scope
//! `https://www.example.com/lesson`.

use crate::words::{Words, halves, id, list, outcome, reason, scope};
use domain::classify::Consequence;
use domain::decide::approval::{Offer, Resolution};
use domain::decide::profile::SignInKind;
use domain::decide::run::RunKind;
use domain::decide::session::{Author, Surface};
use domain::decide::task_grant::{EndReason, Pins};
use domain::event::*;
use domain::id::*;
use domain::view::ApprovalView;

/// The scope that rows mean when they name none.
pub(crate) const SCOPE: &str = "https://www.example.com/lesson";

/// Reads one line. `ordinal=1..199` writes as many events.
pub(crate) fn events(line: &str) -> Result<Vec<Event>, String> {
    let words = Words::of(line)?;
    let events = match words.get("ordinal").and_then(|ordinal| ordinal.split_once("..")) {
        Some((first, last)) => {
            let number = |text: &str| text.parse::<u32>().map_err(|_| format!("`{text}` is no ordinal"));
            (number(first)?..=number(last)?).map(|ordinal| authorized(&words, ordinal)).collect::<Result<_, _>>()?
        }
        None => vec![event(&words)?],
    };
    words.all_asked()?;
    Ok(events)
}

macro_rules! ids {
    ($($name:ident $key:literal $otherwise:literal $type:ident),+ $(,)?) => {$(
        pub(crate) fn $name(words: &Words) -> $type {
            $type::from_uuid(id(words.or($key, $otherwise)))
        }
    )+};
}
ids! {
    session "session" "s1" SessionId,
    run "run" "r1" RunId,
    call "call" "c1" ToolCallId,
    approval "approval" "a1" ApprovalId,
    grant "grant" "g1" TaskGrantId,
    profile "profile" "p1" ProfileId,
    sign_in "sign_in" "n1" SignInId,
}

/// A person by name.
pub(crate) fn person(name: &str) -> Result<PrincipalId, String> {
    name.parse().map_err(|_| format!("`{name}` is no principal"))
}

fn named<T>(value: Option<T>, text: &str) -> Result<T, String> {
    value.ok_or(format!("`{text}` is not in the vocabulary"))
}

/// A word of a closed vocabulary.
pub(crate) fn word<T>(words: &Words, key: &str, otherwise: &str, parse: fn(&str) -> Option<T>) -> Result<T, String> {
    let text = words.or(key, otherwise);
    named(parse(text), text)
}

fn event(words: &Words) -> Result<Event, String> {
    let w = words;
    Ok(match w.name.as_str() {
        "SessionOpened" => Event::SessionOpened(SessionOpened {
            session: session(w),
            principal: person(w.or("principal", "olga"))?,
            surface: word(w, "surface", "chat", Surface::parse)?,
            profile: Some(w.or("profile", "p1")).filter(|name| *name != "-").map(|name| ProfileId::from_uuid(id(name))),
            schedule: w.get("schedule").map(str::to_owned),
            allowed_origins: vec!["https://www.example.com".to_owned()],
        }),
        "MessageReceived" => Event::MessageReceived(MessageReceived {
            session: session(w),
            author: word(w, "author", "owner", Author::parse)?,
            text: w.or("text", "go_on").to_owned(),
        }),
        "TurnLeftBrowser" => Event::TurnLeftBrowser(TurnLeftBrowser { session: session(w), tool: w.or("tool", "mail.read").to_owned() }),
        "SessionDeleted" => Event::SessionDeleted(SessionDeleted { session: session(w) }),
        "RunStarted" => Event::RunStarted(RunStarted {
            run: run(w),
            session: session(w),
            kind: word(w, "kind", "interactive", RunKind::parse)?,
            parent: w.get("parent").map(|name| RunId::from_uuid(id(name))),
        }),
        "RunEnded" => Event::RunEnded(RunEnded { run: run(w) }),
        _ => return call_event(words),
    })
}

fn call_event(words: &Words) -> Result<Event, String> {
    let w = words;
    Ok(match w.name.as_str() {
        "ToolCallRequested" => Event::ToolCallRequested(ToolCallRequested {
            tool_call: call(w),
            run: run(w),
            session: session(w),
            tool: w.or("tool", "browser.act").to_owned(),
            action: None,
        }),
        "ToolCallAuthorized" => return authorized(w, w.number("ordinal", 1)?),
        "ToolCallDispatched" => Event::ToolCallDispatched(ToolCallDispatched { tool_call: call(w) }),
        "ToolCallFinished" => Event::ToolCallFinished(ToolCallFinished {
            tool_call: call(w),
            outcome: outcome(w.or("outcome", "completed"))?,
            code: w.or("code", "").to_owned(),
            reasons: list(w.or("reasons", "-")).into_iter().map(reason).collect::<Result<_, _>>()?,
        }),
        "ApprovalRequested" => Event::ApprovalRequested(ApprovalRequested {
            approval: approval(w),
            tool_call: call(w),
            run: run(w),
            session: session(w),
            view: ApprovalView::default(),
            offer: offer(w)?,
            reasons: Vec::new(),
            digest: b"digest".to_vec(),
            expires_at: w.time("until", "10:15")?,
        }),
        "ApprovalResolved" => Event::ApprovalResolved(ApprovalResolved {
            approval: approval(w),
            resolution: word(w, "resolution", "approve_once", Resolution::parse)?,
            task_grant: w.get("grant").map(|name| TaskGrantId::from_uuid(id(name))),
        }),
        "ApprovalLapsed" => Event::ApprovalLapsed(ApprovalLapsed { approval: approval(w) }),
        "ApprovalCancelled" => Event::ApprovalCancelled(ApprovalCancelled { approval: approval(w) }),
        "ApprovalAnsweredLate" => Event::ApprovalAnsweredLate(ApprovalAnsweredLate {
            approval: approval(w),
            resolution: word(w, "resolution", "approve_once", Resolution::parse)?,
        }),
        _ => return grant_event(words),
    })
}

fn grant_event(words: &Words) -> Result<Event, String> {
    let w = words;
    Ok(match w.name.as_str() {
        "TaskGrantCreated" => Event::TaskGrantCreated(TaskGrantCreated { task_grant: grant(w), pins: pins(w)? }),
        "TaskGrantEnded" => {
            Event::TaskGrantEnded(TaskGrantEnded { task_grant: grant(w), reason: word(w, "reason", "revoked", EndReason::parse)? })
        }
        "ProfileCreated" => Event::ProfileCreated(ProfileCreated {
            profile: profile(w),
            principal: person(w.or("principal", "olga"))?,
            name: "lessons".to_owned(),
        }),
        "SignInBegan" => Event::SignInBegan(SignInBegan {
            profile: profile(w),
            sign_in: sign_in(w),
            kind: word(w, "kind", "remote", SignInKind::parse)?,
        }),
        "SignInReady" => Event::SignInReady(SignInReady { profile: profile(w), sign_in: sign_in(w) }),
        "ProfileRevoked" => Event::ProfileRevoked(ProfileRevoked { profile: profile(w) }),
        "ProfileDeleted" => Event::ProfileDeleted(ProfileDeleted { profile: profile(w) }),
        other => return Err(format!("no event is called `{other}`")),
    })
}

fn offer(w: &Words) -> Result<Option<Offer>, String> {
    let generation = w.number("generation", 1)?;
    match w.or("offer", SCOPE) {
        "-" => Ok(None),
        text => {
            let (origin, prefix) = halves(text)?;
            Ok(Some(Offer { origin: origin.to_owned(), path_prefix: prefix.to_owned(), profile_generation: generation }))
        }
    }
}

fn pins(w: &Words) -> Result<Pins, String> {
    Ok(Pins {
        principal: person(w.or("principal", "olga"))?,
        session: session(w),
        profile: profile(w),
        profile_generation: w.number("generation", 1)?,
        agent_version: w.or("agent", "agent-1").to_owned(),
        policy_version: w.or("policy", "policy-1").to_owned(),
        scope: scope(w.or("scope", SCOPE))?,
        created_at: w.time("at", "10:00")?,
        expires_at: w.time("until", "10:30")?,
        actions_max: w.number("actions", 200)?,
        approval: approval(w),
    })
}

fn authorized(w: &Words, ordinal: u32) -> Result<Event, String> {
    let by = w.or("by", "grant:g1");
    let (kind, name) = by.split_once(':').ok_or(format!("`{by}` is no authority"))?;
    let authority = match kind {
        "approval" => Authority::Approval(ApprovalId::from_uuid(id(name))),
        "grant" => Authority::TaskGrant(TaskGrantId::from_uuid(id(name))),
        "standing" => Authority::StandingGrant(StandingGrantId::from_uuid(id(name))),
        _ => return Err(format!("`{by}` is no authority")),
    };
    Ok(Event::ToolCallAuthorized(use_of(authority, call(w), run(w), session(w), ordinal, w.number("chars", 0)?)))
}

/// A use as it stands in the log; what remains is for readers and no rule looks at it.
pub(crate) fn use_of(
    authority: Authority,
    tool_call: ToolCallId,
    run: RunId,
    session: SessionId,
    use_ordinal: u32,
    typed_characters: u32,
) -> ToolCallAuthorized {
    ToolCallAuthorized {
        tool_call,
        run,
        session,
        authority,
        use_ordinal,
        actions_remaining: 0,
        characters_remaining: 0,
        typed_characters,
        view: ApprovalView::default(),
        consequence: Consequence::Unknown,
        classifier_version: "test".to_owned(),
    }
}
