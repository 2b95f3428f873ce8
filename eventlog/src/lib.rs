//! eventlog.
