//! What a browser shows and what can be done with it, as plain values.

pub mod action;
pub mod constraint;
pub mod element;
pub mod outcome;

pub use action::{Action, ActionKind, InvalidAction, TypeMode};
pub use constraint::{ConsequenceCeiling, Constraint, ConstraintError, GrantKind};
pub use element::{ChoiceOption, ElementFacts, FieldKind, Labels, Source};
pub use outcome::Outcome;
