//! The context of a model request: gathered in two passes (memories at once; rows once the route is known), fitted into
//! budgets, and listed along with what was left out. A source that fails leaves an empty section with a note; it never
//! fails the turn.

pub mod budget;
pub mod clock;
pub mod data;
pub mod gather;
pub mod history;
pub mod memories;
pub(crate) mod names;
pub(crate) mod people;
pub mod prompts;
pub mod results;

use std::collections::BTreeSet;
use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use adjutant_domain::conversation::{Message, Past};
use adjutant_domain::event::{ContextSection, DropReason, Dropped};
use adjutant_domain::faults::StoreFault;
use adjutant_domain::filter::Filter;
use adjutant_domain::ids::RecordId;
use adjutant_domain::model::ModelMessage;
use adjutant_domain::ports::Records;
use adjutant_domain::settings::Settings;
use adjutant_domain::source::Taint;
use adjutant_prompts::Fenced;
use jiff::Zoned;
use serde::Serialize;

pub use budget::Budgets;
pub use gather::{Foreign, Gathered, Pull, gather};
pub use people::Person;

use crate::retrieval::{Selection, ToolPage};
use crate::stopwatch::Stopwatch;
use adjutant_domain::model::tokens::estimate;
use clock::{Now, Profile};
use history::{Answers, Beginning};
use memories::Drops;

/// Deadline of one source.
pub const SOURCE_DEADLINE: Duration = Duration::from_millis(250);
/// Maximum number of memories to look up for a message that no model is asked about.
const MEMORIES_MAX: usize = 5;
/// Items the conversation mentioned may take the data budget divided by this.
const SPOKEN_PART: u64 = 4;

/// The context of a request, besides the fixed text of the prompt and the message itself. Templates read it as `pack`.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct ContextPack {
    /// The present time.
    pub now: Now,
    /// The person as known from settings.
    pub profile: Profile,
    /// Tools; empty unless a planner reads this.
    pub tools: ToolPage,
    /// What "it" and "the second one" may refer to.
    pub spoken_of: Option<Fenced>,
    /// Memories, one per line.
    pub memories: Option<Fenced>,
    /// Rows of the person's data, one part per source.
    pub data: Vec<Fenced>,
    /// Older messages, shortened.
    pub earlier: Option<Fenced>,
    /// Recent messages, oldest first, without the current one; they are sent as messages.
    #[serde(skip)]
    pub history: Vec<ModelMessage>,
    /// What each section contains and lacks, in tokens.
    #[serde(skip)]
    pub sections: Vec<ContextSection>,
    /// Ids of the memories it contains.
    #[serde(skip)]
    pub used_memories: Vec<RecordId>,
    /// Whether it may contain foreign text.
    #[serde(skip)]
    pub taint: Taint,
    /// Whether it contains typed fields of foreign rows, including addresses.
    #[serde(skip)]
    pub fields_of_others: bool,
}

/// Who reads a context.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reader {
    /// Makes a plan. It must not read foreign text, not even in earlier answers.
    Planner,
    /// Writes an answer. It reads the conversation unchanged.
    Answerer,
}

/// The input of [`pack`]. Everything is loaded already, so packing waits for nothing.
#[derive(Clone, Copy, Debug)]
pub struct Ingredients<'a> {
    /// Who reads the context.
    pub reader: Reader,
    /// The present time in the person's zone.
    pub now: &'a Zoned,
    /// Settings.
    pub settings: &'a Settings,
    /// The message, for selecting people.
    pub text: &'a str,
    /// The conversation.
    pub past: &'a Past,
    /// People in the address book.
    pub people: &'a [Person],
    /// The gathered data. `None` if nothing was gathered, or not in time.
    pub gathered: Option<&'a Gathered>,
    /// The retrieved tools.
    pub tools: Option<&'a Selection>,
    /// Tokens of the prompt's fixed text, for the list of sections.
    pub system_tokens: u64,
}

/// Fits everything into its budget. Following the design, it first drops the memories with the lowest scores, then less
/// relevant fields of rows, then shortens older messages.
#[must_use]
pub fn pack(from: &Ingredients<'_>, budgets: &Budgets) -> ContextPack {
    let nothing = Gathered {
        // If the conversation showed nothing foreign, it mentioned no foreign rows either.
        foreign: match from.past.taint {
            Taint::Clean => Foreign::Rows(BTreeSet::new()),
            Taint::Tainted => Foreign::Unknown,
        },
        ..Gathered::default()
    };
    let gathered = from.gathered.unwrap_or(&nothing);
    let (now, profile, profile_tokens) = clock::told(from.now, from.settings, budgets.profile);
    let mut pack = ContextPack {
        now,
        profile,
        taint: from.past.taint,
        ..ContextPack::default()
    };
    pack.sections
        .push(section("system", budgets.system, from.system_tokens, 1));
    if let Some(tools) = from.tools {
        pack.tools = tools.page.clone();
        pack.sections.push(of_tools(tools, budgets.tools));
    }
    pack.sections
        .push(section("profile", budgets.profile, profile_tokens, 1));
    add_memories(&mut pack, gathered, from, budgets.memories);
    add_data(&mut pack, gathered, from, budgets.data);
    add_history(&mut pack, from, budgets.history);
    pack
}

fn add_memories(pack: &mut ContextPack, gathered: &Gathered, from: &Ingredients<'_>, budget: u64) {
    let room = budget.saturating_sub(data::FENCE_TOKENS);
    let (readable, withheld): (Vec<_>, Vec<_>) = gathered
        .memories
        .iter()
        .partition(|memory| from.reader == Reader::Answerer || !gathered.foreign.holds(&memory.id));
    let kept = memories::keep(&readable, from.now.timestamp(), room);
    let marks = if kept.ids.is_empty() {
        0
    } else {
        data::FENCE_TOKENS
    };
    let mut told = section("memories", budget, kept.tokens + marks, kept.ids.len());
    told.dropped = kept.dropped;
    let mut lost = Drops::default();
    for memory in withheld {
        lost.add(estimate(&memory.value));
    }
    told.dropped.extend(lost.because(DropReason::Untrusted));
    went(&mut told, gathered, &["memories"]);
    pack.sections.push(told);
    pack.memories = (!kept.ids.is_empty()).then(|| Fenced::new("memory", &kept.text));
    pack.used_memories = kept.ids;
}

fn add_data(pack: &mut ContextPack, gathered: &Gathered, from: &Ingredients<'_>, budget: u64) {
    let foreign = &gathered.foreign;
    let spoken_ids = from.past.focus.shown.iter().flat_map(|group| &group.items);
    let mut shown = spoken_ids
        .map(|item| &item.id)
        .chain(gathered.agenda.iter().map(|one| &one.event.id))
        .chain(gathered.tasks.iter().map(|task| &task.id));
    pack.fields_of_others = shown.any(|id| foreign.holds(id));
    let spoken = data::spoken_of(&from.past.focus, foreign, budget / SPOKEN_PART);
    let spoken_tokens = spoken
        .as_deref()
        .map_or(0, |text| estimate(text) + data::FENCE_TOKENS);
    let parts = [
        data::people(from.people, from.text),
        data::agenda(&gathered.agenda, foreign),
        data::tasks(&gathered.tasks, foreign),
    ];
    let kept = data::keep(&parts, budget - spoken_tokens.min(budget));
    let items = usize::try_from(kept.items).unwrap_or(usize::MAX);
    let mut told = section("data", budget, kept.tokens + spoken_tokens, items);
    told.dropped = kept.dropped;
    went(&mut told, gathered, &["agenda", "tasks"]);
    pack.sections.push(told);
    pack.spoken_of = spoken.map(|text| Fenced::new("the conversation", &text));
    pack.data = kept
        .parts
        .iter()
        .map(|(origin, text)| Fenced::new(origin, text))
        .collect();
}

fn add_history(pack: &mut ContextPack, from: &Ingredients<'_>, budget: u64) {
    let answers = match (from.reader, from.past.taint) {
        (Reader::Planner, Taint::Tainted) => Answers::Withheld,
        _ => Answers::Shown,
    };
    // A summary contains answers too.
    let summary = Beginning::of(from.past).filter(|_| answers == Answers::Shown);
    let room = budget.saturating_sub(data::FENCE_TOKENS);
    let seen = history::fit(&from.past.messages, history::WINDOW, room, summary, answers);
    let marks = if seen.earlier.is_some() {
        data::FENCE_TOKENS
    } else {
        0
    };
    let mut told = section("messages", budget, seen.tokens + marks, seen.messages.len());
    told.dropped = seen.dropped;
    pack.sections.push(told);
    pack.earlier = seen
        .earlier
        .map(|text| Fenced::new("earlier messages", &text));
    pack.history = seen.messages;
}

fn of_tools(tools: &Selection, budget: u64) -> ContextSection {
    let mut told = section("tools", budget, tools.page.tokens, tools.suggested.len());
    if tools.left_out > 0 {
        told.dropped.push(Dropped {
            items: tools.left_out,
            tokens: 0,
            why: DropReason::OverBudget,
        });
    }
    told
}

fn section(name: &str, budget: u64, tokens: u64, items: usize) -> ContextSection {
    ContextSection {
        name: name.into(),
        tokens,
        budget,
        items: items as u64,
        ..ContextSection::default()
    }
}

/// Adds the time and problems of the sources behind a section.
fn went(section: &mut ContextSection, gathered: &Gathered, names: &[&str]) {
    let mut problems = Vec::new();
    for source in &gathered.sources {
        if names.contains(&source.name.as_str()) {
            section.ms = section.ms.max(source.ms);
            if let Some(problem) = &source.problem {
                problems.push(format!("{}: {problem}", source.name));
            }
        }
    }
    section.problem = (!problems.is_empty()).then(|| problems.join("; "));
}

/// Returns the section of the latest messages, which came with the opened turn.
#[must_use]
pub fn messages(past: &[Message]) -> ContextSection {
    section(
        "messages",
        0,
        tokens(past.iter().map(|message| message.text.as_str())),
        past.len(),
    )
}

/// Looks up memories that match the message.
pub async fn memories(
    records: Arc<dyn Records>,
    text: String,
    deadline: Duration,
) -> ContextSection {
    let filter = Filter::used_memories()
        .best(&text)
        .at_most(Some(MEMORIES_MAX));
    let (section, _) = source("memories", deadline, records.memories(&filter), |found| {
        tokens(found.iter().map(|memory| memory.value.as_str()))
    })
    .await;
    section
}

/// Runs one source with a deadline. Returns its section, and its result unless it failed.
pub(crate) async fn source<T>(
    name: &str,
    deadline: Duration,
    work: impl Future<Output = Result<T, StoreFault>>,
    count: impl FnOnce(&T) -> u64,
) -> (ContextSection, Option<T>) {
    let watch = Stopwatch::start();
    let found = tokio::time::timeout(deadline, work).await;
    let (tokens, problem, found) = match found {
        Ok(Ok(found)) => (count(&found), None, Some(found)),
        Ok(Err(fault)) => (0, Some(fault.to_string()), None),
        Err(_) => (
            0,
            Some(format!("took longer than {} ms", deadline.as_millis())),
            None,
        ),
    };
    let section = ContextSection {
        name: name.into(),
        tokens,
        ms: watch.ms(),
        problem,
        ..ContextSection::default()
    };
    (section, found)
}

/// Returns the estimated tokens of some texts.
pub(crate) fn tokens<'a>(texts: impl Iterator<Item = &'a str>) -> u64 {
    texts.map(estimate).sum()
}

#[cfg(test)]
mod pack_tests;
