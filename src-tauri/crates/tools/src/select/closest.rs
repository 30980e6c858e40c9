//! Finds what the person means if nothing fits their description: people add words and use others than the record.
//!
//! Whatever was said surely (a known person, a day, a folder, a state) still has to hold. Only the describing words are
//! loosened: each row counts by the share of the words that it has, and a rare word weighs more than a common one. One
//! row clearly ahead of all others is a guess that the person decides on ([`Stop::Closest`]); otherwise the nearest rows
//! are offered.

use std::cmp::Ordering;

use adjutant_domain::outcome::Stop;
use adjutant_domain::plan::{AnswerKind, Choice, Question};
use adjutant_domain::ports::Cx;
use adjutant_text::message::mistyped;
use adjutant_text::{BEGINNING_CHARS_MIN, cut, says_nothing, spoken_words, stem};
use serde::Serialize;
use serde_json::{Value, json};

use super::{Filter, Pick, Row};
use crate::words;

/// Maximum rows compared with a description.
const COMPARED_MAX: usize = 2_000;
/// Maximum bytes of a row's further text that are compared.
const BODY_BYTES_MAX: usize = 4_000;
/// Maximum words of a description that count.
const TERMS_MAX: usize = 16;
/// Maximum rows that are offered if none is clearly ahead.
const OFFERED_MAX: usize = 3;
/// What a word counts that only the body of a row has, if one in its title counts 1.
const IN_BODY: f64 = 0.8;
/// What a word counts that no row has: the person's own word for the thing, or another thing.
const UNKNOWN: f64 = 0.5;
/// What a word counts that says little about a thing.
const LIGHT_SHARE: f64 = 0.1;
/// Minimum share of the words that a guess has.
const GUESS_MIN: f64 = 0.5;
/// Minimum share of the words that a row on offer has.
const OFFER_MIN: f64 = 0.25;
/// Rows with at least this part of the best score are as good as the best.
const AS_GOOD: f64 = 0.9;
/// All other rows have at most this part of the best score if the best is clearly ahead.
const BEHIND: f64 = 0.7;

/// Words that say little about a thing: its kind, how things are handed on, and what people do with them.
const LIGHT: &str = "appointment ask back big both bring buy call chain chat check class come contact conversation copy \
    correspondence date document draft drop email entire entry event exchange fact find finish forth \
    forward get give go info information issue item last latest lesson letter list little mail make \
    matter meeting memory message new news newsletter note off old one out over paper pay pick post put \
    quick reminder reply request ring send session slot stuff take talk task tell thing thread through \
    todo trash two up version whatever whole write";

/// Words for several mails that answer each other.
const EXCHANGES: &[&str] = &[
    "back",
    "chain",
    "conversation",
    "correspondence",
    "exchange",
    "forth",
    "thread",
];

/// A filter without its describing words.
#[derive(Clone, Debug)]
pub struct Loosened<F> {
    /// What was said surely.
    pub filter: F,
    /// The describing words.
    pub words: String,
    /// Whether one row that is clearly ahead may be taken as a guess, instead of only being offered.
    pub may_guess: bool,
}

/// Returns a filter with the words that were taken from it, in a list; an empty list if there are none, or if the rows
/// are known already.
#[must_use]
pub fn loosened<'a, F>(
    filter: F,
    words: impl IntoIterator<Item = &'a String>,
    unknown: bool,
) -> Vec<Loosened<F>> {
    let words: Vec<&str> = words.into_iter().map(String::as_str).collect();
    if words.is_empty() || !unknown {
        return Vec::new();
    }
    vec![Loosened {
        filter,
        words: words.join(" "),
        may_guess: true,
    }]
}

/// What a row says about itself, to compare it with a description.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Said {
    /// Its name, people and places.
    pub title: String,
    /// Any further text.
    pub more: String,
    /// What it has in common with the rows of its series or thread; empty if there is none.
    pub series: String,
    /// What it has in common with the rows of the same author; empty if nothing.
    pub author: String,
}

/// A word of a description.
struct Term {
    word: String,
    stem: String,
    light: bool,
}

/// A row with the share of the described words that it has.
struct Candidate<R> {
    row: R,
    said: Said,
    /// For each term: 0, [`IN_BODY`] or 1.
    hits: Vec<f64>,
    score: f64,
    /// Whether it has a rare word that says something.
    telling: bool,
}

/// Returns what the person is asked if nothing fits a filter: a guess, or which of the nearest rows they mean. Returns
/// `None` if no row has a telling word of the description.
///
/// # Errors
/// Fails like the search of the family.
pub(super) async fn closest<F: Filter + Serialize>(
    filter: &F,
    cx: &Cx,
) -> Result<Option<Stop>, Stop> {
    for loosened in filter.loosened(cx).await? {
        let terms = terms(&loosened.words);
        if terms.iter().all(|term| term.light) {
            continue;
        }
        let candidates = candidates(&loosened.filter, &terms, cx).await?;
        let nothing = format!("There are no {}", filter.sought(cx));
        if let Some(stop) = asked(&loosened, &terms, candidates, &nothing, cx) {
            return Ok(Some(stop));
        }
    }
    Ok(None)
}

/// Returns the words of a description that can tell rows apart.
fn terms(words: &str) -> Vec<Term> {
    let mut terms: Vec<Term> = Vec::new();
    for word in spoken_words(words) {
        let word = word.strip_suffix("'s").unwrap_or(&word).to_owned();
        let stem = stem(&word);
        if says_nothing(&word) || terms.iter().any(|term| term.stem == stem) {
            continue;
        }
        let light = LIGHT
            .split_whitespace()
            .any(|one| one == word || self::stem(one) == stem);
        terms.push(Term { word, stem, light });
        if terms.len() == TERMS_MAX {
            break;
        }
    }
    terms
}

/// Returns the rows that share a telling word with the description, the closest first.
async fn candidates<F: Filter>(
    filter: &F,
    terms: &[Term],
    cx: &Cx,
) -> Result<Vec<Candidate<F::Row>>, Stop> {
    let mut rows = filter.find(true, Some(COMPARED_MAX), cx).await?.rows;
    rows.truncate(COMPARED_MAX);
    let count = rows.len() as f64;
    let mut all: Vec<Candidate<F::Row>> = rows
        .into_iter()
        .map(|row| {
            let said = row.said();
            Candidate {
                hits: hits(terms, &said),
                said,
                row,
                score: 0.0,
                telling: false,
            }
        })
        .collect();
    let having: Vec<usize> = (0..terms.len())
        .map(|at| all.iter().filter(|one| one.hits[at] > 0.0).count())
        .collect();
    let rare = (all.len() / 4).max(3);
    let weights: Vec<f64> = terms
        .iter()
        .zip(&having)
        .map(|(term, having)| {
            let rarity = match having {
                0 => UNKNOWN * count.ln_1p(),
                some => (count / *some as f64).ln_1p(),
            };
            rarity * if term.light { LIGHT_SHARE } else { 1.0 }
        })
        .collect();
    let whole: f64 = weights.iter().sum();
    for one in &mut all {
        let held = one
            .hits
            .iter()
            .zip(&weights)
            .map(|(hit, weight)| hit * weight);
        one.score = held.sum::<f64>() / whole.max(f64::MIN_POSITIVE);
        let tells = |at: &usize| !terms[*at].light && having[*at] <= rare && one.hits[*at] > 0.0;
        one.telling = (0..terms.len()).any(|at| tells(&at));
    }
    all.retain(|one| one.telling);
    all.sort_by(|a, b| b.score.partial_cmp(&a.score).unwrap_or(Ordering::Equal));
    Ok(all)
}

/// Returns what each word counts for a row.
fn hits(terms: &[Term], said: &Said) -> Vec<f64> {
    let title = spoken_words(&said.title);
    let body = spoken_words(cut(&said.more, BODY_BYTES_MAX));
    let has = |term: &Term, words: &[String]| words.iter().any(|word| term.is(word));
    terms
        .iter()
        .map(|term| match (has(term, &title), has(term, &body)) {
            (true, _) => 1.0,
            (false, true) => IN_BODY,
            (false, false) => 0.0,
        })
        .collect()
}

impl Term {
    /// Returns whether a word of a row is this one: in any form, mistyped, or longer.
    fn is(&self, known: &str) -> bool {
        if self.word == known {
            return true;
        }
        if self.word.as_bytes().first() != known.as_bytes().first() {
            return false;
        }
        let begins = self.word.len() >= BEGINNING_CHARS_MIN && known.starts_with(&self.word);
        begins || stem(known) == self.stem || mistyped(&self.word, known)
    }
}

/// Returns a guess if one row, or one group of rows that belong together, is clearly ahead; otherwise the question which
/// row is meant.
fn asked<F: Filter + Serialize>(
    loosened: &Loosened<F>,
    terms: &[Term],
    candidates: Vec<Candidate<F::Row>>,
    nothing: &str,
    cx: &Cx,
) -> Option<Stop> {
    let pick = loosened.filter.narrowing().pick.unwrap_or(Pick::One);
    let best = candidates.first()?.score;
    let exchange = terms
        .iter()
        .any(|term| EXCHANGES.contains(&term.word.as_str()));
    let series = candidates.first()?.said.series.clone();
    let as_good = |one: &Candidate<F::Row>| {
        // The mails of an exchange belong together, whatever each of them says.
        one.score >= best * AS_GOOD || exchange && !series.is_empty() && one.said.series == series
    };
    let (mut candidates, rest): (Vec<_>, Vec<_>) = candidates.into_iter().partition(as_good);
    let front = candidates.len();
    candidates.extend(rest);
    let ahead = candidates
        .get(front)
        .is_none_or(|next| next.score <= best * BEHIND);
    let front = &candidates[..front];
    let which = match (pick, front.len()) {
        (Pick::Exactly(count), len) => (len == count).then_some(pick),
        (_, 1) => Some(pick),
        (Pick::One, _) => (exchange && are_of_one(front, |said| &said.series)).then_some(Pick::All),
        _ => (are_of_one(front, |said| &said.series) || are_of_one(front, |said| &said.author))
            .then_some(pick),
    };
    let which = which.filter(|_| loosened.may_guess && ahead && best >= GUESS_MIN);
    let Some(which) = which else {
        return offered(loosened, &candidates, pick, nothing, cx);
    };
    let rows: Vec<&F::Row> = front.iter().map(|one| &one.row).collect();
    let choice = choice(&loosened.filter, &rows, which, cx)?;
    let is = match rows.as_slice() {
        [_] => format!("the closest is {}", words::quoted(&choice.label)),
        many => format!(
            "the closest are {}",
            words::plural(many.len(), F::Row::NOUN)
        ),
    };
    Some(Stop::Closest(question(
        format!("{nothing}; {is}."),
        vec![choice],
    )))
}

/// Returns whether rows have one thing in common, such as their author.
fn are_of_one<R>(front: &[Candidate<R>], what: impl Fn(&Said) -> &String) -> bool {
    let mut those = front.iter().map(|one| what(&one.said));
    let first = those.next();
    first.is_some_and(|first| !first.is_empty() && those.all(|other| other == first))
}

/// Returns the question which of the nearest rows is meant.
fn offered<F: Filter + Serialize>(
    loosened: &Loosened<F>,
    candidates: &[Candidate<F::Row>],
    pick: Pick,
    nothing: &str,
    cx: &Cx,
) -> Option<Stop> {
    if matches!(pick, Pick::Exactly(_)) {
        return None;
    }
    let near = |one: &&Candidate<F::Row>| one.score >= OFFER_MIN;
    let nearest = candidates.iter().filter(near).take(OFFERED_MAX);
    let choices: Vec<Choice> = nearest
        .filter_map(|one| choice(&loosened.filter, &[&one.row], Pick::One, cx))
        .collect();
    let which = match choices.len() {
        0 => return None,
        1 => "Do you mean this one?",
        _ => "Do you mean one of these?",
    };
    Some(Stop::Ask(question(format!("{nothing}. {which}"), choices)))
}

/// Returns the choice of rows: its value describes them by what was said surely and by their ids.
fn choice<F: Filter + Serialize>(
    filter: &F,
    rows: &[&F::Row],
    pick: Pick,
    cx: &Cx,
) -> Option<Choice> {
    let mut value = serde_json::to_value(filter).ok()?;
    let fields = value.as_object_mut()?;
    fields.retain(|_, field| !field.is_null());
    let ids: Vec<Value> = rows.iter().map(|row| json!(row.ref_id())).collect();
    fields.insert("ids".into(), Value::Array(ids));
    fields.insert("pick".into(), json!(pick));
    let label = |row: &F::Row| words::cut(&row.item(cx).label, words::INLINE_CHARS_MAX);
    Some(match rows {
        [one] => {
            let detail = one.item(cx).detail.unwrap_or_default();
            Choice::new(label(one), value)
                .with_detail(words::cut_between(&detail, words::INLINE_CHARS_MAX))
        }
        many => Choice::new(words::plural(many.len(), F::Row::NOUN), value),
    })
}

fn question(text: String, choices: Vec<Choice>) -> Question {
    Question {
        text,
        choices,
        slot: "/target".into(),
        answer: AnswerKind::Choice,
    }
}
