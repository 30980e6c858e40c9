//! Which tools fit a message.

use std::collections::BTreeSet;

use adjutant_domain::conversation::{Message, Role};
use adjutant_domain::route::Domain;
use adjutant_domain::tool::ToolSpec;

use super::index::Index;
use super::page::{FOREIGN, ToolForms, ToolPage, clashing, lay_out};
use super::words::terms;

/// Weights of a tool's name, description, phrases, and the names and descriptions of its arguments.
const WEIGHTS: [f32; 4] = [3.0, 2.0, 1.5, 0.4];
/// Tools beyond those of the routed domains.
const FOUND_MAX: usize = 16;
/// A tool with less than this part of the best score does not fit.
const SCORE_PART_MIN: f32 = 0.3;
/// How fast a place in a list loses worth when two lists are joined (reciprocal rank fusion); the usual figure.
const FUSION: f32 = 60.0;
/// Places of the list of vectors that count.
const NEAREST_MAX: usize = 24;
/// Characters of an argument's names that are indexed a tool.
const ARGUMENT_CHARS_MAX: usize = 2_000;

/// Vectors of the tools, from one embedding model.
#[derive(Clone, Debug, PartialEq)]
pub struct ToolVectors {
    /// Which model; queries of another are not compared.
    pub model: String,
    /// One vector a tool, in the order of the specifications.
    pub rows: Vec<Vec<f32>>,
}

/// All tools, ready to be searched. Built once for a set of specifications.
#[derive(Clone, Debug)]
pub struct Retriever {
    told: Vec<ToolForms>,
    index: Index,
    vectors: Option<ToolVectors>,
}

/// Tools for one message.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Selection {
    /// The page a model sees.
    pub page: ToolPage,
    /// Names of the tools on it, best first.
    pub suggested: Vec<String>,
    /// Tools that fit and were left out for want of room.
    pub left_out: u64,
}

impl Retriever {
    /// Indexes tools. `vectors` are used beside the words where they are there and fit.
    #[must_use]
    pub fn new<'a>(
        specs: impl IntoIterator<Item = &'a ToolSpec>,
        vectors: Option<ToolVectors>,
    ) -> Self {
        let specs: Vec<&ToolSpec> = specs.into_iter().collect();
        let arguments: Vec<String> = specs.iter().map(|spec| arguments(spec)).collect();
        let phrases: Vec<String> = specs.iter().map(|spec| spec.phrases.join("\n")).collect();
        let index = Index::new(specs.iter().enumerate().map(|(at, spec)| {
            let name = spec.name.strip_prefix(FOREIGN).unwrap_or(&spec.name);
            [
                (WEIGHTS[0], name),
                (WEIGHTS[1], spec.description.as_str()),
                (WEIGHTS[2], phrases[at].as_str()),
                (WEIGHTS[3], arguments[at].as_str()),
            ]
        }));
        Self {
            told: {
                let clashing = clashing(&specs);
                specs
                    .iter()
                    .map(|spec| ToolForms::new(spec, &clashing))
                    .collect()
            },
            index,
            vectors: vectors.filter(|vectors| vectors.rows.len() == specs.len()),
        }
    }

    /// The model of the tools' vectors; none without them.
    #[must_use]
    pub fn model(&self) -> Option<&str> {
        self.vectors.as_ref().map(|vectors| vectors.model.as_str())
    }

    /// What a vector of a tool is made from: name, description and phrases.
    #[must_use]
    pub fn text(spec: &ToolSpec) -> String {
        let mut text = format!("{}: {}", spec.name, spec.description);
        for phrase in &spec.phrases {
            text.push('\n');
            text.push_str(phrase);
        }
        text
    }

    /// Tools for `text`: all of ours in `domains` and what `always` names come first, then what fits best, as far as
    /// `budget` tokens go. `vector` is the text's, with its model.
    #[must_use]
    pub fn select(
        &self,
        text: &str,
        domains: &[Domain],
        always: &[&str],
        vector: Option<(&str, &[f32])>,
        budget: u64,
    ) -> Selection {
        let ranked = self.ranked(text, vector);
        let needed = |told: &ToolForms| {
            always.contains(&told.name.as_str())
                || (!told.foreign && domains.contains(&told.domain))
        };
        let mut order: Vec<usize> = ranked
            .iter()
            .map(|(at, _)| *at)
            .filter(|at| needed(&self.told[*at]))
            .collect();
        let seen: BTreeSet<usize> = order.iter().copied().collect();
        order.extend(
            (0..self.told.len()).filter(|at| needed(&self.told[*at]) && !seen.contains(at)),
        );
        let must = order.len();
        let best = ranked.first().map_or(0.0, |(_, score)| *score);
        order.extend(
            ranked
                .iter()
                .filter(|(at, score)| !needed(&self.told[*at]) && *score >= best * SCORE_PART_MIN)
                .map(|(at, _)| *at)
                .take(FOUND_MAX),
        );
        // What fits best comes first even where its domain was not named: a wrong route must not hide the right tool.
        if let Some((top, _)) = ranked.first()
            && let Some(place) = order.iter().position(|at| at == top)
        {
            order[..=place].rotate_right(1);
        }
        let wanted: Vec<&ToolForms> = order.iter().map(|at| &self.told[*at]).collect();
        let (page, on) = lay_out(&wanted, must, budget);
        Selection {
            suggested: wanted
                .iter()
                .zip(&on)
                .filter(|(_, on)| **on)
                .map(|(told, _)| told.name.clone())
                .collect(),
            left_out: on.iter().filter(|on| !**on).count() as u64,
            page,
        }
    }

    /// Tools by how well they fit, best first: by words, and by vectors where there are some.
    fn ranked(&self, text: &str, vector: Option<(&str, &[f32])>) -> Vec<(usize, f32)> {
        let words = self.index.search(text);
        let near = self.nearest(vector);
        if near.is_empty() {
            return words;
        }
        #[expect(clippy::cast_precision_loss, reason = "places in a short list")]
        let worth = |place: usize| 1.0 / (FUSION + place as f32);
        let mut scores = vec![0.0_f32; self.told.len()];
        for list in [&words, &near] {
            for (place, (at, _)) in list.iter().enumerate() {
                scores[*at] += worth(place);
            }
        }
        let mut joined: Vec<_> = scores
            .into_iter()
            .enumerate()
            .filter(|(_, score)| *score > 0.0)
            .collect();
        joined.sort_by(|(a, x), (b, y)| y.total_cmp(x).then(a.cmp(b)));
        joined
    }

    fn nearest(&self, vector: Option<(&str, &[f32])>) -> Vec<(usize, f32)> {
        let (Some(vectors), Some((model, wanted))) = (&self.vectors, vector) else {
            return Vec::new();
        };
        if vectors.model != model {
            return Vec::new();
        }
        let mut near: Vec<_> = vectors
            .rows
            .iter()
            .enumerate()
            .filter_map(|(at, row)| Some((at, cosine(row, wanted)?)))
            .collect();
        near.sort_by(|(a, x), (b, y)| y.total_cmp(x).then(a.cmp(b)));
        near.truncate(NEAREST_MAX);
        near
    }
}

/// Words of meaning below which a message leans on what was said before.
const SHORT_TERMS: usize = 3;

/// What to look for: the message, and where it leans on what was said before, the person's message before it as well.
#[must_use]
pub fn query(text: &str, past: &[Message], is_followup: bool) -> String {
    let leans = is_followup || terms(text).len() < SHORT_TERMS;
    let before = past
        .iter()
        .rev()
        .find(|message| message.role == Role::User)
        .filter(|_| leans);
    match before {
        Some(before) => format!("{text}\n{}", before.text),
        None => text.to_owned(),
    }
}

/// Names of the arguments and what they say about themselves.
fn arguments(spec: &ToolSpec) -> String {
    let mut text = String::new();
    let properties = spec
        .schema
        .get("properties")
        .and_then(|one| one.as_object());
    for (name, schema) in properties.into_iter().flatten() {
        text.push_str(name);
        text.push(' ');
        if let Some(what) = schema.get("description").and_then(|one| one.as_str()) {
            text.push_str(what);
            text.push(' ');
        }
        if text.len() > ARGUMENT_CHARS_MAX {
            break;
        }
    }
    text
}

/// How much two vectors point the same way; none when they cannot be compared.
fn cosine(a: &[f32], b: &[f32]) -> Option<f32> {
    if a.len() != b.len() {
        return None;
    }
    let dot = |x: &[f32], y: &[f32]| x.iter().zip(y).map(|(x, y)| x * y).sum::<f32>();
    let similar = dot(a, b) / (dot(a, a) * dot(b, b)).sqrt();
    similar.is_finite().then_some(similar)
}
