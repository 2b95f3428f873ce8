//! The control plane over HTTP: what is taken, in which order, and what is told back.

mod bodies;
mod endings;
mod grants;
mod leases;
mod plane;
