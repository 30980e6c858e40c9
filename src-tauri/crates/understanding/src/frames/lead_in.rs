//! A message that first tells something and then asks for something: "I keep forgetting my vitamins. Remind me at 8 to
//! take them."
//!
//! What follows the statement is read alone, with the statement's own words in place of what refers to it. So no rule
//! has to know what people say before a request.

mod details;
mod refer;

use std::ops::Range;

use super::clauses::Sequence;
use super::grammar::REQUESTS;
use super::lattice::Lattice;

/// Maximum number of tokens in the statements before a request.
const STATEMENT_TOKENS_MAX: usize = 60;

/// Words that make a sentence more than a statement, wherever they stand in it.
const ASKING: &[&str] = &["please", "whether", "remind"];

/// A message whose first sentences only tell something.
pub(super) struct LeadIn {
    /// The tokens of those sentences.
    told: Range<usize>,
    /// The first token of the rest.
    rest: usize,
}

impl LeadIn {
    /// Splits a message behind its last statement before a request. Returns `None` if it does not begin with one.
    pub fn of(lattice: &Lattice<'_>) -> Option<Self> {
        let mut found = None;
        let mut from = 0;
        for at in 1..lattice.len().min(STATEMENT_TOKENS_MAX) {
            let Some(next) = ends(lattice, at) else {
                continue;
            };
            if !tells(lattice, from..at, next) {
                break;
            }
            from = next;
            if next < lattice.len() {
                found = Some(Self {
                    told: 0..at,
                    rest: next,
                });
            }
        }
        found
    }

    /// Takes the tokens before `rest` for statements, whatever they say.
    pub fn behind(told: Range<usize>, rest: usize) -> Self {
        Self { told, rest }
    }

    /// Returns what follows the statements.
    pub fn rest<'m>(&self, lattice: &Lattice<'m>) -> &'m str {
        lattice.slice(self.rest..lattice.len())
    }

    /// Returns the texts that the rest may stand for, the most likely first. If a reading of the whole message already
    /// understands it, only texts count in which the statement's words replace a reference.
    pub fn meant(&self, lattice: &Lattice<'_>, read: Option<&Sequence>) -> Vec<String> {
        let known = read.is_some_and(|read| self.is_understood(lattice, read));
        if known {
            return Vec::new();
        }
        if refers_within(lattice, self.rest) {
            return vec![self.rest(lattice).to_owned()];
        }
        let mut texts = refer::texts(lattice, self.told.clone(), self.rest);
        // "I have to fill in my expenses. How much did I spend?" asks for no task.
        let owed = lattice.phrase("i_have_to", 0).is_some();
        if read.is_none() || owed {
            texts.extend(self.alone(lattice));
        }
        texts
    }

    /// Returns the rest as it is, unless something in it refers to what was said before. If only the statement names a
    /// time, the rest may mean that time, so it does not stand alone unless it only asks.
    fn alone(&self, lattice: &Lattice<'_>) -> Option<String> {
        let rest = self.rest..lattice.len();
        let refers = |at: usize| lattice.phrase("refers", at).is_some();
        let asks = lattice.phrase("question", self.rest).is_some();
        let timed = |tokens: Range<usize>| details::times(lattice, tokens).next().is_some();
        let dated = asks || !timed(self.told.clone()) || timed(rest.clone());
        let clear = !rest.clone().any(refers) || self.is_about_shown(lattice);
        (dated && clear).then(|| lattice.slice(rest).to_owned())
    }

    /// Reports whether the statement names nothing itself but refers to what the conversation has shown: "I won't manage
    /// that. Push it to Sunday".
    fn is_about_shown(&self, lattice: &Lattice<'_>) -> bool {
        let refers = |at: usize| lattice.phrase("refers_back", at).is_some();
        let details = details::StatementDetails::of(lattice, self.told.clone());
        let named = details.thing.is_some() || details.who.is_some();
        let shown = lattice.said.focus.shown.first();
        // "Too much for one day. Move it": only one thing can be meant.
        let only_one = shown.is_some_and(|shown| shown.items.len() == 1);
        !named && shown.is_some() && (only_one || self.told.clone().any(refers))
    }

    /// Reports whether a reading makes something of the statement: a step, or a thing that a later request refers to. A
    /// mere intention ("I need to write to my teacher. What's her address?") is not enough.
    fn is_understood(&self, lattice: &Lattice<'_>, read: &Sequence) -> bool {
        let mut before = read
            .requests
            .iter()
            .filter(|request| request.frame.span.start < self.rest);
        before.any(|request| {
            let frame = &request.frame;
            let spans = frame.span.end > self.rest && !asks_for_detail(lattice, self.rest);
            // "My flight lands at 6. Remind me an hour before": it tells when, and asks for no entry.
            let runs = frame.has("bare")
                && frame
                    .span
                    .clone()
                    .any(|at| lattice.phrase("runs", at).is_some());
            // Nor is a statement a search.
            let mut steps = request.steps.iter();
            let searches = steps.all(|step| lattice.said.only_reads(&step.tool));
            let does = !searches && !frame.has("owed") && !runs;
            let refers = frame.category().remark && !frame.category().aside;
            spans || does || refers && frame.has("target")
        })
    }
}

/// Reports whether what refers to something stands behind a statement in the same sentence, and so means something in
/// that statement: "the task about the gutter is done, tick it off".
fn refers_within(lattice: &Lattice<'_>, from: usize) -> bool {
    let refers = (from..lattice.len()).find(|at| lattice.phrase("refers", *at).is_some());
    let Some(refers) = refers else {
        return false;
    };
    let stops = |at: &usize| matches!(lattice.word(*at), "." | "!" | "?" | ";" | "…" | "...");
    let start = (from..refers)
        .rev()
        .find(stops)
        .map_or(from, |stop| stop + 1);
    let Some(mark) = (start..refers).rev().find(|at| lattice.is_mark(*at)) else {
        return false;
    };
    let states = |at: usize| lattice.phrase("states", at).is_some();
    tells(lattice, start..mark, mark) && (start..mark).any(states)
}

/// Returns the first token after the end of a sentence, or of a reason before ", so".
fn ends(lattice: &Lattice<'_>, at: usize) -> Option<usize> {
    let quoted = lattice.text.tokens.get(at)?.quote.is_some();
    let next = match lattice.word(at) {
        _ if quoted => return None,
        // "I need to call the teacher what's her number": only the next sentence begins so.
        _ if asks_for_detail(lattice, at) => return Some(at),
        "." | "!" | ";" | "…" => at + 1,
        "," if lattice.word(at + 1) == "so" => at + 2,
        "," if lattice.word(at + 1) == "and" && lattice.word(at + 2) == "so" => at + 3,
        "," if matches!(lattice.word(at + 1), "please" | "can" | "could" | "would") => at + 1,
        _ => return None,
    };
    let marks = (next..lattice.len()).take_while(|at| lattice.is_mark(*at));
    Some(next + marks.count())
}

/// Reports whether a question for a detail of somebody or something begins at a token: "what's her number".
fn asks_for_detail(lattice: &Lattice<'_>, at: usize) -> bool {
    let owner = ["her", "his", "their", "its"];
    matches!(lattice.word(at), "what" | "when" | "where")
        && matches!(lattice.word(at + 1), "is" | "are" | "was")
        && owner.contains(&lattice.word(at + 2))
}

/// Reports whether a sentence only tells something: it asks nothing, orders nothing, and sets no condition. `next` is the
/// first token of the next sentence.
pub(super) fn tells(lattice: &Lattice<'_>, tokens: Range<usize>, next: usize) -> bool {
    let mut first = tokens.start;
    // "I need to write to my teacher" asks for a mail or a task, unless a question follows.
    if lattice.phrase("i_have_to", first).is_some() && lattice.phrase("question", next).is_some() {
        return true;
    }
    while let Some(end) = lattice.phrase("filler", first).filter(|end| *end > first) {
        first = end;
    }
    if first >= tokens.end {
        return false;
    }
    let opens = |class: &&str| lattice.phrase(class, first).is_some();
    let openers = [
        "question",
        "if",
        "unless",
        "ask_if",
        "otherwise",
        "no_statement",
    ];
    let orders = REQUESTS.iter().chain(&openers).any(opens);
    let asks = tokens
        .clone()
        .any(|at| lattice.word(at) == "?" || ASKING.contains(&lattice.word(at)));
    // "Messy as ever, so archive what is old."
    let joined = (tokens.start + 1..tokens.end).any(|at| {
        let joint = matches!(lattice.word(at - 1), "so" | "then");
        joint
            && REQUESTS
                .iter()
                .any(|class| lattice.phrase(class, at).is_some())
    });
    !orders && !asks && !joined
}
