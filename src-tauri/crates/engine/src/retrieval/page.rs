//! Lays out the page of tools for a model within a budget: the best ones with all their arguments, the others in brief.

use std::collections::{BTreeMap, BTreeSet};

use adjutant_domain::route::Domain;
use adjutant_domain::tool::ToolSpec;
use adjutant_prompts::{Fenced, phrase};
use serde::Serialize;

use super::signature::{Detail, Names, cut, signature};
use adjutant_domain::model::tokens::estimate;

/// Prefix of the names of servers' tools.
pub(super) const FOREIGN: &str = "mcp.";
/// Maximum length of a description of ours in characters.
const DESCRIPTION_CHARS_MAX: usize = 300;
/// Maximum length of a server's description in characters.
const FOREIGN_CHARS_MAX: usize = 200;
/// Maximum length of a family's name in characters.
const FAMILY_CHARS_MAX: usize = 20;
/// Maximum length of a line or type in characters; a longer argument list is replaced by `…`.
const LINE_CHARS_MAX: usize = 4_000;
/// Tokens of the marks around foreign text.
const FENCE_TOKENS: u64 = 64;
/// The text that describes the results of our tools, one line per domain.
const ROWS: &str = "partials/rows";
/// Key of the line that applies to all domains.
const ALL: &str = "all";

/// The tools as a model sees them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct ToolPage {
    /// Our tools and the types they use.
    pub own: String,
    /// Tools of connected servers, in the servers' words.
    pub foreign: Option<Fenced>,
    /// What our tools return, for references.
    pub rows: String,
    /// Estimated tokens of the whole page.
    #[serde(skip)]
    pub tokens: u64,
}

/// A tool rendered at every level of detail, with its cost. Made once per catalogue.
#[derive(Clone, Debug)]
pub(super) struct ToolForms {
    pub(super) name: String,
    pub(super) domain: Domain,
    pub(super) foreign: bool,
    /// One form per level of detail, in the order of [`DETAILS`].
    forms: [Form; 4],
}

#[derive(Clone, Debug)]
struct Form {
    line: String,
    tokens: u64,
    /// From a type's name to its body and its cost in tokens.
    types: BTreeMap<String, (String, u64)>,
}

/// Levels of detail, from brief to full.
const DETAILS: [Detail; 4] = [Detail::Bare, Detail::Slim, Detail::Typed, Detail::Noted];

/// Returns the names that tools use for different types.
pub(super) fn clashing(specs: &[&ToolSpec]) -> BTreeSet<String> {
    let none = BTreeSet::new();
    let mut first = BTreeMap::<String, String>::new();
    let mut clashing = BTreeSet::new();
    for spec in specs {
        let names = Names {
            clashing: &none,
            family: "",
        };
        for (name, body) in signature(&spec.schema, Detail::Typed, names).types {
            if first.entry(name.clone()).or_insert_with(|| body.clone()) != &body {
                clashing.insert(name);
            }
        }
    }
    clashing
}

/// Returns the family of a tool: `Task` for `task.create`, `Github` for `mcp.github.create_issue`.
fn family(name: &str) -> String {
    let name = name.strip_prefix(FOREIGN).unwrap_or(name);
    let word = name.split('.').next().unwrap_or_default();
    let mut chars = cut(word, FAMILY_CHARS_MAX)
        .chars()
        .collect::<Vec<_>>()
        .into_iter();
    chars
        .next()
        .map(|first| first.to_uppercase().chain(chars).collect())
        .unwrap_or_default()
}

impl ToolForms {
    pub(super) fn new(spec: &ToolSpec, clashing: &BTreeSet<String>) -> Self {
        let foreign = spec.name.starts_with(FOREIGN);
        let chars = if foreign {
            FOREIGN_CHARS_MAX
        } else {
            DESCRIPTION_CHARS_MAX
        };
        let name = cut(&spec.name, DESCRIPTION_CHARS_MAX);
        let description = cut(&spec.description, chars);
        let family = family(&spec.name);
        let names = Names {
            clashing,
            family: &family,
        };
        let forms = DETAILS.map(|detail| {
            let found = signature(&spec.schema, detail, names);
            let mut line = format!("{name}({}): {description}", found.args);
            if line.chars().count() > LINE_CHARS_MAX {
                line = format!("{name}(…): {description}");
            }
            let line: String = line.chars().take(LINE_CHARS_MAX).collect();
            let types = found
                .types
                .into_iter()
                .map(|(name, body)| {
                    let body: String = body.chars().take(LINE_CHARS_MAX).collect();
                    let cost = estimate(&type_line(&name, &body)) + 1;
                    (name, (body, cost))
                })
                .collect();
            Form {
                tokens: estimate(&line) + 1,
                line,
                types,
            }
        });
        Self {
            name: spec.name.clone(),
            domain: spec.domain,
            foreign,
            forms,
        }
    }
}

/// Number of optional tools to place before any tool gets more detail.
const NEAR_MAX: usize = 6;

/// Lays out `wanted` (best first) within `budget`. The first `must` of them are placed before any other tool gets more
/// detail. Returns the page and, in the order of `wanted`, which tools are on it.
pub(super) fn lay_out(wanted: &[&ToolForms], must: usize, budget: u64) -> (ToolPage, Vec<bool>) {
    let mut levels: Vec<Option<usize>> = vec![None; wanted.len()];
    // In the briefest form: all required tools, then the best of the others. Then argument names, then types, then the
    // remaining tools, and finally notes, for foreign tools first, because our own names speak for themselves.
    let near = wanted.len().min(must + NEAR_MAX);
    // A route that names nearly every domain must not hide the servers' tools that fit best.
    for at in (must..near).filter(|at| wanted[*at].foreign) {
        raise(wanted, &mut levels, at, 0, budget);
    }
    for level in 0..3 {
        for at in 0..near {
            raise(wanted, &mut levels, at, level, budget);
        }
    }
    for at in near..wanted.len() {
        for level in 0..2 {
            raise(wanted, &mut levels, at, level, budget);
        }
    }
    for foreign in [true, false] {
        for at in (0..near).filter(|at| wanted[*at].foreign == foreign) {
            raise(wanted, &mut levels, at, 3, budget);
        }
    }
    let page = write(wanted, &levels);
    (page, levels.iter().map(Option::is_some).collect())
}

fn raise(
    wanted: &[&ToolForms],
    levels: &mut [Option<usize>],
    at: usize,
    level: usize,
    budget: u64,
) {
    let before = levels[at];
    if level > 0 && before != Some(level - 1) {
        return;
    }
    levels[at] = Some(level);
    if cost(wanted, levels) > budget {
        levels[at] = before;
    }
}

fn chosen<'a>(
    wanted: &'a [&ToolForms],
    levels: &'a [Option<usize>],
    foreign: bool,
) -> impl Iterator<Item = (&'a ToolForms, &'a Form)> {
    wanted
        .iter()
        .zip(levels)
        .filter(move |(told, _)| told.foreign == foreign)
        .filter_map(|(told, level)| Some((*told, told.forms.get((*level)?)?)))
}

fn cost(wanted: &[&ToolForms], levels: &[Option<usize>]) -> u64 {
    let mut all = 0;
    for foreign in [false, true] {
        let mut types = BTreeMap::new();
        let mut any = false;
        for (_, form) in chosen(wanted, levels, foreign) {
            any = true;
            all += form.tokens;
            for (name, (body, cost)) in &form.types {
                types.entry((name, body)).or_insert(*cost);
            }
        }
        all += types.values().sum::<u64>();
        if any && foreign {
            all += FENCE_TOKENS;
        }
    }
    all + rows(wanted, levels).map_or(0, |rows| estimate(&rows) + 8)
}

fn write(wanted: &[&ToolForms], levels: &[Option<usize>]) -> ToolPage {
    let group = |foreign: bool| {
        let mut lines = Vec::new();
        let mut types = BTreeMap::new();
        for (_, form) in chosen(wanted, levels, foreign) {
            lines.push(format!("- {}", form.line));
            for (name, (body, _)) in &form.types {
                types.entry((name, body)).or_insert(());
            }
        }
        lines.extend(types.keys().map(|(name, body)| type_line(name, body)));
        lines.join("\n")
    };
    let foreign = group(true);
    ToolPage {
        own: group(false),
        foreign: (!foreign.is_empty()).then(|| Fenced::new("connected servers", &foreign)),
        rows: rows(wanted, levels).unwrap_or_default(),
        tokens: cost(wanted, levels),
    }
}

fn type_line(name: &str, body: &str) -> String {
    format!("{name} = {body}")
}

/// Returns what the tools on the page return: one line for all, and one for each domain of ours.
fn rows(wanted: &[&ToolForms], levels: &[Option<usize>]) -> Option<String> {
    let has = |domain: &str| {
        wanted
            .iter()
            .zip(levels)
            .any(|(told, level)| level.is_some() && !told.foreign && told.domain.as_str() == domain)
    };
    let lines: Vec<_> = phrase(ROWS)?
        .lines()
        .filter(|line| line.split_once(':').is_some_and(|(domain, _)| has(domain)))
        .collect();
    let first = phrase(ROWS)?
        .lines()
        .find_map(|line| line.strip_prefix(ALL)?.strip_prefix(": "))?;
    (!lines.is_empty()).then(|| format!("{first}\n{}", lines.join("\n")))
}
