//! Turns phrases into domains: weighs the evidence clause by clause.

use std::ops::Range;

use adjutant_text::message::pattern::{Hit, Line, kind};

use super::tables::{CHAT, CONDITION, FOLLOW, TABLES, TOPICS};
use super::{Domain, Evidence, Topic};
use adjutant_text::message::{Text, filler};

/// Maximum number of cells to read of a message.
const CELLS_MAX: usize = 600;

/// Evidence that a topic needs to be chosen.
const CHOSEN_FROM: f32 = 1.6;

/// Evidence that a further domain needs, in a clause of its own.
const FURTHER_FROM: f32 = 2.6;

/// Evidence that research needs as a further domain. Higher, because side remarks and questions about the person's own
/// data often look like research.
const RESEARCH_FURTHER_FROM: f32 = 3.4;

/// Share of its weight that a phrase keeps inside a stronger phrase of the same topic.
const REPEATED_SHARE: f32 = 0.2;

/// Lead that a further domain needs over the other topics in its clause.
const FURTHER_LEAD: f32 = 0.8;

/// Maximum number of cells from the beginning of a value to a quotation that is its title.
const TITLE_WITHIN: usize = 6;

/// Weight from which a complete request ends the value of the phrase before it.
const INTERRUPTS_FROM: f32 = 3.1;

/// Weight from which a complete request begins a clause in a conditional sentence.
const BEGINS_FROM: f32 = 3.9;

/// Maximum number of phrases to keep as explanations.
const EVIDENCE_MAX: usize = 40;

/// The result of scoring.
#[derive(Debug, Clone)]
pub(super) struct RouteScore {
    /// Chosen domains; empty for conversation and for requests that no domain serves.
    pub domains: Vec<Domain>,
    /// Evidence for the winning topic, whichever it is.
    pub best: f32,
    /// Evidence for the strongest topic that neither won nor was chosen.
    pub rival: f32,
    /// How strongly the message depends on the conversation.
    pub follow: f32,
    /// Whether the winner is a complete request by itself.
    pub complete: bool,
    /// The phrases that were found, strongest first.
    pub evidence: Vec<Evidence>,
}

impl RouteScore {
    /// Returns whether the message names its own object and needs no earlier turn to be understood.
    pub fn speaks_for_itself(&self) -> bool {
        self.complete && self.best >= 3.0 && !self.domains.is_empty()
    }
}

pub(super) fn score(text: &Text<'_>) -> RouteScore {
    let mut line = TABLES.line(text, CELLS_MAX);
    filler::mark(text, &mut line);
    let mut hits = TABLES.find(&line);
    silence_values(&mut hits, &line);
    let clauses = Clauses::of(&line, &hits);
    let mut total = Tally::default();
    let mut by_clause = vec![Tally::default(); clauses.count];
    weigh(&hits, &clauses, &mut total, &mut by_clause);
    let winner = total.best();
    let mut chosen = Vec::new();
    if total.score[winner] >= CHOSEN_FROM && winner < CHAT {
        chosen.push(winner);
        for clause in &by_clause {
            let top = clause.best();
            let needed = if TOPICS[top] == Topic::Domain(Domain::Research) {
                RESEARCH_FURTHER_FROM
            } else {
                FURTHER_FROM
            };
            let further = top < CHAT
                && clause.head[top]
                && clause.score[top] >= needed
                && clause.score[top] >= clause.second(top) + FURTHER_LEAD;
            if further && !chosen.contains(&top) {
                chosen.push(top);
            }
        }
    }
    let rival = (0..TOPICS.len())
        .filter(|topic| !chosen.contains(topic) && *topic != winner)
        .map(|topic| total.score[topic])
        .fold(0.0, f32::max);
    RouteScore {
        domains: chosen
            .iter()
            .filter_map(|&topic| match TOPICS[topic] {
                Topic::Domain(domain) => Some(domain),
                Topic::Chat | Topic::Nowhere => None,
            })
            .collect(),
        best: total.score[winner],
        rival,
        follow: total.follow,
        complete: total.head[winner],
        evidence: explain(text, &line, &hits),
    }
}

/// Removes phrases inside the value of an earlier phrase ("remind me to *email Bob*"): they say nothing about the
/// request.
fn silence_values(hits: &mut Vec<Hit>, line: &Line) {
    let mut silent: Vec<Range<usize>> = Vec::new();
    hits.sort_by_key(|hit| (hit.cells.start, std::cmp::Reverse(hit.cells.end)));
    for hit in hits.iter() {
        let pattern = &TABLES.patterns[hit.pattern];
        if let Some(opaque) = &hit.opaque
            && usize::from(pattern.tag) < CHAT
            && !silent.iter().any(|s| s.contains(&hit.cells.start))
        {
            let end = if hit.soft {
                value_end(hits, line, pattern.tag, opaque)
            } else {
                opaque.end
            };
            silent.push(opaque.start..end);
        }
    }
    hits.retain(|hit| {
        !silent
            .iter()
            .any(|s| s.contains(&hit.cells.start) && hit.cells.end <= s.end)
    });
}

/// Returns where a value that may run to the end of its sentence really ends: after a title in quotation marks, or
/// where a clause begins a complete request of another kind.
fn value_end(hits: &[Hit], line: &Line, tag: u16, opaque: &Range<usize>) -> usize {
    let title = line.cells[opaque.clone()]
        .iter()
        .take(TITLE_WITHIN)
        .position(|cell| cell.kinds & kind::QUOTE != 0)
        .map(|at| opaque.start + at + 1);
    let other = hits
        .iter()
        .filter(|hit| {
            let pattern = &TABLES.patterns[hit.pattern];
            pattern.head
                && pattern.weight >= INTERRUPTS_FROM
                && pattern.tag != tag
                && usize::from(pattern.tag) < CHAT
                && hit.cells.start > opaque.start
                && line.cells[hit.cells.start].clause_start
        })
        .map(|hit| hit.cells.start)
        .min();
    title
        .into_iter()
        .chain(other)
        .min()
        .unwrap_or(opaque.end)
        .min(opaque.end)
}

/// The clause of each cell.
struct Clauses {
    of: Vec<usize>,
    count: usize,
}

impl Clauses {
    /// Finds clauses. They begin at joining words and at sentences; in a conditional sentence also at a complete
    /// request ("if it was lower than 5 *make a task*").
    fn of(line: &Line, hits: &[Hit]) -> Self {
        let mut begins = vec![false; line.cells.len()];
        for (at, cell) in line.cells.iter().enumerate().skip(1) {
            begins[at] = cell.clause_start && !line.cells[at - 1].clause_start;
        }
        for sentence in &line.sentences {
            begins[sentence.start] = true;
            let conditional = hits.iter().any(|hit| {
                TABLES.patterns[hit.pattern].tag == CONDITION && sentence.contains(&hit.cells.start)
            });
            let heads = hits.iter().filter(|hit| {
                let pattern = &TABLES.patterns[hit.pattern];
                conditional && pattern.head && pattern.weight >= BEGINS_FROM
            });
            for hit in heads {
                if hit.cells.start > sentence.start && sentence.contains(&hit.cells.start) {
                    begins[hit.cells.start] = true;
                }
            }
        }
        let mut of = Vec::with_capacity(begins.len());
        let mut number = 0;
        for (at, begins) in begins.into_iter().enumerate() {
            number += usize::from(begins && at > 0);
            of.push(number);
        }
        Self {
            of,
            count: number + 1,
        }
    }
}

#[derive(Debug, Clone, Default)]
struct Tally {
    score: [f32; TOPICS.len()],
    head: [bool; TOPICS.len()],
    follow: f32,
}

impl Tally {
    fn best(&self) -> usize {
        let mut best = CHAT;
        for (topic, &score) in self.score.iter().enumerate() {
            if score > self.score[best] {
                best = topic;
            }
        }
        best
    }

    fn second(&self, best: usize) -> f32 {
        let others = self.score.iter().enumerate().filter(|(i, _)| *i != best);
        others.map(|(_, &score)| score).fold(0.0, f32::max)
    }
}

/// Adds up the evidence. Within a topic, the strongest phrase counts in full; a phrase that it covers adds little,
/// because it repeats the same. A phrase that speaks against a topic always counts in full, but only once.
fn weigh(hits: &[Hit], clauses: &Clauses, total: &mut Tally, by_clause: &mut [Tally]) {
    let mut order: Vec<&Hit> = hits.iter().collect();
    order.sort_by(|a, b| {
        let weight = |hit: &Hit| TABLES.patterns[hit.pattern].weight;
        weight(b).total_cmp(&weight(a))
    });
    let mut counted: Vec<(u16, Range<usize>)> = Vec::new();
    let mut against: Vec<usize> = Vec::new();
    for hit in order {
        let pattern = &TABLES.patterns[hit.pattern];
        let tag = usize::from(pattern.tag);
        // A phrase that crosses a joining word belongs to the clause of its object, where it ends.
        let clause = clauses.of.get(hit.cells.end - 1).copied().unwrap_or(0);
        if pattern.tag == CONDITION {
            continue;
        }
        if tag == FOLLOW {
            total.follow = total.follow.max(pattern.weight);
            continue;
        }
        let mut weight = pattern.weight;
        if weight < 0.0 {
            if against.contains(&hit.pattern) {
                continue;
            }
            against.push(hit.pattern);
        } else {
            let overlap = counted
                .iter()
                .filter(|(other, _)| *other == pattern.tag)
                .map(|(_, cells)| shared(cells, &hit.cells))
                .fold(0.0, f32::max);
            weight *= 1.0 - overlap * (1.0 - REPEATED_SHARE);
            counted.push((pattern.tag, hit.cells.clone()));
        }
        total.score[tag] += weight;
        total.head[tag] |= pattern.head;
        if let Some(tally) = by_clause.get_mut(clause) {
            tally.score[tag] += weight;
            tally.head[tag] |= pattern.head;
        }
    }
}

/// Returns the share of `inner` that lies within `outer`.
fn shared(outer: &Range<usize>, inner: &Range<usize>) -> f32 {
    let start = outer.start.max(inner.start);
    let end = outer.end.min(inner.end);
    if end <= start || inner.is_empty() {
        return 0.0;
    }
    (end - start) as f32 / inner.len() as f32
}

fn explain(text: &Text<'_>, line: &Line, hits: &[Hit]) -> Vec<Evidence> {
    let mut out: Vec<Evidence> = hits
        .iter()
        .filter_map(|hit| {
            let pattern = &TABLES.patterns[hit.pattern];
            let topic = *TOPICS.get(usize::from(pattern.tag))?;
            let cells = line.cells.get(hit.cells.clone())?;
            let tokens = cells.first()?.tokens.start..cells.last()?.tokens.end;
            Some(Evidence {
                topic,
                phrase: pattern.text,
                weight: pattern.weight,
                span: text.span(tokens)?,
            })
        })
        .collect();
    out.sort_by(|a, b| b.weight.abs().total_cmp(&a.weight.abs()));
    out.truncate(EVIDENCE_MAX);
    out
}
