//! Stored events that were written once and must be read for ever. The files are never made anew:
//! a change that makes this fail breaks every log that exists.

mod names;
mod refused;
mod samples;

use eventlog::codec::{TYPES, decode, encode};
use samples::samples;
use std::collections::BTreeSet;
use std::path::PathBuf;

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("data/eventlog/v1")
}

/// Reads a file of hexadecimal digits, broken into lines.
fn golden(name: &str) -> Vec<u8> {
    let path = folder().join(format!("{name}.hex"));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let digits: Vec<u8> = text.chars().filter(|c| !c.is_whitespace()).map(|c| u8::try_from(c.to_digit(16).unwrap()).unwrap()).collect();
    digits.chunks(2).map(|pair| pair[0] << 4 | pair[1]).collect()
}

/// EVT-5: every frozen event is read as the event that it was, and written again as the same bytes.
#[test]
fn frozen_events_are_read_and_written_alike() {
    for (name, event) in samples() {
        let bytes = golden(name);
        let read = decode(event.type_name(), 1, &bytes).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(read, event, "{name}");
        let written = encode(&event);
        assert_eq!((written.type_name, written.schema_version), (event.type_name(), 1), "{name}");
        assert_eq!(written.payload, bytes, "{name}");
    }
}

/// EVT-5: every event type of the core can be read, and has a frozen event of its own name.
#[test]
fn every_event_type_has_a_frozen_event() {
    let source = include_str!("../../../domain/src/event.rs");
    let (_, names) = source.split_once("fn type_name").expect("the core names its events");
    let (names, _) = names.split_once("fn stream").expect("the streams follow");
    let named: BTreeSet<&str> = names.split('"').skip(1).step_by(2).collect();
    let known: BTreeSet<&str> = TYPES.iter().copied().collect();
    assert_eq!(known, named);
    let sampled: BTreeSet<&str> = samples().iter().filter(|(name, event)| *name == event.type_name()).map(|(name, _)| *name).collect();
    assert_eq!(sampled, named);
}

/// Every file is looked at: one that no sample names would freeze nothing.
#[test]
fn every_frozen_event_has_a_sample() {
    let files = std::fs::read_dir(folder()).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let files: BTreeSet<String> = files.collect();
    let named: BTreeSet<String> = samples().iter().map(|(name, _)| format!("{name}.hex")).collect();
    assert_eq!(files, named);
}

/// EVT-5: whatever a changed byte makes of an event, reading it is an error or a whole event,
/// which is written and read alike; never a panic.
#[test]
fn a_changed_byte_is_an_error_or_a_whole_event() {
    let mut refused = 0;
    for (name, event) in samples() {
        let frozen = golden(name);
        for index in 0..frozen.len() {
            for mask in [0x01, 0x08, 0x80, 0xff] {
                let mut changed = frozen.clone();
                changed[index] ^= mask;
                match decode(event.type_name(), 1, &changed) {
                    Ok(read) => assert_eq!(decode(read.type_name(), 1, &encode(&read).payload), Ok(read), "{name} {index} {mask}"),
                    Err(_) => refused += 1,
                }
            }
            let cut = decode(event.type_name(), 1, &frozen[..index]);
            assert_ne!(cut, Ok(event.clone()), "{name} {index}");
        }
    }
    assert!(refused > 1_000, "{refused}");
}
