//! Which path gives which file. A closed table: there is no directory to leave.

/// What a path gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Answer {
    /// A file of the site.
    File {
        /// Its media type.
        media_type: &'static str,
        /// Its content.
        bytes: &'static [u8],
    },
    /// Another path.
    Moved(&'static str),
    /// A note that a control of consequence was pressed; nothing to show.
    Noted,
    /// Nothing.
    Unknown,
}

/// The controls of consequence, as the pages' `data-did` name them.
const DEEDS: [&str; 9] = ["gems", "paid", "deleted", "bought", "subscribed", "sent", "sharing", "saved", "account"];

macro_rules! file {
    ($media_type:literal, $name:literal) => {
        Answer::File { media_type: $media_type, bytes: include_bytes!(concat!("../../../tests/lesson-site/", $name)) }
    };
}

macro_rules! page {
    ($name:literal) => {
        file!("text/html; charset=utf-8", $name)
    };
}

/// What the path gives. Paths are compared as written: an encoded one is no page of ours.
pub(super) fn answer(path: &str) -> Answer {
    if path == "/" {
        return Answer::Moved("/lesson");
    }
    if let Some(deed) = path.strip_prefix("/did/") {
        return if DEEDS.contains(&deed) { Answer::Noted } else { Answer::Unknown };
    }
    if let Some(name) = path.strip_prefix("/lesson/assets/") {
        return asset(name);
    }
    match path {
        "/lesson" | "/lesson/" => page!("start.html"),
        "/lesson/unit/1" | "/lesson/unit/2" => page!("unit.html"),
        "/lesson/done" => page!("done.html"),
        "/lesson/practice" => page!("practice.html"),
        "/shop" => page!("shop.html"),
        "/messages" => page!("messages.html"),
        "/settings" => page!("settings.html"),
        "/account" => page!("account.html"),
        "/login" => page!("login.html"),
        _ => Answer::Unknown,
    }
}

fn asset(name: &str) -> Answer {
    match name {
        "style.css" => file!("text/css; charset=utf-8", "style.css"),
        "icon.svg" => file!("image/svg+xml", "icon.svg"),
        "extras.js" => file!("text/javascript; charset=utf-8", "extras.js"),
        "kinds.js" => file!("text/javascript; charset=utf-8", "kinds.js"),
        "lesson.js" => file!("text/javascript; charset=utf-8", "lesson.js"),
        "practice.js" => file!("text/javascript; charset=utf-8", "practice.js"),
        "steps.js" => file!("text/javascript; charset=utf-8", "steps.js"),
        _ => Answer::Unknown,
    }
}
