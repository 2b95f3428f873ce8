//! What the facts say of an element.
