//! The vocabulary as a tree of words: one step for each word of a text, whatever the vocabulary's size.

use super::vocabulary::{Form, Meaning};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// A place in the tree.
type Node = u32;
const ROOT: Node = 0;

/// Every form, word by word.
#[derive(Debug, Default)]
pub(super) struct Lexicon {
    /// Words by number.
    words: FxHashMap<String, u32>,
    /// Where each word leads to as the first of a form; the root again when it begins none.
    begun: Vec<Node>,
    /// Where a word leads to, from a place that other words lead to.
    next: FxHashMap<(Node, u32), Node>,
    meanings: Vec<Vec<Meaning>>,
}

/// Where the words read so far lead to: one place for each form that may have begun.
#[derive(Debug, Default)]
pub(super) struct Path {
    open: Vec<Node>,
    /// Where they led to one word before.
    left: Vec<Node>,
}

impl Lexicon {
    /// The tree of these forms.
    pub(super) fn new(forms: Vec<Form>) -> Self {
        let mut by_form: BTreeMap<String, Vec<Meaning>> = BTreeMap::new();
        for (form, meaning) in forms {
            let meanings = by_form.entry(form).or_default();
            if !meanings.contains(&meaning) {
                meanings.push(meaning);
            }
        }
        let mut lexicon = Self { meanings: vec![Vec::new()], ..Self::default() };
        for (form, meanings) in by_form {
            let end = form.split(' ').fold(ROOT, |node, word| lexicon.grow(node, word));
            if let Some(known) = lexicon.meanings.get_mut(index(end)) {
                known.extend(meanings);
            }
        }
        lexicon
    }

    fn grow(&mut self, from: Node, word: &str) -> Node {
        let number = u32::try_from(self.words.len()).unwrap_or(u32::MAX);
        let word = *self.words.entry(word.to_owned()).or_insert(number);
        let new = u32::try_from(self.meanings.len()).unwrap_or(u32::MAX);
        if self.begun.len() <= index(word) {
            self.begun.push(ROOT);
        }
        let known = if from == ROOT { self.begun.get_mut(index(word)) } else { Some(self.next.entry((from, word)).or_insert(ROOT)) };
        match known {
            Some(node) if *node != ROOT => *node,
            Some(node) => {
                *node = new;
                self.meanings.push(Vec::new());
                new
            }
            None => ROOT,
        }
    }

    /// Every word of every form.
    pub(super) fn words(&self) -> impl Iterator<Item = &str> {
        self.words.keys().map(String::as_str)
    }

    /// The number of a word; `None` for one that no form has.
    pub(super) fn number(&self, word: &str) -> Option<u32> {
        self.words.get(word).copied()
    }

    /// Takes one more word and tells what each form means that ends with it. The word may be read in
    /// several ways, each with its number.
    pub(super) fn step<'l>(&'l self, path: &mut Path, ways: impl Iterator<Item = u32>, mut tell: impl FnMut(&'l Meaning)) {
        std::mem::swap(&mut path.open, &mut path.left);
        path.open.clear();
        for word in ways {
            let further = path.left.iter().filter_map(|node| self.next.get(&(*node, word)));
            for next in further.copied().chain(self.begins(word)) {
                path.open.push(next);
                self.meanings.get(index(next)).into_iter().flatten().for_each(&mut tell);
            }
        }
    }

    /// What a single word means by itself.
    pub(super) fn alone(&self, word: &str) -> &[Meaning] {
        let node = self.number(word).and_then(|word| self.begins(word));
        node.and_then(|node| self.meanings.get(index(node))).map_or(&[], Vec::as_slice)
    }

    fn begins(&self, word: u32) -> Option<Node> {
        self.begun.get(index(word)).copied().filter(|node| *node != ROOT)
    }
}

fn index(node: Node) -> usize {
    usize::try_from(node).unwrap_or(usize::MAX)
}
