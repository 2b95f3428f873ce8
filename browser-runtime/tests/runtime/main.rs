//! Tests of the runtime on real Chromium.
