//! Turns phrases into rules.

use adjutant_text::{fold, says_nothing};
use serde_json::Value as Json;

use super::slot::{PhraseSlot, PhraseSlotKind, ROLES};
use super::{PhraseSource, ToolPhrase, ToolPhrases};
use crate::frames::grammar::{GRAMMAR, Rule, RulePart, SlotType, WordId};

/// Maximum number of words and slots in a phrase.
const PARTS_MAX: usize = 20;
/// Maximum number of ways to say a phrase: with and without each optional part, and with each kind of its slots.
const WAYS_MAX: usize = 16;
/// Suffix of a slot's name: the slot takes whole sentences, "what the lease says" as well as "the lease".
const SPEECH: &str = ":speech";
/// What a phrase adds to the score: negative, so that this program's own rules come first.
const WEIGHT: f32 = -0.5;

/// A way to say a phrase, while it is parsed.
#[derive(Clone, Default)]
struct PhraseVariant {
    parts: Vec<RulePart>,
    slots: Vec<PhraseSlot>,
}

/// Returns the rules of all phrases that can be read.
pub(super) fn phrases(sources: &[PhraseSource]) -> ToolPhrases {
    let mut phrases = ToolPhrases::default();
    for source in sources {
        let takes_times = takes_times(&source.schema);
        for text in &source.phrases {
            let ways = phrases.ways(text, &source.schema).unwrap_or_default();
            for way in ways {
                if tells(&way, &phrases) && is_whole(&way, &source.schema) {
                    phrases.rules.push(Rule {
                        parts: way.parts,
                        constants: Vec::new(),
                        weight: WEIGHT,
                    });
                    phrases.phrases.push(ToolPhrase {
                        tool: source.tool.clone(),
                        slots: way.slots,
                        takes_times,
                    });
                }
            }
        }
    }
    phrases
}

/// Reports whether a meaningful word precedes the first slot: "a {title}" would read any message.
fn tells(way: &PhraseVariant, phrases: &ToolPhrases) -> bool {
    let says = |word: &WordId| {
        let text = phrases.text(*word);
        text.chars().count() > 2 && !says_nothing(text)
    };
    let words = way.parts.iter().map_while(|part| match part {
        RulePart::Words(words) => Some(words),
        _ => None,
    });
    words.into_iter().any(|words| words.iter().all(says))
}

/// Reports whether a way to say a phrase fills every required argument. Without slots, it may only call a tool that
/// takes no arguments.
fn is_whole(way: &PhraseVariant, schema: &Json) -> bool {
    let required = schema.get("required").and_then(Json::as_array);
    let said = |name: &Json| way.slots.iter().any(|slot| name == slot.argument.as_str());
    let properties = schema.get("properties").and_then(Json::as_object);
    let takes_nothing = properties.is_none_or(serde_json::Map::is_empty);
    required.into_iter().flatten().all(said) && (takes_nothing || !way.slots.is_empty())
}

/// Reports whether any argument is a time.
fn takes_times(schema: &Json) -> bool {
    let properties = schema.get("properties").and_then(Json::as_object);
    let mut names = properties
        .into_iter()
        .flat_map(|properties| properties.keys());
    names.any(|name| {
        let kinds = PhraseSlotKind::of(schema, name);
        kinds.iter().any(|kind| kind.takes() == SlotType::Time)
    })
}

impl ToolPhrases {
    /// Returns the ways to say a phrase, or `None` if it is malformed or has too many.
    fn ways(&mut self, text: &str, schema: &Json) -> Option<Vec<PhraseVariant>> {
        let mut ways = vec![PhraseVariant::default()];
        let mut before: Option<Vec<PhraseVariant>> = None;
        let tokens: Vec<&str> = text.split_whitespace().collect();
        if tokens.len() > PARTS_MAX {
            return None;
        }
        for token in tokens {
            let opens = token.strip_prefix('[');
            if opens.is_some() && before.replace(ways.clone()).is_some() {
                return None;
            }
            let token = opens.unwrap_or(token);
            let closes = token.strip_suffix(']');
            ways = self.with(ways, closes.unwrap_or(token), schema)?;
            if closes.is_some() {
                ways.extend(before.take()?);
            }
            if ways.len() > WAYS_MAX {
                return None;
            }
        }
        before.is_none().then_some(ways)
    }

    /// Extends each way by one more part.
    fn with(
        &mut self,
        ways: Vec<PhraseVariant>,
        token: &str,
        schema: &Json,
    ) -> Option<Vec<PhraseVariant>> {
        let Some(inner) = token.strip_prefix('{') else {
            let words: Option<Vec<WordId>> = token.split('|').map(|word| self.add(word)).collect();
            let part = RulePart::Words(words?);
            let longer = ways.into_iter().map(|mut way| {
                way.parts.push(part.clone());
                way
            });
            return Some(longer.collect());
        };
        let inner = inner.strip_suffix('}')?;
        let argument = inner.strip_suffix(SPEECH).unwrap_or(inner);
        let speech = argument != inner;
        let kinds = PhraseSlotKind::of(schema, argument);
        let mut longer = Vec::new();
        for way in ways {
            let role = *ROLES.get(way.slots.len())?;
            if way.slots.iter().any(|slot| slot.argument == argument) {
                return None;
            }
            for kind in &kinds {
                let mut way = way.clone();
                way.parts.push(RulePart::Slot {
                    role,
                    takes: match kind {
                        PhraseSlotKind::Text if speech => SlotType::Speech,
                        kind => kind.takes(),
                    },
                });
                way.slots.push(PhraseSlot {
                    role,
                    argument: argument.to_owned(),
                    kind: kind.clone(),
                });
                longer.push(way);
            }
        }
        Some(longer)
    }

    /// Returns the number of a word, adding it if it is new; `None` if it is not a word.
    fn add(&mut self, word: &str) -> Option<WordId> {
        let word = fold(word);
        if word.is_empty()
            || word != ":"
                && !word
                    .chars()
                    .all(|c| c.is_alphanumeric() || "'’-".contains(c))
        {
            return None;
        }
        if let Some(known) = self.word(&word) {
            return Some(known);
        }
        let next = WordId::try_from(GRAMMAR.words().count() + self.words.len()).ok()?;
        self.words.insert(word.as_str().into(), next);
        Some(next)
    }

    fn text(&self, word: WordId) -> &str {
        let mut own = self.words.iter();
        let own = own.find(|(_, number)| **number == word);
        own.map_or_else(
            || {
                let mut known = GRAMMAR.words();
                known
                    .find(|(_, number)| *number == word)
                    .map_or("", |(text, _)| text)
            },
            |(text, _)| &**text,
        )
    }
}
