//! Phrases that tools bring themselves ("remind me to {title} {when}"), for tools that no data file knows.
//!
//! A phrase becomes a rule of the category `own`; its slots are typed by the tool's schema. Phrases may come from a stranger's
//! server: few are taken, short ones, with a word of their own, and only where nothing else reads the message.

mod read;
mod slot;

use std::collections::HashMap;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

use adjutant_domain::tool::{ArgsSchema, ToolSpec};

use super::grammar::{GRAMMAR, Rule, WordId};

pub(super) use slot::{Kind, Slot};

/// Tools whose phrases are read, in the order of the catalogue.
const TOOLS_MAX: usize = 64;
/// Phrases of one tool.
const PHRASES_MAX: usize = 16;
/// Longest phrase, in bytes.
const PHRASE_BYTES_MAX: usize = 160;
/// Sets of tools whose phrases are kept: those of a person's turns, and of who tries out others.
const SETS_MAX: usize = 4;

/// The category whose rules they are.
pub(super) static CATEGORY: LazyLock<Option<usize>> = LazyLock::new(|| GRAMMAR.category("own"));

/// The phrases of a set of tools.
#[derive(Debug, Default)]
pub(super) struct Phrases {
    /// Words that the data files do not hold.
    words: HashMap<Box<str>, WordId>,
    /// What they read.
    pub rules: Vec<Rule>,
    /// By rule, what it is for.
    phrases: Vec<Phrase>,
}

/// What a rule is for.
#[derive(Debug)]
pub(super) struct Phrase {
    /// The tool it calls.
    pub tool: String,
    /// What fills which argument.
    pub slots: Vec<Slot>,
    /// Whether the tool takes times, so that a time said is none of its words.
    pub takes_times: bool,
}

/// All of a tool that its phrases depend on.
#[derive(Clone)]
struct Source {
    tool: String,
    phrases: Vec<String>,
    schema: ArgsSchema,
}

/// The phrases that these tools bring, read once for a set of tools. `None`: they bring none.
pub(super) fn phrases(tools: &[ToolSpec]) -> Option<Arc<Phrases>> {
    static KNOWN: Mutex<Vec<(Vec<Source>, Arc<Phrases>)>> = Mutex::new(Vec::new());
    let sources: Vec<Source> = tools
        .iter()
        .filter(|tool| !tool.phrases.is_empty() && !GRAMMAR.knows(&tool.name))
        .take(TOOLS_MAX)
        .map(source)
        .collect();
    let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    let place = known.iter().position(|(of, _)| same(of, &sources));
    let found = match place {
        Some(place) => known.remove(place),
        None => {
            let read = Arc::new(read::phrases(&sources));
            (sources, read)
        }
    };
    let phrases = Arc::clone(&found.1);
    // The latest stand last.
    known.push(found);
    if known.len() > SETS_MAX {
        known.remove(0);
    }
    (!phrases.rules.is_empty()).then_some(phrases)
}

fn source(tool: &ToolSpec) -> Source {
    let short = tool.phrases.iter();
    Source {
        tool: tool.name.clone(),
        phrases: short
            .filter(|phrase| phrase.len() <= PHRASE_BYTES_MAX)
            .take(PHRASES_MAX)
            .cloned()
            .collect(),
        schema: tool.schema.clone(),
    }
}

fn same(one: &[Source], other: &[Source]) -> bool {
    let alike = |(one, other): (&Source, &Source)| {
        one.tool == other.tool && one.phrases == other.phrases && *one.schema == *other.schema
    };
    one.len() == other.len() && one.iter().zip(other).all(alike)
}

impl Phrases {
    /// The number of a word of these phrases.
    pub fn word(&self, word: &str) -> Option<WordId> {
        GRAMMAR.word(word).or_else(|| self.words.get(word).copied())
    }

    /// What a rule is for, by its category and number.
    pub fn phrase(&self, (category, number): (usize, usize)) -> Option<&Phrase> {
        (Some(category) == *CATEGORY).then(|| self.phrases.get(number))?
    }
}

impl Phrase {
    /// The argument that a role fills.
    pub fn argument<'a>(&'a self, role: &'a str) -> &'a str {
        let slot = self.slots.iter().find(|slot| slot.role == role);
        slot.map_or(role, |slot| &slot.argument)
    }
}
