//! One question to the owner. Our words come first and stand apart from the website's and the
//! agent's, which are quoted and say whose they are (VIE-1, VIE-2, OFF-7, OFF-8).

use super::page::form_token;
use super::quote::{quoted, visible};
use super::sign_in::SignedIn;
use super::{when, words};
use domain::decide::approval::{Offer, Resolution};
use domain::time::Timestamp;
use domain::view::ApprovalView;
use maud::{Markup, html};
use projections::ApprovalRow;

/// The card of a pending approval.
pub(super) fn card(owner: &SignedIn, row: &ApprovalRow, now: Timestamp) -> Markup {
    let view = &row.view;
    html! {
        article.card data-key=(row.approval) {
            h3 { (visible(&view.action_summary)) }
            p.asked {
                "Asked " (when::moment(row.created_at)) ". It lapses in "
                span data-live="lapses" { (when::remaining(now, row.expires_at)) } "."
            }
            (act(view))
            (website(view))
            (why(row))
            (answers(owner, row))
        }
    }
}

/// What would be done, as the agent asked for it.
fn act(view: &ApprovalView) -> Markup {
    html! {
        dl.facts {
            @if !view.typed_text.is_empty() {
                dt { "Text to type " span.whose { "words of the agent" } }
                dd data-field="typed_text" {
                    (quoted(&view.typed_text))
                    @if view.typed_text_cut {
                        " This is only the beginning of the text. SHA-256 of all of it: " code { (view.typed_text_digest) }
                    }
                }
            }
            @if !view.options.is_empty() {
                dt { "Options to choose " span.whose { "words of the agent" } }
                @for option in &view.options { dd data-field="option" { (quoted(option)) } }
            }
            @if !view.key.is_empty() {
                dt { "Key to press" }
                dd data-field="key" { kbd { (visible(key_name(&view.key))) } }
            }
            @if let Some(checked) = view.checked {
                dt { "State afterwards" }
                dd data-field="checked" { @if checked { "ticked" } @else { "not ticked" } }
            }
            @if let Some((right, down)) = view.scroll {
                dt { "Distance" }
                dd data-field="scroll" { (distance(right, "right", "left")) (distance(down, "down", "up")) }
            }
            @if !view.origin.is_empty() {
                dt { "Page" }
                dd data-field="page" { code { span.origin { (visible(&view.origin)) } (visible(&view.path)) } }
            }
            @if !view.role.is_empty() {
                dt { "Kind of element" }
                dd data-field="role" { (visible(&view.role)) }
            }
        }
    }
}

/// What the website calls it. Nothing of it is ours.
fn website(view: &ApprovalView) -> Markup {
    let texts = [
        ("Name", "name", &view.name),
        ("Visible text", "visible_text", &view.visible_text),
        ("Dialog", "dialog_name", &view.dialog_name),
        ("Page title", "title", &view.title),
    ];
    html! {
        @if texts.iter().any(|(_, _, text)| !text.is_empty()) {
            div.website {
                h4 { "Words of the website" }
                p.hint { "The website wrote these. They may be untrue." }
                dl.facts {
                    @for (label, field, text) in texts {
                        @if !text.is_empty() {
                            dt { (label) }
                            dd data-field=(field) { (quoted(text)) }
                        }
                    }
                }
            }
        }
    }
}

fn why(row: &ApprovalRow) -> Markup {
    html! {
        div.why {
            h4 { "Why this asks" }
            ul {
                @for reason in &row.reasons { li { (words::reason(*reason)) } }
                @if row.reasons.is_empty() { li { (words::NOTHING_RUNS) } }
                @if !row.view.described {
                    li { "Hallpass can no longer describe this element, so it offers no task permission." }
                }
            }
        }
    }
}

/// One form a button: each says exactly one thing, with or without script.
fn answers(owner: &SignedIn, row: &ApprovalRow) -> Markup {
    let offer_text = format!("offer-{}", row.approval);
    html! {
        div.answers {
            (answer(owner, row, Resolution::ApproveOnce, &html! { button.approve type="submit" { "Allow once" } }))
            (answer(owner, row, Resolution::Deny, &html! { button.deny type="submit" { "Deny" } }))
            @if let Some(offer) = row.offer.as_ref().filter(|_| row.view.described) {
                div.offer {
                    p id=(offer_text) { (visible(&offer.text())) }
                    (answer(owner, row, Resolution::ApproveForTask, &html! {
                        (repeated(offer))
                        button.approve type="submit" aria-describedby=(offer_text) { "Allow for this task" }
                    }))
                }
            }
        }
    }
}

/// The offer as the answer must repeat it (OFF-5).
fn repeated(offer: &Offer) -> Markup {
    html! {
        input type="hidden" name="origin" value=(offer.origin);
        input type="hidden" name="path_prefix" value=(offer.path_prefix);
    }
}

fn answer(owner: &SignedIn, row: &ApprovalRow, resolution: Resolution, rest: &Markup) -> Markup {
    html! {
        form method="post" action={ "/console/approvals/" (row.approval) "/resolve" } {
            (form_token(owner))
            input type="hidden" name="resolution" value=(resolution.as_str());
            (rest)
        }
    }
}

fn key_name(key: &str) -> &str {
    if key == " " { "Space" } else { key }
}

fn distance(pixels: i32, forward: &str, back: &str) -> String {
    match pixels {
        0 => String::new(),
        _ => format!("{} pixels {} ", pixels.unsigned_abs(), if pixels > 0 { forward } else { back }),
    }
}
