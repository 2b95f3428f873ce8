//! The classifier's version: two builds that could judge differently never have the same one.

use sha2::{Digest, Sha256};
use std::sync::OnceLock;

/// Everything that a verdict depends on in this crate: words, tables and code.
const JUDGING: [&str; 50] = [
    include_str!("../classify.rs"),
    include_str!("../coverage.rs"),
    include_str!("../scope.rs"),
    include_str!("../browser/element.rs"),
    include_str!("../browser/action.rs"),
    include_str!("../classify/found.rs"),
    include_str!("../classify/inflect.rs"),
    include_str!("../classify/letters.rs"),
    include_str!("../classify/lexicon.rs"),
    include_str!("../classify/look_alike.rs"),
    include_str!("../classify/look_alikes.txt"),
    include_str!("../classify/matcher.rs"),
    include_str!("../classify/order.rs"),
    include_str!("../classify/percent.rs"),
    include_str!("../classify/plain.rs"),
    include_str!("../classify/readings.rs"),
    include_str!("../classify/routine.rs"),
    include_str!("../classify/segment.rs"),
    include_str!("../classify/vocabulary.rs"),
    include_str!("../classify/weigh.rs"),
    include_str!("../classify/vocabulary/account_change.txt"),
    include_str!("../classify/vocabulary/account_recovery.txt"),
    include_str!("../classify/vocabulary/areas.txt"),
    include_str!("../classify/vocabulary/authentication.txt"),
    include_str!("../classify/vocabulary/currency.txt"),
    include_str!("../classify/vocabulary/deletion.txt"),
    include_str!("../classify/vocabulary/file_transfer.txt"),
    include_str!("../classify/vocabulary/legal.txt"),
    include_str!("../classify/vocabulary/message.txt"),
    include_str!("../classify/vocabulary/money_movement.txt"),
    include_str!("../classify/vocabulary/payment.txt"),
    include_str!("../classify/vocabulary/permission.txt"),
    include_str!("../classify/vocabulary/purchase.txt"),
    include_str!("../classify/vocabulary/routine.txt"),
    include_str!("../classify/vocabulary/subscription.txt"),
    include_str!("../coverage/address.rs"),
    include_str!("../coverage/credential.rs"),
    include_str!("../coverage/digits.rs"),
    include_str!("../coverage/element.rs"),
    include_str!("../coverage/formula.rs"),
    include_str!("../coverage/groups.rs"),
    include_str!("../coverage/key_beginnings.txt"),
    include_str!("../coverage/opaque.rs"),
    include_str!("../coverage/options.rs"),
    include_str!("../coverage/reason.rs"),
    include_str!("../coverage/text.rs"),
    include_str!("../scope/host.rs"),
    include_str!("../scope/list.rs"),
    include_str!("../scope/path.rs"),
    include_str!("../scope/refusal.rs"),
];

/// A digest of the vocabulary, the tables and the code of classifier, coverage rules and scopes: 16 hex
/// digits of a SHA-256. A runtime with another version is refused for constrained acts.
#[must_use]
pub fn version() -> &'static str {
    static VERSION: OnceLock<String> = OnceLock::new();
    VERSION.get_or_init(|| {
        let mut digest = Sha256::new();
        for text in JUDGING {
            digest.update(text.len().to_be_bytes());
            digest.update(text.as_bytes());
        }
        digest.finalize().iter().take(8).map(|byte| format!("{byte:02x}")).collect()
    })
}

#[cfg(test)]
mod tests {
    use super::JUDGING;
    use std::collections::BTreeSet;
    use std::path::Path;

    /// RUN-5: no file of the judging parts is left out.
    #[test]
    fn every_judging_file_is_in_the_version() {
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
        let folders = ["classify", "classify/vocabulary", "coverage", "scope"];
        let listed = folders.iter().flat_map(|folder| std::fs::read_dir(source.join(folder)).expect("a folder"));
        let paths = listed.map(|entry| entry.expect("an entry").path()).filter(|path| path.is_file());
        // This file and the tests judge nothing.
        let judging = paths.filter(|path| !path.ends_with("version.rs") && !path.ends_with("conformity.rs"));
        let files = judging.chain(["classify.rs", "coverage.rs", "scope.rs"].map(|file| source.join(file)));
        let known: BTreeSet<&str> = JUDGING.into_iter().collect();
        for file in files {
            let text = std::fs::read_to_string(&file).expect("a file");
            assert!(known.contains(text.as_str()), "{} is not in the version", file.display());
        }
    }
}
