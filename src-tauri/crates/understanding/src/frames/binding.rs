//! The result of following a rule: which stretch of the message fills which role.

use std::ops::Range;
use std::rc::Rc;

use super::grammar::{Category, GRAMMAR};
use super::lattice::Filler;

/// The value of a role.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Value {
    /// Free text, as token ranges: several if something between them was taken out.
    Text(Vec<Range<usize>>),
    /// An expression of the lattice, with the tokens it covers.
    Filler(Filler, Range<usize>),
    /// A word that the rules supply.
    Constant(&'static str),
    /// A reading by another category.
    Inner(Rc<Binding>),
}

/// One reading of a stretch of the message by one rule.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Binding {
    /// Index of the category, and of the rule within it.
    pub rule: (usize, usize),
    /// Roles with their values, in the order of the message.
    pub roles: Vec<(&'static str, Value)>,
    /// Token range from the first word that was read to the last.
    pub span: Range<usize>,
    /// Tokens that a loose reading left out.
    pub left_out: Vec<usize>,
    /// Score; higher is better.
    pub score: f32,
}

impl Binding {
    /// Returns the category of the rule.
    pub fn category(&self) -> &'static Category {
        &GRAMMAR.categories[self.rule.0]
    }

    /// Returns the first value of a role.
    pub fn get(&self, role: &str) -> Option<&Value> {
        self.all(role).next()
    }

    /// Iterates over all values of a role.
    pub fn all<'a, 'r>(&'a self, role: &'r str) -> impl Iterator<Item = &'a Value> + use<'a, 'r> {
        let fills = move |(name, _): &&(&'static str, Value)| *name == role;
        self.roles.iter().filter(fills).map(|(_, value)| value)
    }

    /// Iterates over the token ranges of free text.
    pub fn texts(&self) -> impl Iterator<Item = Range<usize>> + use<'_> {
        let texts = self.roles.iter().filter_map(|(_, value)| match value {
            Value::Text(stretches) => Some(stretches),
            _ => None,
        });
        texts.flatten().cloned()
    }

    /// Returns the token ranges of free text in this binding and in all bindings inside it.
    pub fn all_texts(&self) -> Vec<Range<usize>> {
        let inner = self.roles.iter().filter_map(|(_, value)| match value {
            Value::Inner(inner) => Some(inner.all_texts()),
            _ => None,
        });
        self.texts().chain(inner.flatten()).collect()
    }

    /// Reports whether a role has a value.
    pub fn has(&self, role: &str) -> bool {
        self.get(role).is_some()
    }

    /// Returns the first constant among the values of a role.
    pub fn constant(&self, role: &str) -> Option<&'static str> {
        self.all(role).find_map(|value| match value {
            Value::Constant(word) => Some(*word),
            _ => None,
        })
    }

    /// Returns the first reading by another category among the values of a role.
    pub fn inner(&self, role: &str) -> Option<&Rc<Binding>> {
        self.all(role).find_map(|value| match value {
            Value::Inner(inner) => Some(inner),
            _ => None,
        })
    }

    /// Iterates over the times and lengths of time that fill a role, as indices into the lattice's `times`.
    pub fn times<'a>(&'a self, role: &'a str) -> impl Iterator<Item = usize> + use<'a> {
        self.all(role).filter_map(|value| match value {
            Value::Filler(Filler::Time(time) | Filler::Length(time), _) => Some(*time),
            _ => None,
        })
    }
}
