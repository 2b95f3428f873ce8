//! Verdicts on the lines of standard input, each judged as the name and the text of a clicked button:
//! consequence, tab, `class:word` of every match. The measuring script reads them.

use domain::browser::{Action, ElementFacts, Labels};
use domain::classify::classify;
use std::io::{BufRead, Write, stdin, stdout};

fn main() -> std::io::Result<()> {
    let mut out = stdout().lock();
    for line in stdin().lock().lines() {
        let text = line?;
        let labels = Labels { visible_text: vec![text.clone()], ..Labels::default() };
        let verdict = classify(&Action::Click {}, &ElementFacts { name: text, labels, ..ElementFacts::default() });
        let mut words: Vec<String> = verdict.matches.iter().map(|found| format!("{}:{}", found.class.as_str(), found.word)).collect();
        words.dedup();
        words.sort();
        words.dedup();
        writeln!(out, "{}\t{}", verdict.consequence.as_str(), words.join(", "))?;
    }
    Ok(())
}
