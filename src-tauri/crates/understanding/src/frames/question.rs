//! The question in a message that also tells something: "Sitting in the train: where did we leave the oars again? Kim is
//! asking."
//!
//! What stands around a question says why it is asked and is no part of it, unless it orders, asks or limits something.
//! The question alone is read, and its words alone are searched for.

use std::ops::Range;

use adjutant_domain::reading::{Reading, Utterance};

use super::lattice::{Filler, Lattice, PersonMention};
use super::lead_in::LeadIn;
use super::{compile, decide, last_request, likely, side_remark};

/// Words that begin a question behind a preposition: "until when", "by which date".
const ASKED: &[&str] = &["what", "which", "when", "how", "whom", "whose"];
/// Prepositions that may stand before them.
const BEFORE_ASKED: &[&str] = &[
    "until", "till", "til", "by", "from", "since", "for", "at", "on", "in", "to", "with", "of",
    "after", "before",
];
/// Words that mean what an earlier part of the question named.
const REFERRING: &[&str] = &[
    "it", "that", "this", "they", "them", "these", "those", "there", "he", "she", "him", "one",
];
/// Words before a word for things of some kind that make it the list that is asked for: "which tasks".
const LISTING: &[&str] = &[
    "which", "what", "many", "my", "our", "of", "any", "all", "the", "some", "open", "unread",
    "new", "are", "no",
];
/// Maximum number of questions in one message that are searched for.
const PARTS_MAX: usize = 3;

/// A question without what stands around it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Question {
    /// Its words.
    pub(crate) text: String,
    /// The questions of which it consists, each with what it needs of the others.
    pub(crate) parts: Vec<String>,
    /// Whether it names the person or something of theirs.
    pub(crate) own: bool,
    /// Whether it mentions somebody or something that the person has.
    pub(crate) mentions: bool,
}

/// Plans a question as it reads without the talk around it. Returns `None` if nothing stands around it, if it is not
/// read, or if what is read is no mere look. A question of fact about the `world` must name something of the person's.
pub(crate) fn alone(said: &Utterance<'_>, world: bool) -> Option<Reading> {
    let lattice = Lattice::read(said.text, said)?;
    if let Some(text) = resolved(&lattice) {
        let said = Utterance {
            text: &text,
            ..*said
        };
        return super::plan(&said)
            .filter(|read| looks(&said, read))
            .or_else(|| decide::plan_last(&said, world).filter(|read| looks(&said, read)));
    }
    let texts = texts(&lattice);
    let mut read = texts.iter().filter_map(|tokens| {
        let text = lattice.slice(tokens.clone());
        let said = Utterance { text, ..*said };
        if text.len() == said.text.len() && *tokens == (0..lattice.len()) {
            return None;
        }
        super::plan(&said)
            .or_else(|| likely::look_loosely(&said))
            .or_else(|| decide::plan_last(&said, world))
            .filter(|read| looks(&said, read))
    });
    read.next()
}

/// Reports whether a reading only looks something up, and asks nothing back.
fn looks(said: &Utterance<'_>, read: &Reading) -> bool {
    let Reading::Plan { plan, .. } = read else {
        return false;
    };
    let mut steps = plan.steps.iter();
    steps.all(|step| step.question.is_none() && said.only_reads(&step.tool))
}

/// Returns the question behind sentences that tell something, with the words of those sentences in place of what refers
/// to them: "I want to write to Kim. Where is her address?"
fn resolved(lattice: &Lattice<'_>) -> Option<String> {
    let question = texts(lattice).into_iter().next()?;
    let told = 0..question.start.saturating_sub(1);
    let refers = |at: usize| lattice.phrase("refers", at).is_some();
    if question.start == 0 || question.end < lattice.len() || !question.clone().any(refers) {
        return None;
    }
    let meant = LeadIn::behind(told, question.start).meant(lattice, None);
    let alone = lattice.slice(question);
    meant.into_iter().find(|text| text != alone)
}

/// Returns the question of a message without what stands around it, and its parts. Returns `None` if the message is no
/// question that a search could answer: it orders something, or it asks for a list of things of some kind.
pub(crate) fn sought(said: &Utterance<'_>) -> Option<Question> {
    let told = Lattice::read(said.text, said)?;
    let resolved = resolved(&told);
    let said = &Utterance {
        text: resolved.as_deref().unwrap_or(said.text),
        ..*said
    };
    let lattice = Lattice::read(said.text, said)?;
    let tokens = texts(&lattice).pop()?;
    let text = lattice.slice(tokens.clone());
    let asked = begins(&lattice, first(&lattice, tokens.clone()));
    let orders = match asked {
        true => super::commands(text),
        false => super::asks_for_more(text),
    };
    let lists = tokens
        .clone()
        .any(|at| lattice.phrase("kinds", at).is_some() && listed(&lattice, at));
    let limits = tokens
        .clone()
        .any(|at| matches!(lattice.word(at), "if" | "unless"));
    let asks_us = lattice.phrase("asks_us", first(&lattice, tokens.clone()));
    if orders || lists || limits || asks_us.is_some() {
        return None;
    }
    Some(Question {
        text: text.to_owned(),
        parts: parts(&lattice, tokens.clone()),
        own: tokens.clone().any(|at| compile::is_own(&lattice, at)),
        mentions: !said.names.is_empty() || tokens.clone().any(|at| is_somebody(&lattice, at)),
    })
}

/// Reports whether somebody whom the person knows is named at a token.
fn is_somebody(lattice: &Lattice<'_>, at: usize) -> bool {
    let mut edges = lattice.edges(at).iter();
    edges.any(|edge| match &edge.filler {
        Filler::People(people) => people.iter().any(|one| {
            matches!(
                one,
                PersonMention::Named(_, true) | PersonMention::Relation(_)
            )
        }),
        _ => false,
    })
}

/// Reports whether a word for things of some kind at a token names a list: "which tasks", unlike "when he files it".
fn listed(lattice: &Lattice<'_>, at: usize) -> bool {
    let before = at.checked_sub(1);
    before.is_none_or(|before| LISTING.contains(&lattice.word(before)))
}

/// Returns the tokens of the question alone, from the longest to the shortest. Empty if the message contains no question
/// or several, or anything beside it that is more than talk.
fn texts(lattice: &Lattice<'_>) -> Vec<Range<usize>> {
    let sentences = sentences(lattice);
    let asks = |tokens: &Range<usize>| {
        begins(lattice, first(lattice, tokens.clone()))
            || tokens.clone().any(|at| lattice.word(at) == "?")
    };
    let (questions, talk): (Vec<_>, Vec<_>) = sentences.into_iter().partition(asks);
    let [question] = questions.as_slice() else {
        return Vec::new();
    };
    if !talk.iter().all(|tokens| is_beside(lattice, tokens.clone())) {
        return Vec::new();
    }
    let mut texts = vec![question.clone()];
    let headless = without_head(lattice, question.clone());
    texts.extend(headless.clone());
    texts.extend(without_tail(lattice, headless.unwrap_or(question.clone())));
    texts
}

/// Reports whether a sentence beside a question only tells why it is asked: it is talk, or says what the person has to do
/// or would like to do.
fn is_beside(lattice: &Lattice<'_>, tokens: Range<usize>) -> bool {
    let first = first(lattice, tokens.clone());
    let intends = lattice.phrase("i_have_to", first);
    let wishes = matches!(lattice.word(first), "i" | "we")
        && matches!(lattice.word(first + 1), "would" | "want" | "will" | "am");
    let verb = intends.or(wishes.then_some(first + 3));
    // The verb of an intention is no order.
    let rest = verb.map_or(tokens.start, |verb| (verb + 1).min(tokens.end));
    last_request::is_talk(lattice, rest..tokens.end)
}

/// Splits a message into sentences, each with the marks at its end.
fn sentences(lattice: &Lattice<'_>) -> Vec<Range<usize>> {
    let stops = |at: usize| {
        let quoted = lattice.text.tokens[at].quote.is_some();
        !quoted && matches!(lattice.word(at), "." | "!" | "?" | ";" | "…" | "...")
    };
    let mut sentences = Vec::new();
    let (mut from, mut at) = (0, 0);
    while at < lattice.len() {
        let end = at + 1;
        if stops(at) && (end == lattice.len() || !stops(end)) {
            sentences.push(from..end);
            from = end;
        }
        at = end;
    }
    if from < lattice.len() {
        sentences.push(from..lattice.len());
    }
    sentences
}

/// Returns the first token of a sentence behind filling words and joints.
fn first(lattice: &Lattice<'_>, tokens: Range<usize>) -> usize {
    let mut at = tokens.start;
    while at < tokens.end {
        let filler = lattice.phrase("filler", at).filter(|end| *end > at);
        let joint = matches!(lattice.word(at), "and" | "so" | "but" | "," | "also");
        match filler {
            Some(end) => at = end,
            None if joint => at += 1,
            None => break,
        }
    }
    at
}

/// Reports whether a question begins at a token.
fn begins(lattice: &Lattice<'_>, at: usize) -> bool {
    let behind = BEFORE_ASKED.contains(&lattice.word(at)) && ASKED.contains(&lattice.word(at + 1));
    behind || lattice.phrase("question", at).is_some()
}

/// Returns a question without the words before a colon, a dash or a comma that only tell something: "Sitting down to
/// prepare: what …". A question that refers to those words, or words that say when, are left as they are.
fn without_head(lattice: &Lattice<'_>, tokens: Range<usize>) -> Option<Range<usize>> {
    let ends = |at: &usize| {
        matches!(lattice.word(*at), ":" | "-" | "–" | "—" | ",") && begins(lattice, at + 1)
    };
    let mark = tokens.clone().find(ends)?;
    let head = tokens.start..mark;
    let rest = mark + 1..tokens.end;
    let timed = |at: usize| {
        let mut edges = lattice.edges(at).iter();
        edges.any(|edge| matches!(edge.filler, Filler::Time(_)))
    };
    let refers = |at: usize| REFERRING.contains(&lattice.word(at));
    let told = !begins(lattice, first(lattice, head.clone()))
        && last_request::is_talk(lattice, head.clone())
        && !head.clone().any(timed)
        && !rest.clone().any(refers);
    told.then_some(rest)
}

/// Returns a question without the words behind a comma or dash that tell why it is asked: "…, checking in now".
fn without_tail(lattice: &Lattice<'_>, tokens: Range<usize>) -> Option<Range<usize>> {
    let tells = |at: usize| {
        let word = lattice.word(at);
        word.ends_with("ing") && word.len() > 4
            || side_remark::SUBJECTS.contains(&word)
            || side_remark::REASONS.contains(&word)
            || matches!(word, "just" | "asking")
    };
    let last = tokens.clone().rfind(|at| !lattice.is_mark(*at))?;
    let mark = tokens.clone().rfind(|at| {
        matches!(lattice.word(*at), "," | "-" | "–" | "—" | "(") && tells(at + 1) && *at < last
    })?;
    let tail = mark + 1..last + 1;
    let says = last_request::is_talk(lattice, tail.clone()) && tail.len() > 1;
    // "What does Kim, my landlord, waiting downstairs, want": words between commas describe somebody.
    let describes = (tokens.start..mark).any(|at| {
        let whose = matches!(lattice.word(at + 1), "my" | "our" | "the" | "who" | "a");
        lattice.word(at) == "," && whose
    });
    let asked = mark > tokens.start + 1 && !describes;
    (says && asked).then_some(tokens.start..mark)
}

/// Splits a question into the questions that it joins: "what was the price, and when does the offer end". One that
/// refers to the other stays with it.
fn parts(lattice: &Lattice<'_>, tokens: Range<usize>) -> Vec<String> {
    let joins = |at: &usize| {
        let joint = matches!(lattice.word(*at), "and" | "&" | "n" | "plus" | "+");
        joint && *at > tokens.start && begins(lattice, at + 1)
    };
    let mut parts = Vec::new();
    let mut from = tokens.start;
    for at in tokens.clone().filter(joins) {
        let next = tokens
            .clone()
            .find(|next| *next > at && joins(next))
            .unwrap_or(tokens.end);
        let telling = |at: &usize| {
            let word = lattice.word(*at);
            !lattice.is_mark(*at) && !adjutant_text::says_nothing(word) && !ASKED.contains(&word)
        };
        let refers = (at..next).any(|at| REFERRING.contains(&lattice.word(at)));
        let own = (at + 1..next).filter(telling).count() > 1;
        if own && !refers && parts.len() + 1 < PARTS_MAX {
            parts.push(trimmed(lattice.slice(from..at)));
            from = at + 1;
        }
    }
    parts.push(trimmed(lattice.slice(from..tokens.end)));
    parts
}

fn trimmed(text: &str) -> String {
    let marks =
        |letter: char| letter.is_whitespace() || matches!(letter, ',' | ';' | '?' | '.' | '!');
    text.trim_matches(marks).to_owned()
}
