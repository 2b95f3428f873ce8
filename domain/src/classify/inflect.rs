//! The regular forms of English words. A form that nobody writes costs nothing; a missing one does.

/// Plural of a noun, or third person of a verb.
pub(super) fn plural(word: &str) -> String {
    let hissing = ["s", "x", "z", "ch", "sh"].iter().any(|end| word.ends_with(end));
    match word.strip_suffix('y') {
        _ if hissing => format!("{word}es"),
        Some(stem) if !ends_in_vowel(stem) => format!("{stem}ies"),
        _ => format!("{word}s"),
    }
}

/// Every regular form of a word, itself first.
pub(super) fn every_form(word: &str) -> Vec<String> {
    let mut forms = vec![word.to_owned(), plural(word)];
    let mut stems = vec![word.to_owned()];
    if doubles(word) {
        stems.extend(word.chars().last().map(|last| format!("{word}{last}")));
    }
    for stem in stems {
        forms.push(past(&stem));
        forms.push(progressive(&stem));
    }
    let british: Vec<String> = forms.iter().filter(|form| form.contains("iz")).map(|form| form.replacen("iz", "is", 1)).collect();
    forms.extend(british);
    forms
}

fn past(stem: &str) -> String {
    if stem.ends_with('e') {
        return format!("{stem}d");
    }
    match stem.strip_suffix('y') {
        Some(short) if !ends_in_vowel(short) => format!("{short}ied"),
        _ => format!("{stem}ed"),
    }
}

fn progressive(stem: &str) -> String {
    if let Some(short) = stem.strip_suffix("ie") {
        return format!("{short}ying");
    }
    let keeps_e = ["ee", "oe", "ye"].iter().any(|end| stem.ends_with(end));
    match stem.strip_suffix('e') {
        Some(short) if !keeps_e => format!("{short}ing"),
        _ => format!("{stem}ing"),
    }
}

/// Whether the last letter may double: one vowel before one consonant (ship, shipping). Stress is
/// not known, so both spellings are made.
fn doubles(word: &str) -> bool {
    let mut ending = word.chars().rev();
    let consonant = ending.next().is_some_and(|c| c.is_ascii_lowercase() && !is_vowel(c) && !matches!(c, 'w' | 'x' | 'y'));
    consonant && ending.next().is_some_and(is_vowel)
}

fn ends_in_vowel(text: &str) -> bool {
    text.chars().last().is_none_or(is_vowel)
}

fn is_vowel(c: char) -> bool {
    matches!(c, 'a' | 'e' | 'i' | 'o' | 'u')
}

#[cfg(test)]
mod tests {
    use super::{every_form, plural};

    /// CLS-5: the ordinary spelling rules.
    #[test]
    fn regular_forms_follow_the_spelling_rules() {
        for (word, form) in [
            ("donate", "donated"),
            ("donate", "donating"),
            ("reply", "replies"),
            ("reply", "replied"),
            ("ship", "shipping"),
            ("transfer", "transferred"),
            ("transfer", "transfered"),
            ("authorize", "authorised"),
            ("purge", "purging"),
            ("agree", "agreeing"),
            ("pay", "pays"),
            ("trash", "trashes"),
            ("log", "logging"),
            ("untie", "untying"),
        ] {
            assert!(every_form(word).iter().any(|made| made == form), "{word} gives {form}");
        }
        assert_eq!(plural("currency"), "currencies");
        assert!(!every_form("pay").iter().any(|form| form == "paies"), "a vowel keeps its y");
    }
}
