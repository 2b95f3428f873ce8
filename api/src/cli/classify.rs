//! `hallpass classify`: one verdict a line, in the order of the input, in constant memory.

mod answer;
mod line;

use super::FAILED;
use std::io::{BufRead, BufReader, Read, Write};
use std::process::ExitCode;

/// Bytes of one line without its end. A longer one is answered with an error and skipped.
const LINE_BYTES_MAX: usize = 1024 * 1024;
/// What some editors write at the beginning of a text (RFC 8259, section 8.1, lets a reader ignore it).
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

pub(super) fn run() -> ExitCode {
    let input = BufReader::new(std::io::stdin().lock());
    let output = std::io::BufWriter::new(std::io::stdout().lock());
    match answer_all(input, output) {
        Ok(Answered::All) => ExitCode::SUCCESS,
        Ok(Answered::SomeMalformed) => ExitCode::from(FAILED),
        Err(Broken::Input(error)) => super::refuse(FAILED, format!("standard input cannot be read: {error}")),
        // Whoever reads the answers went away; there is nobody to tell.
        Err(Broken::Output) => ExitCode::from(FAILED),
    }
}

/// How the lines of an input were answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Answered {
    All,
    SomeMalformed,
}

/// What ended the work early.
#[derive(Debug)]
enum Broken {
    Input(std::io::Error),
    Output,
}

/// What was read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Piece {
    Line,
    TooLong,
    End,
}

/// Answers every line. Blank lines are no questions. Whenever nothing more is there to be read, what was
/// answered is handed on, so that a program can ask and wait.
fn answer_all<R: Read>(mut input: BufReader<R>, mut output: impl Write) -> Result<Answered, Broken> {
    let mut answered = Answered::All;
    let mut line = Vec::new();
    let mut is_first = true;
    loop {
        if input.buffer().is_empty() {
            output.flush().map_err(|_| Broken::Output)?;
        }
        let piece = read_line(&mut input, &mut line).map_err(Broken::Input)?;
        let mut text = line.as_slice();
        if std::mem::take(&mut is_first) {
            text = text.strip_prefix(BYTE_ORDER_MARK).unwrap_or(text);
        }
        let answer = match piece {
            Piece::End => break,
            Piece::Line if text.iter().all(u8::is_ascii_whitespace) => continue,
            Piece::Line => answer::answer(text),
            Piece::TooLong => Err(answer::refusal(text, "the line is longer than 1 MiB")),
        };
        if answer.is_err() {
            answered = Answered::SomeMalformed;
        }
        let (Ok(answer) | Err(answer)) = answer;
        writeln!(output, "{answer}").map_err(|_| Broken::Output)?;
    }
    output.flush().map_err(|_| Broken::Output)?;
    Ok(answered)
}

/// Reads one line without its end; of one that is too long the beginning, and the rest is skipped unkept.
fn read_line(input: &mut impl BufRead, line: &mut Vec<u8>) -> std::io::Result<Piece> {
    line.clear();
    let read = input.by_ref().take(LINE_BYTES_MAX as u64 + 1).read_until(b'\n', line)?;
    if read == 0 {
        return Ok(Piece::End);
    }
    if line.pop_if(|last| *last == b'\n').is_some() || line.len() <= LINE_BYTES_MAX {
        return Ok(Piece::Line);
    }
    skip_line(input)?;
    Ok(Piece::TooLong)
}

fn skip_line(input: &mut impl BufRead) -> std::io::Result<()> {
    loop {
        let ahead = input.fill_buf()?;
        let end = ahead.iter().position(|byte| *byte == b'\n');
        let (skipped, is_over) = (end.map_or(ahead.len(), |at| at + 1), end.is_some() || ahead.is_empty());
        input.consume(skipped);
        if is_over {
            return Ok(());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Answered, LINE_BYTES_MAX, answer_all};
    use std::io::{BufReader, Read, Write};

    fn run(input: impl Read) -> (Answered, Vec<String>) {
        let mut output = Vec::new();
        let answered = answer_all(BufReader::new(input), &mut output).unwrap();
        (answered, String::from_utf8(output).unwrap().lines().map(str::to_owned).collect())
    }

    /// A line of exactly `bytes` bytes with the id 1.
    fn line(bytes: usize) -> String {
        let start = r#"{"id":1,"label":"hund"}"#;
        format!("{start}{}", " ".repeat(bytes - start.len()))
    }

    /// CLS-10: a line of 1 MiB is answered, a longer one is not, and neither takes its neighbour along.
    #[test]
    fn a_long_line_costs_only_itself() {
        let after = r#"{"id":2,"label":"hund"}"#;
        let (answered, lines) = run(format!("{}\n{after}\n", line(LINE_BYTES_MAX)).as_bytes());
        assert_eq!((answered, lines.len()), (Answered::All, 2));
        for long in [LINE_BYTES_MAX + 1, LINE_BYTES_MAX + 2, 5 * LINE_BYTES_MAX] {
            let (answered, lines) = run(format!("{}\n{after}\n", line(long)).as_bytes());
            assert_eq!(answered, Answered::SomeMalformed);
            assert_eq!(lines[0], r#"{"error":"the line is longer than 1 MiB","id":1}"#);
            assert!(lines[1].contains(r#""id":2"#) && lines.len() == 2, "{lines:?}");
            assert_eq!(run(line(long).as_bytes()).1, lines[..1]);
        }
    }

    /// An end of input without a line feed, a byte order mark, carriage returns and blank lines.
    #[test]
    fn ends_and_beginnings_of_lines() {
        let (answered, lines) = run("\u{feff}{\"label\":\"hund\"}\r\n\r\n\n  \n{\"label\":\"katze\"}".as_bytes());
        assert_eq!((answered, lines.len()), (Answered::All, 2));
        assert_eq!(run("".as_bytes()), (Answered::All, Vec::new()));
        assert_eq!(run("\u{feff}".as_bytes()), (Answered::All, Vec::new()));
        let (answered, lines) = run("{\"label\":\"hund\"}\n\u{feff}{\"label\":\"katze\"}\n".as_bytes());
        assert_eq!((answered, lines.len()), (Answered::SomeMalformed, 2));
    }

    /// Bytes that are no text spoil their own line; an id before them is kept.
    #[test]
    fn bytes_that_are_no_text_are_malformed() {
        let (answered, lines) = run(b"{\"id\":\"a\",\"label\":\"\xff\"}\n{\"id\":\"b\",\"label\":\"hund\"}\n".as_slice());
        assert_eq!((answered, lines.len()), (Answered::SomeMalformed, 2));
        assert!(lines[0].contains(r#""id":"a""#) && lines[0].contains("error"), "{lines:?}");
        assert!(lines[1].contains(r#""id":"b""#) && !lines[1].contains("error"), "{lines:?}");
    }

    /// Each question that is there alone is answered before the next is waited for.
    #[test]
    fn answers_do_not_wait_for_questions() {
        let (input, mut questions) = std::io::pipe().unwrap();
        let (answers, output) = std::io::pipe().unwrap();
        let worker = std::thread::spawn(move || answer_all(BufReader::new(input), std::io::BufWriter::new(output)).unwrap());
        let mut answers = std::io::BufRead::lines(BufReader::new(answers));
        for id in ["a", "b"] {
            questions.write_all(format!("{{\"id\":\"{id}\",\"label\":\"hund\"}}\n").as_bytes()).unwrap();
            assert!(answers.next().unwrap().unwrap().contains(&format!("\"id\":\"{id}\"")));
        }
        drop(questions);
        assert_eq!(worker.join().unwrap(), Answered::All);
    }

    /// A reader that went away ends the work.
    #[test]
    fn a_broken_pipe_ends_it() {
        let (answers, output) = std::io::pipe().unwrap();
        drop(answers);
        assert!(answer_all(BufReader::new(std::io::repeat(b'\n').take(9).chain(&b"{\"label\":\"hund\"}\n"[..])), output).is_err());
    }
}
