//! Ranks the sources that contain what is sought.

use super::document::Document;
use super::search::RecallQuestion;
use super::sought::{Coverage, Sought};
use super::sources::Source;
use crate::words;

/// Maximum passages in one answer.
const SAID_MAX: usize = 3;
/// Minimum share of the weight of all words in a source that answers, for it to be preferred to sources that do not.
const ANSWERING_SHARE_MIN: f32 = 0.65;
/// How much two shares of the weight may differ and count as the same.
const SAME_SHARE: f32 = 0.01;

/// A source with its score.
pub(super) struct Ranked {
    pub(super) source: Source,
    /// What the answer says of it.
    pub(super) said: String,
    score: f32,
    /// How many of the wanted kinds of answers it holds.
    shapes: f32,
}

/// Returns the sources that contain all words, best first, and `true`; if there are none, those that contain the rarest
/// of them, and `false`. `least` is the share of the weight of all words that a source must contain.
pub(super) fn ranked(
    found: Vec<(Source, Document)>,
    sought: &Sought,
    ask: RecallQuestion,
    least: f32,
) -> (Vec<Ranked>, bool) {
    let mut ranked: Vec<(Coverage, Ranked)> = found
        .into_iter()
        .filter_map(|(source, document)| {
            let coverage = sought.coverage(&document);
            let close = coverage.subject && coverage.share >= least;
            let ranked = (close || coverage.whole)
                .then(|| rank(source, &document, sought, (ask, coverage.whole)))?;
            Some((coverage, ranked?))
        })
        .collect();
    // A source that answers, with most of the words, is better than one with all words and without an answer.
    let answers = |one: &(Coverage, Ranked)| sought.is_answered(one.1.shapes);
    let enough = |one: &(Coverage, Ranked)| one.0.whole || one.0.share >= ANSWERING_SHARE_MIN;
    if ask != RecallQuestion::Text && ranked.iter().any(|one| answers(one) && enough(one)) {
        ranked.retain(answers);
    }
    let most = ranked.iter().map(|(coverage, _)| coverage.share);
    let most = most.fold(0.0, f32::max);
    ranked.retain(|(coverage, _)| coverage.share >= most - SAME_SHARE);
    let all = ranked.iter().any(|(coverage, _)| coverage.whole);
    let mut ranked: Vec<Ranked> = ranked.into_iter().map(|(_, ranked)| ranked).collect();
    ranked.sort_by(|a, b| {
        let score = b.score.total_cmp(&a.score);
        score.then(b.source.at.cmp(&a.source.at))
    });
    (ranked, all)
}

/// Scores a source; `None` if nothing of it says anything about what is sought.
fn rank(
    source: Source,
    document: &Document,
    sought: &Sought,
    (ask, whole): (RecallQuestion, bool),
) -> Option<Ranked> {
    /// What a title that contains every word adds.
    const CALLED: f32 = 2.0;
    /// What the title adds to a text that is wanted in full.
    const TEXT_CALLED: f32 = 4.0;
    /// What it adds that the person told it.
    const TOLD: f32 = 3.0;
    let titled = sought.titled(document);
    let line = source.line.clone();
    let mut passage = sought.passage(document);
    let own = sought.line(document);
    let shapes = passage.as_ref().map_or(0.0, |one| one.shapes);
    let shapes = shapes.max(own.shapes);
    let answers = sought.is_answered(shapes);
    if !whole && !answers {
        return None;
    }
    if !answers && ask != RecallQuestion::Text && passage.as_ref().is_some_and(|one| one.asks) {
        passage = None;
        // Somebody only asks the same.
        line.as_ref()?;
    }
    let best = passage.as_ref().map_or(0.0, |one| one.score);
    let best = best.max(own.score);
    if best <= 0.0 {
        return None;
    }
    let called = match ask {
        // For "show me the text …", the source with that title is meant.
        RecallQuestion::Text => TEXT_CALLED * titled,
        _ if titled > 1.0 - SAME_SHARE => CALLED,
        _ => 0.0,
    };
    let told = if source.kind == "memory" { TOLD } else { 0.0 };
    let said = match (line, passage) {
        (Some(line), _) if source.kind == "memory" => format!("{line}."),
        (Some(line), Some(passage)) if source.kind != "contact" => {
            format!(
                "{line}: “{}” ({})",
                words::inline(&passage.text),
                source.place
            )
        }
        (Some(line), _) => format!("{line} ({})", source.place),
        (None, Some(passage)) => format!("“{}” ({})", passage.text, source.place),
        (None, None) => opening(&source),
    };
    Some(Ranked {
        source,
        said,
        score: best + called + told,
        shapes,
    })
}

/// Returns the beginning of a text of which only the title matched.
fn opening(source: &Source) -> String {
    const CHARS_MAX: usize = 240;
    let text = source.text.split_whitespace().collect::<Vec<_>>().join(" ");
    match text.as_str() {
        "" => format!("{} is all there is.", capital(&source.place)),
        text => format!("“{}” ({})", words::cut(text, CHARS_MAX), source.place),
    }
}

/// Returns the sources worth showing: only the best one if it leads by far.
pub(super) fn chosen(ranked: &[Ranked], ask: RecallQuestion) -> &[Ranked] {
    /// Minimum lead in score with which the best one is shown alone.
    const AHEAD: f32 = 3.0;
    /// The same before one that lacks an answer of a wanted kind.
    const AHEAD_IN_KIND: f32 = 1.5;
    /// By how much more kinds of answers one source certainly holds.
    const IN_KIND: f32 = 0.6;
    let most = match ask {
        RecallQuestion::About => words::LINES_MAX,
        RecallQuestion::Text => 1,
        _ => SAID_MAX,
    };
    let count = match ranked {
        [best, next, ..] if ask != RecallQuestion::About => {
            let ahead = match best.shapes >= next.shapes + IN_KIND {
                true => AHEAD_IN_KIND,
                false => AHEAD,
            };
            match best.score >= next.score + ahead {
                true => 1,
                false => ranked.len().min(most),
            }
        }
        _ => ranked.len().min(most),
    };
    &ranked[..count]
}

/// Returns a text with its first letter capitalised.
pub(super) fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| {
        first.to_uppercase().chain(letters).collect()
    })
}
