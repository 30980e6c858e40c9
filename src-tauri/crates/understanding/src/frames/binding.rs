//! What a rule has read: which stretch of the message fills which role.

use std::ops::Range;
use std::rc::Rc;

use super::grammar::{Category, GRAMMAR};
use super::lattice::Filler;

/// What fills a role.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Value {
    /// Words: tokens, in several stretches where something else stood between them.
    Text(Vec<Range<usize>>),
    /// An expression of the lattice, with the tokens it covers.
    Filler(Filler, Range<usize>),
    /// A word of the rules.
    Constant(&'static str),
    /// What the rules of another category have read.
    Inner(Rc<Binding>),
}

/// One reading of a stretch by one rule.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Binding {
    /// The category and the number of the rule in it.
    pub rule: (usize, usize),
    /// What fills which role, in the order said.
    pub roles: Vec<(&'static str, Value)>,
    /// Tokens from its first to its last word.
    pub span: Range<usize>,
    /// Tokens that a loose reading left out.
    pub left_out: Vec<usize>,
    /// How well it fits; more is better.
    pub score: f32,
}

impl Binding {
    /// The category it was read by.
    pub fn category(&self) -> &'static Category {
        &GRAMMAR.categories[self.rule.0]
    }

    /// What fills a role first.
    pub fn get(&self, role: &str) -> Option<&Value> {
        self.all(role).next()
    }

    /// Everything that fills a role.
    pub fn all<'a, 'r>(&'a self, role: &'r str) -> impl Iterator<Item = &'a Value> + use<'a, 'r> {
        let fills = move |(name, _): &&(&'static str, Value)| *name == role;
        self.roles.iter().filter(fills).map(|(_, value)| value)
    }

    /// The stretches of free words.
    pub fn texts(&self) -> impl Iterator<Item = Range<usize>> + use<'_> {
        let texts = self.roles.iter().filter_map(|(_, value)| match value {
            Value::Text(stretches) => Some(stretches),
            _ => None,
        });
        texts.flatten().cloned()
    }

    /// The stretches of free words in it and in whatever it holds.
    pub fn all_texts(&self) -> Vec<Range<usize>> {
        let inner = self.roles.iter().filter_map(|(_, value)| match value {
            Value::Inner(inner) => Some(inner.all_texts()),
            _ => None,
        });
        self.texts().chain(inner.flatten()).collect()
    }

    /// Whether something fills a role.
    pub fn has(&self, role: &str) -> bool {
        self.get(role).is_some()
    }

    /// The constant that fills a role.
    pub fn constant(&self, role: &str) -> Option<&'static str> {
        self.all(role).find_map(|value| match value {
            Value::Constant(word) => Some(*word),
            _ => None,
        })
    }

    /// What another category read for a role.
    pub fn inner(&self, role: &str) -> Option<&Rc<Binding>> {
        self.all(role).find_map(|value| match value {
            Value::Inner(inner) => Some(inner),
            _ => None,
        })
    }

    /// The times that fill a role; indices of the lattice's times.
    pub fn times<'a>(&'a self, role: &'a str) -> impl Iterator<Item = usize> + use<'a> {
        self.all(role).filter_map(|value| match value {
            Value::Filler(Filler::Time(time) | Filler::Length(time), _) => Some(*time),
            _ => None,
        })
    }
}
