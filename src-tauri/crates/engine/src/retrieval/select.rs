//! Selects the tools that fit a message.

use std::collections::BTreeSet;

use adjutant_domain::conversation::{Message, Role};
use adjutant_domain::route::Domain;
use adjutant_domain::tool::ToolSpec;

use super::index::Index;
use super::page::{FOREIGN, ToolForms, ToolPage, clashing, lay_out};
use super::words::terms;

/// Weights of a tool's name, description, phrases, and the names and descriptions of its arguments.
const WEIGHTS: [f32; 4] = [3.0, 2.0, 1.5, 0.4];
/// Maximum number of tools beyond those of the routed domains.
const FOUND_MAX: usize = 16;
/// Minimum score of a fitting tool, as a fraction of the best score.
const SCORE_PART_MIN: f32 = 0.3;
/// Constant of reciprocal rank fusion, which joins two ranked lists; the usual value.
const FUSION: f32 = 60.0;
/// Number of entries of the vector ranking to use.
const NEAREST_MAX: usize = 24;
/// Limit in bytes for the indexed argument names and descriptions of a tool.
const ARGUMENT_CHARS_MAX: usize = 2_000;

/// Vectors of the tools, from one embedding model.
#[derive(Clone, Debug, PartialEq)]
pub struct ToolVectors {
    /// Id of the model; vectors of other models are not compared.
    pub model: String,
    /// One vector per tool, in the order of the specifications.
    pub rows: Vec<Vec<f32>>,
}

/// All tools, ready to be searched. Built once per set of specifications.
#[derive(Clone, Debug)]
pub struct Retriever {
    told: Vec<ToolForms>,
    index: Index,
    vectors: Option<ToolVectors>,
}

/// The tools selected for a message.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Selection {
    /// The page that a model sees.
    pub page: ToolPage,
    /// Names of the tools on the page, best first.
    pub suggested: Vec<String>,
    /// Number of tools that fit but found no room.
    pub left_out: u64,
}

impl Retriever {
    /// Indexes tools. `vectors` are used alongside words if there is one for each tool.
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

    /// Returns the id of the model that made the tools' vectors. `None` if there are no vectors.
    #[must_use]
    pub fn model(&self) -> Option<&str> {
        self.vectors.as_ref().map(|vectors| vectors.model.as_str())
    }

    /// Returns the text to embed for a tool: name, description and phrases.
    #[must_use]
    pub fn text(spec: &ToolSpec) -> String {
        let mut text = format!("{}: {}", spec.name, spec.description);
        for phrase in &spec.phrases {
            text.push('\n');
            text.push_str(phrase);
        }
        text
    }

    /// Selects tools for `text` within `budget` tokens: first all of ours in `domains` and those named in `always`,
    /// then the best matches. `vector` is the text's vector with the id of its model.
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
        // Put the best match first even if its domain was not routed: a wrong route must not hide the right tool.
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

    /// Ranks tools by fit, best first: by words, and by vectors if there are any.
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

/// Number of meaningful words below which a message depends on what was said before.
const SHORT_TERMS: usize = 3;

/// Returns the text to search for: the message, together with the person's previous message if it depends on that.
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

/// Returns the names and descriptions of a tool's arguments.
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

/// Returns the cosine similarity of two vectors. `None` if they cannot be compared.
fn cosine(a: &[f32], b: &[f32]) -> Option<f32> {
    if a.len() != b.len() {
        return None;
    }
    let dot = |x: &[f32], y: &[f32]| x.iter().zip(y).map(|(x, y)| x * y).sum::<f32>();
    let similar = dot(a, b) / (dot(a, a) * dot(b, b)).sqrt();
    similar.is_finite().then_some(similar)
}
