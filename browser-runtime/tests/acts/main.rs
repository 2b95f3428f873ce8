//! What happens inside the page, on real Chromium: facts, guards and acts.

mod cases;
mod facts;
mod guard;
mod lab;
mod plain;
mod site;
