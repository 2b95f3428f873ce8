//! `hallpass classify` as it is built and run.

#![allow(clippy::expect_used, clippy::indexing_slicing, reason = "a test fails by panicking")]

use serde_json::Value;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, Command, ExitStatus, Stdio};

const LINES: &str = include_str!("../../tests/data/classify_command/lines.txt");
/// Memory of the program, in KiB, whatever is put in: the program itself, its vocabulary, and a few
/// times the longest line.
const MEMORY_KIB_MAX: u64 = 64 * 1024;
/// Short lines that are put in to see that memory stays as it is.
const SHORT_LINES: usize = 2_000;
/// Bytes of one line that is put in against the bound, and of several as long as one may be.
const ENDLESS_LINE_BYTES: usize = 128 * 1024 * 1024;
const LONG_LINES: usize = 32;

fn start() -> Child {
    Command::new(env!("CARGO_BIN_EXE_hallpass"))
        .arg("classify")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program starts")
}

/// What comes out for what is put in.
fn run(input: Vec<u8>) -> (ExitStatus, Vec<Value>) {
    let mut child = start();
    let mut stdin = child.stdin.take().expect("an input");
    let writer = std::thread::spawn(move || stdin.write_all(&input));
    let output = child.wait_with_output().expect("an end");
    writer.join().expect("a writer").expect("the input is taken");
    let lines = String::from_utf8(output.stdout).expect("UTF-8");
    (output.status, lines.lines().map(|line| serde_json::from_str(line).expect("a JSON line")).collect())
}

/// CLS-1, CLS-2, COV-10: each line of the table has its answer, in order, and a malformed one makes the
/// exit status 1.
#[test]
fn lines_are_answered_as_the_table_says() {
    let put_in: Vec<&str> = LINES.lines().filter_map(|line| line.strip_prefix("> ")).collect();
    let expected: Vec<Value> =
        LINES.lines().filter_map(|line| line.strip_prefix("< ")).map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert!(put_in.len() == expected.len() && put_in.len() > 50);
    let (status, answers) = run(put_in.join("\n").into_bytes());
    assert_eq!(answers.len(), expected.len());
    assert_eq!(status.code(), Some(1));
    let mut failures = Vec::new();
    for ((line, expected), answer) in put_in.iter().zip(&expected).zip(&answers) {
        for (field, value) in expected.as_object().expect("an object") {
            let found = &answer[field];
            let contained = field == "error" && found.as_str().unwrap_or_default().contains(value.as_str().unwrap_or("nothing"));
            if found != value && !contained {
                failures.push(format!("{line}\n  {field}: {found}, not {value}"));
            }
        }
        let fields: Vec<&str> = answer.as_object().expect("an object").keys().map(String::as_str).collect();
        let whole = ["consequence", "id", "matches", "standing_grant", "task_grant"];
        assert!(fields == ["error", "id"] || fields == whole, "{line}: {fields:?}");
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    let sound: Vec<&str> =
        put_in.iter().zip(&expected).filter(|(_, expected)| expected.get("error").is_none()).map(|(line, _)| *line).collect();
    assert_eq!(run(sound.join("\n").into_bytes()).0.code(), Some(0));
    assert_eq!(run(Vec::new()).0.code(), Some(0));
}

/// The peak of the program's memory so far, in KiB (proc_pid_status(5), `VmHWM`).
fn peak_kib(child: &Child) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{}/status", child.id())).expect("a status");
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).expect("a peak");
    line.trim().trim_end_matches(" kB").parse().expect("a number")
}

/// CLS-10: memory is bounded however many and however long the lines are.
#[test]
fn memory_stays_the_same() {
    let mut child = start();
    let mut stdin = child.stdin.take().expect("an input");
    let mut answers = BufReader::new(child.stdout.take().expect("an output")).lines();
    let mut next = move || answers.next().expect("an answer").expect("a line");
    let long = format!("{{\"id\":1,\"mistake\":\"{}\"}}\n", "x".repeat(1024 * 1024 - 30));
    let writer = std::thread::spawn(move || {
        for _ in 0..SHORT_LINES {
            stdin.write_all(b"{\"label\":\"hund\"}\n")?;
        }
        for _ in 0..LONG_LINES {
            stdin.write_all(long.as_bytes())?;
        }
        let block = vec![b'x'; 1024 * 1024];
        for _ in 0..ENDLESS_LINE_BYTES / block.len() {
            stdin.write_all(&block)?;
        }
        stdin.write_all(b"\n{\"id\":\"last\",\"label\":\"hund\"}\n")?;
        Ok::<_, std::io::Error>(stdin)
    });
    for _ in 0..SHORT_LINES {
        assert!(next().contains("consequence"));
    }
    for _ in 0..LONG_LINES {
        assert!(next().contains("mistake"));
    }
    assert!(next().contains("longer than 1 MiB"));
    assert!(next().contains("\"id\":\"last\""));
    // The input is still open, so the program is still there to be looked at.
    let peak = peak_kib(&child);
    assert!(peak <= MEMORY_KIB_MAX, "{peak} KiB");
    drop(writer.join().expect("a writer").expect("the input is taken"));
    assert_eq!(child.wait().expect("an end").code(), Some(1));
}
