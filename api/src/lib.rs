//! The control plane of Hallpass: HTTP API, worker pipeline, owner console and command line.

pub mod app;
pub mod cli;
pub mod commands;
pub mod console;
pub mod demo;
pub mod http;
pub mod lesson_site;
pub mod pipeline;
pub mod problem;
pub mod random;
pub mod runtime;
pub mod scopes;
pub mod serve;
pub mod settings;
pub mod tokens;
