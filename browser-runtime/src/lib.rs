//! browser-runtime.
