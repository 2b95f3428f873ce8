//! Tests of the runtime's own parts on real Chromium and over its HTTP routes.

mod bench;
mod fence;
