//! The messages that are generated from `eventlog/proto`.
#![allow(
    missing_docs,
    unreachable_pub,
    unused_qualifications,
    clippy::all,
    reason = "generated code; the shapes are documented in the proto files"
)]

include!(concat!(env!("OUT_DIR"), "/hallpass.log.v1.rs"));
