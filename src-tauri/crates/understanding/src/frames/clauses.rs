//! A message of several requests: where one ends and the next begins stays open until all of it is read.

use std::collections::HashMap;
use std::rc::Rc;

use adjutant_domain::plan::StepDraft;

use super::binding::{Binding, Value};
use super::chart::Chart;
use super::compile::{self, Earlier};
use super::grammar::GRAMMAR;
use super::lattice::Lattice;
use super::own;
use super::weights::weights;

/// Requests of one message.
const CLAUSES_MAX: usize = 8;
/// Places at which a message may be cut.
const CUTS_MAX: usize = 14;
/// Readings of one stretch that are made into steps, to see which can be.
const TRIED_MAX: usize = 40;
/// Readings of one stretch that stay open.
const OPEN_MAX: usize = 4;
/// Words of a title that stands without a verb.
const BARE_TOKENS_MAX: usize = 7;

/// Words and marks that may stand between two requests.
const JOINTS: &[&str] = &[
    "and",
    "then",
    "also",
    "plus",
    "but",
    "&",
    ",",
    ";",
    ".",
    "!",
    "?",
    "afterwards",
    "finally",
];

/// A request that was read, as a step.
#[derive(Clone, Debug)]
pub(super) struct Candidate {
    /// The reading.
    pub frame: Rc<Binding>,
    /// Its steps: what it reads first, and last what it does.
    pub steps: Vec<StepDraft>,
    /// How well it fits.
    pub score: f32,
}

/// Requests in a row that read the whole message.
#[derive(Clone, Debug, Default)]
pub(super) struct Sequence {
    /// The requests.
    pub requests: Vec<Candidate>,
    /// How well they fit together.
    pub score: f32,
}

/// The ways to read a message as a sequence of requests, best first; none where it has more than are looked at.
pub(super) fn sequences(lattice: &Lattice<'_>) -> Vec<Sequence> {
    let cuts = cuts(lattice);
    let mut reader = Reader::new(lattice);
    let mut open: Vec<Vec<Sequence>> = vec![Vec::new(); cuts.len()];
    if let Some(first) = open.first_mut() {
        first.push(Sequence::default());
    }
    let mut done = Vec::new();
    for from in 0..cuts.len() {
        let mut here = std::mem::take(&mut open[from]);
        here.sort_by(|a, b| b.score.total_cmp(&a.score));
        here.truncate(OPEN_MAX);
        for before in here {
            let ends = cuts.iter().enumerate().skip(from + 1);
            let ends = ends.map(|(to, (end, _))| (*end, Some(to)));
            for (end, to) in ends.chain([(lattice.len(), None)]) {
                let start = cuts[from].1;
                if end <= start || before.requests.len() == CLAUSES_MAX {
                    continue;
                }
                let next = reader.candidates(start, end, &before);
                if reader.chart.is_exhausted() {
                    return Vec::new();
                }
                for next in next.into_iter().take(OPEN_MAX) {
                    let mut sequence = before.clone();
                    let cut = if before.requests.is_empty() {
                        0.0
                    } else {
                        weights().cut
                    };
                    sequence.score += next.score + cut;
                    sequence.requests.push(next);
                    match to {
                        Some(to) => open[to].push(sequence),
                        None => done.push(sequence),
                    }
                }
            }
        }
    }
    done.sort_by(|a: &Sequence, b: &Sequence| b.score.total_cmp(&a.score));
    done
}

/// Where the message may be cut: the token at which a request ends, and the one at which the next begins.
fn cuts(lattice: &Lattice<'_>) -> Vec<(usize, usize)> {
    let joins = |at: usize| JOINTS.contains(&lattice.word(at)) && !quoted(lattice, at);
    let mut cuts = vec![(0, 0)];
    let mut at = 0;
    while at < lattice.len() && cuts.len() < CUTS_MAX {
        let end = at;
        while at < lattice.len() && joins(at) {
            at += 1;
        }
        if at > end && end > 0 && at < lattice.len() {
            cuts.push((end, at));
        }
        at += 1;
    }
    cuts
}

fn quoted(lattice: &Lattice<'_>, at: usize) -> bool {
    lattice
        .text
        .tokens
        .get(at)
        .is_some_and(|token| token.quote.is_some())
}

/// Reads stretches of one message.
struct Reader<'a, 'm> {
    lattice: &'a Lattice<'m>,
    chart: Chart<'a, 'm>,
    /// Categories that are requests.
    frames: Vec<usize>,
    /// Readings by the first token of a stretch and the one behind its last.
    read: HashMap<(usize, usize), Vec<Rc<Binding>>>,
}

impl<'a, 'm> Reader<'a, 'm> {
    fn new(lattice: &'a Lattice<'m>) -> Self {
        let categories = GRAMMAR.categories.iter().enumerate();
        // What this program cannot do, a tool of somebody else may.
        let alone = own::phrases(lattice.said.tools).is_none();
        let frames = categories
            .filter(|(_, category)| {
                category.tool.is_some() || category.remark || category.cannot.is_some() && alone
            })
            .map(|(number, _)| number)
            .chain(lattice.own.and(*own::CATEGORY));
        Self {
            lattice,
            chart: Chart::new(lattice),
            frames: frames.collect(),
            read: HashMap::new(),
        }
    }

    /// Readings of a stretch behind other requests, best first.
    fn readings(&mut self, start: usize, end: usize, before: &Sequence) -> Vec<Rc<Binding>> {
        let read = self.read.entry((start, end));
        let mut found = read
            .or_insert_with(|| self.chart.requests(start, end, &self.frames))
            .clone();
        // "… and on Friday to call Rachel": the verb of the request before.
        if let Some(last) = before.requests.last() {
            found.extend(self.chart.shortened(start, end, last.frame.rule));
        }
        found.truncate(TRIED_MAX);
        found
    }

    /// The readings of a stretch that can be made into steps, best first; at least those that may stay open.
    fn candidates(&mut self, start: usize, end: usize, before: &Sequence) -> Vec<Candidate> {
        let lattice = self.lattice;
        let requests = &before.requests;
        let earlier = requests.iter().map(|request| Earlier {
            step: request.steps.last(),
            frame: &request.frame,
        });
        let earlier: Vec<Earlier<'_>> = earlier.collect();
        let made = requests.iter().map(|request| request.steps.len()).sum();
        let mut found: Vec<Candidate> = Vec::new();
        for frame in self.readings(start, end, before) {
            let most = frame.score + compile::grounds_at_most(&frame);
            if found
                .get(OPEN_MAX - 1)
                .is_some_and(|last| most <= last.score)
            {
                continue;
            }
            let Ok(steps) = compile::steps(lattice, &frame, &earlier, made) else {
                continue;
            };
            if leaks(lattice, &frame) || says_nothing(lattice, &frame) || no_name(lattice, &frame) {
                continue;
            }
            let asks = steps.iter().any(|step| step.question.is_some());
            let missing = if asks { weights().missing } else { 0.0 };
            let score = frame.score + missing + compile::grounds(lattice, &frame);
            if !found.iter().any(|other| same(&other.steps, &steps)) {
                let place = found.partition_point(|other| other.score >= score);
                found.insert(
                    place,
                    Candidate {
                        frame,
                        steps,
                        score,
                    },
                );
            }
        }
        found
    }
}

/// Whether the title of something new holds words of a time: then a time was said that was not read.
fn leaks(lattice: &Lattice<'_>, frame: &Binding) -> bool {
    let Some(class) = GRAMMAR.class("time_word") else {
        return false;
    };
    titles(frame).any(|at| lattice.is_phrase(class, at))
}

/// Whether the title of something new has none but small words: they belong to what was not read.
fn says_nothing(lattice: &Lattice<'_>, frame: &Binding) -> bool {
    let Some(class) = GRAMMAR.class("small") else {
        return false;
    };
    titles(frame).next().is_some() && titles(frame).all(|at| lattice.is_phrase(class, at))
}

/// Whether a title that stands without a verb is none: it begins like another request, or is a whole sentence.
fn no_name(lattice: &Lattice<'_>, frame: &Binding) -> bool {
    let Some(class) = GRAMMAR.class("request") else {
        return false;
    };
    let first = titles(frame).next();
    let rarely = frame.category().rarely;
    let clause = |at: usize| rarely.is_some_and(|class| lattice.is_phrase(class, at));
    frame.has("bare")
        && (first.is_some_and(|at| lattice.is_phrase(class, at))
            || titles(frame).any(clause)
            || titles(frame).count() > BARE_TOKENS_MAX)
}

/// The tokens of the title of something new, without what was quoted.
fn titles(frame: &Binding) -> impl Iterator<Item = usize> {
    let texts = frame.all("title").filter_map(|value| match value {
        Value::Text(stretches) => Some(stretches),
        _ => None,
    });
    texts.flatten().flat_map(Clone::clone)
}

/// Whether steps do the same.
fn same(one: &[StepDraft], other: &[StepDraft]) -> bool {
    let does = |steps: &[StepDraft]| -> Vec<(String, serde_json::Value)> {
        let steps = steps.iter();
        steps
            .map(|step| (step.tool.clone(), step.args.clone()))
            .collect()
    };
    does(one) == does(other)
}
