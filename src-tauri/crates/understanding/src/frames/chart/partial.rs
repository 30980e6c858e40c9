//! A rule that is being followed.

use std::ops::Range;
use std::rc::Rc;

use super::super::binding::{Binding, Value};
use super::super::lattice::Lattice;

/// How far a rule was followed. Cheap to copy: what its roles have read is shared.
#[derive(Clone)]
pub(super) struct Partial {
    /// Parts of the rule that are read, counting an open text.
    pub done: usize,
    /// Text that may go on.
    pub text: Option<OpenText>,
    roles: Roles,
    /// The first token that was read as something, and the one behind the last.
    span: Option<(usize, usize)>,
    /// How well it fits.
    pub score: f32,
}

/// Text that may go on.
#[derive(Clone)]
pub(super) struct OpenText {
    role: &'static str,
    /// Kept word for word; nothing is taken out of it.
    pub speech: bool,
    /// Its tokens, in several stretches where something was taken out.
    pub stretches: Vec<Range<usize>>,
}

/// Roles that are filled, the last first; what several readings have in common is held once.
#[derive(Clone, Default)]
struct Roles(Option<Rc<Link>>);

struct Link {
    filled: Filled,
    before: Roles,
}

/// What filled one or several roles.
pub(super) enum Filled {
    /// A role by a value.
    By(&'static str, Value),
    /// A role by an expression of the lattice: its first token, and its number there.
    Edge(&'static str, usize, usize),
    /// The roles of an adjunct.
    Adjunct(Rc<Binding>),
    /// No role: a token that a loose reading leaves out.
    Nothing(usize),
}

impl Partial {
    /// A rule of which `done` parts need not be read, with the roles it fills by itself.
    pub fn new(done: usize, constants: &[(&'static str, &'static str)], score: f32) -> Self {
        let mut partial = Self {
            done,
            text: None,
            roles: Roles::default(),
            span: None,
            score,
        };
        for (role, word) in constants {
            partial.fill(Filled::By(role, Value::Constant(word)));
        }
        partial
    }

    /// The same with the next part read from these tokens.
    pub fn read(&self, tokens: (usize, usize), score: f32, filled: Option<Filled>) -> Self {
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

    /// The same with a text opened for the next part.
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

    /// The same with an adjunct read; text that is no speech stays open.
    pub fn with(&self, adjunct: &Rc<Binding>, score: f32) -> Self {
        let mut next = self.clone();
        if self.is_speech() {
            next.close();
        }
        next.fill(Filled::Adjunct(Rc::clone(adjunct)));
        next.score += adjunct.score + score;
        next.covers((adjunct.span.start, adjunct.span.end));
        next
    }

    /// The same without a token, which nothing reads.
    pub fn without(&self, at: usize, cost: f32) -> Self {
        let mut next = self.clone();
        next.score += cost;
        next.fill(Filled::Nothing(at));
        next
    }

    /// Whether its last part is speech that may go on.
    pub fn is_speech(&self) -> bool {
        self.text.as_ref().is_some_and(|text| text.speech)
    }

    /// Where it stands: only partials that stand at the same place compete.
    pub fn place(&self) -> usize {
        self.done * 2 + usize::from(self.text.is_some())
    }

    /// Notes that tokens were read as something.
    pub fn covers(&mut self, (start, end): (usize, usize)) {
        self.span = Some(match self.span {
            Some(span) => (span.0.min(start), span.1.max(end)),
            None => (start, end),
        });
    }

    /// The token behind the last one that was read as something.
    pub fn end(&self) -> Option<usize> {
        self.span.map(|span| span.1)
    }

    /// The first token of a time that ends right before a token.
    pub fn time_before(&self, at: usize) -> Option<usize> {
        match self.roles.iter().next()? {
            Filled::Adjunct(last) if last.span.end == at && last.has("when") => {
                Some(last.span.start)
            }
            _ => None,
        }
    }

    /// Whether any role is filled of which this holds.
    pub fn fills(&self, is: impl Fn(&str) -> bool) -> bool {
        self.text.as_ref().is_some_and(|text| is(text.role))
            || self.roles.iter().any(|filled| match filled {
                Filled::By(role, _) | Filled::Edge(role, ..) => is(role),
                Filled::Adjunct(inner) => inner.roles.iter().any(|(role, _)| is(role)),
                Filled::Nothing(_) => false,
            })
    }

    /// The reading, where nothing more is to come. `start` is where the rule began.
    pub fn binding(&self, rule: (usize, usize), start: usize, lattice: &Lattice<'_>) -> Binding {
        let mut filled: Vec<&Filled> = self.roles.iter().collect();
        filled.reverse();
        let mut roles = Vec::new();
        let mut left_out = Vec::new();
        for one in filled {
            match one {
                Filled::By(role, value) => roles.push((*role, value.clone())),
                Filled::Edge(role, at, number) => {
                    let edge = &lattice.edges(*at)[*number];
                    let value = Value::Filler(edge.filler.clone(), *at..edge.end);
                    roles.push((*role, value));
                }
                Filled::Adjunct(inner) => roles.extend(inner.roles.iter().cloned()),
                Filled::Nothing(at) => left_out.push(*at),
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

    fn fill(&mut self, filled: Filled) {
        let before = std::mem::take(&mut self.roles);
        self.roles = Roles(Some(Rc::new(Link { filled, before })));
    }

    fn close(&mut self) {
        if let Some(text) = self.text.take() {
            self.fill(Filled::By(text.role, Value::Text(text.stretches)));
        }
    }
}

impl Roles {
    fn iter(&self) -> impl Iterator<Item = &Filled> {
        let first = self.0.as_deref();
        std::iter::successors(first, |link| link.before.0.as_deref()).map(|link| &link.filled)
    }
}
