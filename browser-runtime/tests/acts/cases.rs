//! Tables of small pages: what is done there, and what must follow. The format is told in
//! `tests/data/pages/README.md`.

const PAGES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/pages");

/// One row of a table.
#[derive(Debug, Default)]
pub(crate) struct Case {
    pub(crate) name: String,
    fields: Vec<(String, String)>,
    pub(crate) html: String,
}

impl Case {
    pub(crate) fn field(&self, key: &str) -> Option<&str> {
        self.fields.iter().find(|(name, _)| name == key).map(|(_, value)| value.as_str())
    }

    pub(crate) fn needed(&self, key: &str) -> &str {
        self.field(key).unwrap_or_else(|| panic!("the case {:?} has no {key:?}", self.name))
    }
}

/// Reads a table. The variable `CASE` keeps only the cases whose name holds its text.
pub(crate) fn read(file: &str) -> Vec<Case> {
    let text = std::fs::read_to_string(format!("{PAGES}/{file}")).unwrap();
    let mut cases: Vec<Case> = Vec::new();
    let mut in_page = false;
    for line in text.lines() {
        if let Some(name) = line.strip_prefix("case: ") {
            cases.push(Case { name: name.to_owned(), ..Case::default() });
            in_page = false;
        } else if let Some(case) = cases.last_mut() {
            if in_page {
                case.html.push_str(line);
                case.html.push('\n');
            } else if line == "page:" {
                in_page = true;
            } else if let Some((key, value)) = line.split_once(": ") {
                case.fields.push((key.to_owned(), value.to_owned()));
            } else {
                assert!(line.trim().is_empty() || line.starts_with('#'), "{file}: {line:?} is no field");
            }
        }
    }
    assert!(!cases.is_empty() && cases.iter().all(|case| !case.html.is_empty()), "{file}: a case without a page");
    let wanted = std::env::var("CASE").unwrap_or_default();
    cases.retain(|case| case.name.contains(&wanted));
    cases
}
