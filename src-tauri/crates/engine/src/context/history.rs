//! The conversation as shown to a model: recent messages whole, older ones shortened, the oldest left out.

use adjutant_domain::conversation::{Message, Past, Role as Speaker};
use adjutant_domain::event::{DropReason, Dropped};
use adjutant_domain::model::{ModelMessage, Role};
use adjutant_prompts::{inert, phrase};

use super::memories::Drops;
use adjutant_domain::model::tokens::{estimate, head};

/// Maximum number of messages of the conversation to consider (D1).
pub const WINDOW: usize = 10;
/// Number of earlier messages that a router sees (A1).
pub const ROUTE_WINDOW: usize = 3;
/// Characters from the start of a message that a router sees.
const ROUTE_HEAD_CHARS: usize = 800;
/// Characters from the end of a message that a router sees.
const ROUTE_TAIL_CHARS: usize = 300;
/// Overhead of a message in tokens.
const MESSAGE_TOKENS: u64 = 5;
/// Characters that remain of an older message.
const SHORT_CHARS: usize = 160;
/// Shortened older messages may take the budget divided by this.
const EARLIER_PART: u64 = 4;
/// Maximum tokens of one message in the input of a summary.
const SUMMED_UP_TOKENS_MAX: u64 = 800;

/// The summary of the beginning of a conversation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Beginning<'a> {
    /// Text of the summary.
    pub text: &'a str,
    /// Number of messages it covers, including those not loaded.
    pub messages: u64,
    /// Number of loaded messages it covers, counted from the first.
    pub covered: usize,
}

impl<'a> Beginning<'a> {
    /// Returns the summary stored with a conversation, if there is one.
    #[must_use]
    pub fn of(past: &'a Past) -> Option<Self> {
        let summary = past.summary.as_ref()?;
        let covered = summary.messages.saturating_sub(past.older);
        Some(Self {
            text: &summary.text,
            messages: summary.messages,
            covered: usize::try_from(covered)
                .unwrap_or(usize::MAX)
                .min(past.messages.len()),
        })
    }
}

/// The part of a conversation that a model sees.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct History {
    /// Recent messages, oldest first; never starts with the assistant.
    pub messages: Vec<ModelMessage>,
    /// Older messages, one per line, or their summary.
    pub earlier: Option<String>,
    /// Tokens of both.
    pub tokens: u64,
    /// What was dropped or shortened.
    pub dropped: Vec<Dropped>,
}

/// How to treat answers that may hold foreign text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answers {
    /// Shows them unchanged.
    Shown,
    /// Replaces them with a remark, because a planner must not read foreign text.
    Withheld,
}

/// Fits the last `window` messages of `past` (oldest first) into `budget` tokens. Messages not shown whole are covered
/// by `summary` or else shortened.
#[must_use]
pub fn fit(
    past: &[Message],
    window: usize,
    budget: u64,
    summary: Option<Beginning<'_>>,
    answers: Answers,
) -> History {
    let mut history = History::default();
    let (older, recent) = past.split_at(past.len().saturating_sub(window));
    let all: Vec<ModelMessage> = recent.iter().map(|one| shown(one, answers)).collect();
    let room = whole_room(&all, older.is_empty(), budget);
    let mut used = 0;
    let mut from = all.len();
    while from > 0 && used + cost(&all[from - 1]) <= room {
        from -= 1;
        used += cost(&all[from]);
    }
    // A conversation starts with the person; earlier words of the assistant count as older messages.
    while all
        .get(from)
        .is_some_and(|first| first.role == Role::Assistant)
    {
        used -= cost(&all[from]);
        from += 1;
    }
    history.messages = all[from..].to_vec();
    // Skip a summary of messages that are all shown whole.
    let summary = summary.filter(|one| one.messages > 0 && (from > 0 || !older.is_empty()));
    let covered = summary.map_or(0, |one| one.covered);
    let mut drops = Lost::new(&older[covered.min(older.len())..]);
    let (summed_up, left) = all[..from].split_at(covered.saturating_sub(older.len()).min(from));
    if let Some(summary) = summary {
        let shown_too = covered.saturating_sub(older.len() + from) as u64;
        drops.summarised.items = summary.messages.saturating_sub(shown_too);
        let texts = older.iter().take(covered).map(|one| one.text.as_str());
        drops.summarised.tokens = texts
            .chain(summed_up.iter().map(|one| one.text.as_str()))
            .map(estimate)
            .sum();
    }
    let text = summary.map(|one| one.text);
    earlier(&mut history, left, text, budget - used, &mut drops);
    history.tokens = used + history.earlier.as_deref().map_or(0, estimate);
    let withheld = recent
        .iter()
        .filter(|one| one.role == Speaker::Assistant && answers == Answers::Withheld);
    for one in withheld {
        drops.withheld.add(estimate(&one.text));
    }
    history.dropped = drops.list();
    history
}

/// Returns the latest `window` messages and the new one, each shortened, for a router.
#[must_use]
pub fn latest(past: &[Message], window: usize, text: &str) -> Vec<ModelMessage> {
    let from = past.len().saturating_sub(window);
    let mut messages: Vec<_> = past[from..]
        .iter()
        .map(|one| ModelMessage {
            text: short(&one.text),
            ..shown(one, Answers::Shown)
        })
        .skip_while(|one| one.role == Role::Assistant)
        .collect();
    messages.push(said(&both_ends(text)));
    messages
}

/// Returns the beginning and end of a long message: they say what it is about; the middle is what it carries.
fn both_ends(text: &str) -> String {
    let chars = text.chars().count();
    if chars <= ROUTE_HEAD_CHARS + ROUTE_TAIL_CHARS {
        return text.to_owned();
    }
    let head: String = text.chars().take(ROUTE_HEAD_CHARS).collect();
    let tail: String = text.chars().skip(chars - ROUTE_TAIL_CHARS).collect();
    format!("{head} … {tail}")
}

/// Returns a message of the person as shown to a model.
#[must_use]
pub fn said(text: &str) -> ModelMessage {
    ModelMessage {
        role: Role::User,
        text: inert(text),
    }
}

/// Joins messages into one text for a summary. Returns as many of the first as fit into `tokens_max` (at least one),
/// and their number. `before` is the previous summary.
#[must_use]
pub fn transcript(before: Option<&str>, messages: &[Message], tokens_max: u64) -> (String, usize) {
    let mut text = before.map_or_else(String::new, |before| {
        let so_far = phrase("partials/so_far").unwrap_or_default().trim();
        format!("{so_far}\n{}\n\n", inert(before))
    });
    let mut taken = 0;
    for one in messages {
        let said = inert(&one.text);
        let line = format!(
            "{}: {}\n",
            name(one.role),
            head(&said, SUMMED_UP_TOKENS_MAX)
        );
        if taken > 0 && estimate(&text) + estimate(&line) > tokens_max {
            break;
        }
        text.push_str(&line);
        taken += 1;
    }
    (text.trim_end().to_owned(), taken)
}

/// Returns how many of the latest messages a request shows whole with this budget.
#[must_use]
pub fn shown_whole(past: &Past, budget: u64) -> usize {
    fit(&past.messages, WINDOW, budget, None, Answers::Shown)
        .messages
        .len()
}

/// Returns the tokens for whole messages: the whole budget if everything fits, otherwise what the share for older
/// messages leaves.
fn whole_room(all: &[ModelMessage], nothing_older: bool, budget: u64) -> u64 {
    if nothing_older && all.iter().map(cost).sum::<u64>() <= budget {
        budget
    } else {
        budget - budget / EARLIER_PART
    }
}

/// Fits the summary, and the remaining messages that it does not cover, into `room` tokens.
fn earlier(
    history: &mut History,
    left: &[ModelMessage],
    summary: Option<&str>,
    room: u64,
    drops: &mut Lost,
) {
    let summary = summary.map(inert).unwrap_or_default();
    let summary = head(summary.trim(), room);
    // Count the line break between the two.
    let room = room.saturating_sub(estimate(summary) + 1);
    let mut text = String::new();
    for one in left.iter().rev() {
        let speaker = match one.role {
            Role::User => name(Speaker::User),
            Role::Assistant => name(Speaker::Assistant),
        };
        let line = format!("{speaker}: {}", short(&one.text));
        let longer = if text.is_empty() {
            line.clone()
        } else {
            format!("{line}\n{text}")
        };
        if drops.full.items > 0 || estimate(&longer) > room {
            drops.full.add(estimate(&one.text));
        } else {
            let saved = estimate(&one.text).saturating_sub(estimate(&line));
            if saved > 0 {
                drops.shortened.add(saved);
            }
            text = longer;
        }
    }
    let parts: Vec<&str> = [summary, &text]
        .into_iter()
        .filter(|part| !part.is_empty())
        .collect();
    history.earlier = (!parts.is_empty()).then(|| parts.join("\n"));
}

fn shown(message: &Message, answers: Answers) -> ModelMessage {
    match message.role {
        Speaker::User => said(&message.text),
        Speaker::Assistant => ModelMessage {
            role: Role::Assistant,
            text: match answers {
                Answers::Shown => inert(&message.text),
                Answers::Withheld => phrase("partials/withheld").unwrap_or_default().to_owned(),
            },
        },
    }
}

fn cost(message: &ModelMessage) -> u64 {
    estimate(&message.text) + MESSAGE_TOKENS
}

/// Returns the beginning of a text on one line.
fn short(text: &str) -> String {
    let mut line = String::new();
    for word in inert(text).split_whitespace() {
        if line.chars().count() + word.chars().count() >= SHORT_CHARS {
            line.extend(
                word.chars()
                    .take(SHORT_CHARS.saturating_sub(line.chars().count())),
            );
            line.push('…');
            return line;
        }
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
    }
    line
}

const fn name(role: Speaker) -> &'static str {
    match role {
        Speaker::User => "Person",
        Speaker::Assistant => "Adjutant",
    }
}

struct Lost {
    older: Drops,
    summarised: Drops,
    full: Drops,
    shortened: Drops,
    withheld: Drops,
}

impl Lost {
    fn new(older: &[Message]) -> Self {
        let mut lost = Drops::default();
        for one in older {
            lost.add(estimate(&one.text));
        }
        Self {
            older: lost,
            summarised: Drops::default(),
            full: Drops::default(),
            shortened: Drops::default(),
            withheld: Drops::default(),
        }
    }

    fn list(self) -> Vec<Dropped> {
        [
            self.summarised.because(DropReason::Summarised),
            self.older.because(DropReason::Older),
            self.full.because(DropReason::OverBudget),
            self.shortened.because(DropReason::Shortened),
            self.withheld.because(DropReason::Untrusted),
        ]
        .into_iter()
        .flatten()
        .collect()
    }
}

#[cfg(test)]
#[path = "history_tests.rs"]
mod tests;
