//! The one integration test binary.

mod console;
mod demo;
mod eventlog;
mod http;
mod lute;
mod pipeline;
mod rebuild;
mod serve;
mod tidy;
