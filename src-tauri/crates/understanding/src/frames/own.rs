//! Phrases that tools bring themselves ("remind me to {title} {when}"), for tools that no data file names.
//!
//! A phrase becomes a rule of the category `own`; the tool's schema types its slots. Phrases may come from a foreign
//! server, so only a few short ones are taken, each with a meaningful word of its own, and they apply only if nothing
//! else reads the message.

mod read;
mod slot;

use std::collections::HashMap;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

use adjutant_domain::tool::{ArgsSchema, ToolSpec};

use super::grammar::{GRAMMAR, Rule, WordId};

pub(super) use slot::{PhraseSlot, PhraseSlotKind};

/// Maximum number of tools whose phrases are read, in the order of the catalogue.
const TOOLS_MAX: usize = 64;
/// Maximum number of phrases per tool.
const PHRASES_MAX: usize = 16;
/// Maximum length of a phrase in bytes.
const PHRASE_BYTES_MAX: usize = 160;
/// Maximum number of tool sets whose phrases are cached: one for the person's turns, and some for trying out other
/// tools.
const SETS_MAX: usize = 4;

/// The category that holds these rules.
pub(super) static CATEGORY: LazyLock<Option<usize>> = LazyLock::new(|| GRAMMAR.category("own"));

/// The phrases of a set of tools.
#[derive(Debug, Default)]
pub(super) struct ToolPhrases {
    /// Words that the data files do not contain.
    words: HashMap<Box<str>, WordId>,
    /// The rules made from the phrases.
    pub rules: Vec<Rule>,
    /// The tool call of each rule, by rule number.
    phrases: Vec<ToolPhrase>,
}

/// The tool call that a rule stands for.
#[derive(Debug)]
pub(super) struct ToolPhrase {
    /// The tool that it calls.
    pub tool: String,
    /// The slots, with the arguments that they fill.
    pub slots: Vec<PhraseSlot>,
    /// Whether the tool takes times; then a time that was said is not part of its free text.
    pub takes_times: bool,
}

/// Everything about a tool that its phrases depend on.
#[derive(Clone)]
struct PhraseSource {
    tool: String,
    phrases: Vec<String>,
    schema: ArgsSchema,
}

/// Returns the phrases that these tools bring, parsed once per set of tools. `None` if they bring none that can be
/// read.
pub(super) fn phrases(tools: &[ToolSpec]) -> Option<Arc<ToolPhrases>> {
    static KNOWN: Mutex<Vec<(Vec<PhraseSource>, Arc<ToolPhrases>)>> = Mutex::new(Vec::new());
    let sources: Vec<PhraseSource> = tools
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
    // The most recently used set is last.
    known.push(found);
    if known.len() > SETS_MAX {
        known.remove(0);
    }
    (!phrases.rules.is_empty()).then_some(phrases)
}

fn source(tool: &ToolSpec) -> PhraseSource {
    let short = tool.phrases.iter();
    PhraseSource {
        tool: tool.name.clone(),
        phrases: short
            .filter(|phrase| phrase.len() <= PHRASE_BYTES_MAX)
            .take(PHRASES_MAX)
            .cloned()
            .collect(),
        schema: tool.schema.clone(),
    }
}

fn same(one: &[PhraseSource], other: &[PhraseSource]) -> bool {
    let alike = |(one, other): (&PhraseSource, &PhraseSource)| {
        one.tool == other.tool && one.phrases == other.phrases && *one.schema == *other.schema
    };
    one.len() == other.len() && one.iter().zip(other).all(alike)
}

impl ToolPhrases {
    /// Returns the number of a word, from the data files or from these phrases.
    pub fn word(&self, word: &str) -> Option<WordId> {
        GRAMMAR.word(word).or_else(|| self.words.get(word).copied())
    }

    /// Returns the tool call of a rule, by its category and number.
    pub fn phrase(&self, (category, number): (usize, usize)) -> Option<&ToolPhrase> {
        (Some(category) == *CATEGORY).then(|| self.phrases.get(number))?
    }
}

impl ToolPhrase {
    /// Returns the argument that a role fills.
    pub fn argument<'a>(&'a self, role: &'a str) -> &'a str {
        let slot = self.slots.iter().find(|slot| slot.role == role);
        slot.map_or(role, |slot| &slot.argument)
    }
}
