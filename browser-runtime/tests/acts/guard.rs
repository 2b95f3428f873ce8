//! Hostile pages.
