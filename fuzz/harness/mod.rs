//! What fuzzing asserts: one file for each target, one function `check` in each. The targets of
//! `fuzz_targets` call them on new inputs, the core's tests on the inputs that were kept.

pub(crate) mod bodies;
pub(crate) mod classify;
pub(crate) mod scope;
pub(crate) mod typed;
