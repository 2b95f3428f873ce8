//! Reading a table: one row a line, fields between bars, `#` begins a comment line.

/// One row with its line number.
#[derive(Clone)]
pub(crate) struct Row {
    /// For messages: file and line.
    pub(crate) at: String,
    /// The fields, trimmed, with `\u{...}` replaced by the character.
    pub(crate) fields: Vec<String>,
}

impl Row {
    /// A field; empty when the row has fewer.
    pub(crate) fn field(&self, number: usize) -> &str {
        self.fields.get(number).map_or("", String::as_str)
    }
}

/// Every row of a table. Panics on an empty one, which would prove nothing.
pub(crate) fn rows(file: &str, table: &str) -> Vec<Row> {
    let rows: Vec<Row> = table
        .lines()
        .enumerate()
        .filter(|(_, line)| !line.trim().is_empty() && !line.starts_with('#'))
        .map(|(number, line)| Row {
            at: format!("{file}:{}", number + 1),
            fields: line.split('|').map(|field| unescaped(field.trim())).collect(),
        })
        .collect();
    assert!(!rows.is_empty(), "{file} has no rows");
    rows
}

/// Fails with every difference at once.
pub(crate) fn report(failures: Vec<String>) {
    assert!(failures.is_empty(), "{} rows differ\n{}", failures.len(), failures.join("\n"));
}

fn unescaped(text: &str) -> String {
    let mut plain = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("\\u{") {
        let (digits, tail) = after.split_once('}').expect("a closed escape");
        plain.push_str(before);
        plain.push(u32::from_str_radix(digits, 16).ok().and_then(char::from_u32).expect("a character number"));
        rest = tail;
    }
    plain + rest
}
