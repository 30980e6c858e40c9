//! A rule that the parser is following.

use std::ops::Range;
use std::rc::Rc;

use super::super::binding::{Binding, Value};
use super::super::lattice::Lattice;

/// The state of following a rule. Cheap to clone: partial readings share the list of filled roles.
#[derive(Clone)]
pub(super) struct PartialReading {
    /// Number of parts read so far, including an open text.
    pub done: usize,
    /// Free text that may continue.
    pub text: Option<OpenText>,
    roles: Roles,
    /// The first token that was read as something, and the token after the last.
    span: Option<(usize, usize)>,
    /// The score so far.
    pub score: f32,
}

/// Free text that may continue.
#[derive(Clone)]
pub(super) struct OpenText {
    role: &'static str,
    /// Whether it is speech, which is kept word for word: an adjunct ends it instead of being taken out.
    pub speech: bool,
    /// Its tokens: several ranges if something was taken out.
    pub stretches: Vec<Range<usize>>,
}

/// A linked list of filled roles, the latest first. Partial readings share their common tail.
#[derive(Clone, Default)]
struct Roles(Option<Rc<RoleNode>>);

struct RoleNode {
    filled: RoleEntry,
    before: Roles,
}

/// What filled a role.
pub(super) enum RoleEntry {
    /// A role with its value.
    By(&'static str, Value),
    /// A role with an expression of the lattice: its first token, and its index among the expressions there.
    Edge(&'static str, usize, usize),
    /// The roles of an adjunct.
    Adjunct(Rc<Binding>),
    /// A token that a loose reading leaves out; fills no role.
    Nothing(usize),
}

impl PartialReading {
    /// Creates the state for a rule whose first `done` parts are skipped, with the constants of the rule.
    pub fn new(done: usize, constants: &[(&'static str, &'static str)], score: f32) -> Self {
        let mut partial = Self {
            done,
            text: None,
            roles: Roles::default(),
            span: None,
            score,
        };
        for (role, word) in constants {
            partial.fill(RoleEntry::By(role, Value::Constant(word)));
        }
        partial
    }

    /// Returns the state after reading the next part from these tokens.
    pub fn read(&self, tokens: (usize, usize), score: f32, filled: Option<RoleEntry>) -> Self {
        let mut next = self.clone();
        next.close();
        next.done += 1;
        next.score += score;
        next.covers(tokens);
        if let Some(filled) = filled {
            next.fill(filled);
        }
        next
    }

    /// Returns the state after opening free text as the next part.
    pub fn opened(&self, role: &'static str, speech: bool) -> Self {
        let mut next = self.clone();
        next.close();
        next.done += 1;
        next.text = Some(OpenText {
            role,
            speech,
            stretches: Vec::new(),
        });
        next
    }

    /// Returns the state after reading an adjunct. Speech ends there; other free text stays open.
    pub fn with(&self, adjunct: &Rc<Binding>, score: f32) -> Self {
        let mut next = self.clone();
        if self.is_speech() {
            next.close();
        }
        next.fill(RoleEntry::Adjunct(Rc::clone(adjunct)));
        next.score += adjunct.score + score;
        next.covers((adjunct.span.start, adjunct.span.end));
        next
    }

    /// Returns the state after leaving out a token.
    pub fn without(&self, at: usize, cost: f32) -> Self {
        let mut next = self.clone();
        next.score += cost;
        next.fill(RoleEntry::Nothing(at));
        next
    }

    /// Reports whether its last part is speech that may continue.
    pub fn is_speech(&self) -> bool {
        self.text.as_ref().is_some_and(|text| text.speech)
    }

    /// Returns the place in the rule: only partial readings at the same place compete.
    pub fn place(&self) -> usize {
        self.done * 2 + usize::from(self.text.is_some())
    }

    /// Records that tokens were read as something.
    pub fn covers(&mut self, (start, end): (usize, usize)) {
        self.span = Some(match self.span {
            Some(span) => (span.0.min(start), span.1.max(end)),
            None => (start, end),
        });
    }

    /// Returns the token after the last one that was read as something.
    pub fn end(&self) -> Option<usize> {
        self.span.map(|span| span.1)
    }

    /// If the last adjunct is a time that ends right before `at`, returns its first token.
    pub fn time_before(&self, at: usize) -> Option<usize> {
        match self.roles.iter().next()? {
            RoleEntry::Adjunct(last) if last.span.end == at && last.has("when") => {
                Some(last.span.start)
            }
            _ => None,
        }
    }

    /// Reports whether any filled role satisfies a predicate.
    pub fn fills(&self, is: impl Fn(&str) -> bool) -> bool {
        self.text.as_ref().is_some_and(|text| is(text.role))
            || self.roles.iter().any(|filled| match filled {
                RoleEntry::By(role, _) | RoleEntry::Edge(role, ..) => is(role),
                RoleEntry::Adjunct(inner) => inner.roles.iter().any(|(role, _)| is(role)),
                RoleEntry::Nothing(_) => false,
            })
    }

    /// Returns the finished reading. `start` is the token at which the rule began.
    pub fn binding(&self, rule: (usize, usize), start: usize, lattice: &Lattice<'_>) -> Binding {
        let mut filled: Vec<&RoleEntry> = self.roles.iter().collect();
        filled.reverse();
        let mut roles = Vec::new();
        let mut left_out = Vec::new();
        for one in filled {
            match one {
                RoleEntry::By(role, value) => roles.push((*role, value.clone())),
                RoleEntry::Edge(role, at, number) => {
                    let edge = &lattice.edges(*at)[*number];
                    let value = Value::Filler(edge.filler.clone(), *at..edge.end);
                    roles.push((*role, value));
                }
                RoleEntry::Adjunct(inner) => roles.extend(inner.roles.iter().cloned()),
                RoleEntry::Nothing(at) => left_out.push(*at),
            }
        }
        if let Some(text) = &self.text {
            roles.push((text.role, Value::Text(text.stretches.clone())));
        }
        let (from, to) = self.span.unwrap_or((start, start));
        Binding {
            rule,
            roles,
            span: from..to,
            left_out,
            score: self.score,
        }
    }

    fn fill(&mut self, filled: RoleEntry) {
        let before = std::mem::take(&mut self.roles);
        self.roles = Roles(Some(Rc::new(RoleNode { filled, before })));
    }

    fn close(&mut self) {
        if let Some(text) = self.text.take() {
            self.fill(RoleEntry::By(text.role, Value::Text(text.stretches)));
        }
    }
}

impl Roles {
    fn iter(&self) -> impl Iterator<Item = &RoleEntry> {
        let first = self.0.as_deref();
        std::iter::successors(first, |link| link.before.0.as_deref()).map(|link| &link.filled)
    }
}
