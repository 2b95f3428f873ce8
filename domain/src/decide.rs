//! Deciders.
