//! `recall.search`

use adjutant_domain::gate::Risk;
use adjutant_domain::moment::Moment;
use adjutant_domain::outcome::{Answer, Stop};
use adjutant_domain::ports::Cx;
use adjutant_domain::reading::UNKNOWN;
use adjutant_domain::route::Domain;
use adjutant_domain::source::Taint;
use adjutant_domain::tool::ToolSpec;
use async_trait::async_trait;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::document::Document;
use super::rank::{capital, chosen, ranked};
use super::shape::Shape;
use super::sought::Sought;
use super::sources::{self, Source};
use super::table;
use crate::registry::{Reading, spec};
use crate::select::{People, bad, meant, window_words};
use crate::words;

/// Maximum characters of a text that is shown in full.
const WHOLE_CHARS_MAX: usize = 4_000;
/// Minimum share of the weight of all words in what is shown for a question. What contains only its common words is about
/// something else.
const ANSWER_SHARE_MIN: f32 = 0.5;
/// The same for what is shown because nothing has a name.
const CLOSEST_SHARE_MIN: f32 = 0.4;
/// Maximum characters of a question.
const TEXT_CHARS_MAX: usize = 400;
/// The places that are searched, for the words of an answer.
const PLACES: &str = "mail, notes, calendar, tasks, contacts, open folders and what you told me";

/// The tool `recall.search`: searches everything the person has.
pub(super) struct Search;

/// Arguments of `recall.search`.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Args {
    /// The words that tell what is asked.
    text: String,
    /// Which question the words answer.
    ask: Option<RecallQuestion>,
    /// A second question about the same, which the passage should answer as well.
    also: Option<RecallQuestion>,
    /// Only what the person wrote to these people by mail.
    told: Option<People>,
    /// What the words may ask instead, if they were not certainly read: what is said if nothing is found.
    unsure: Option<Unsure>,
    /// Only rows of a table from this day on; only where their sum is asked for.
    from: Option<Moment>,
    /// Only rows of a table before this day.
    to: Option<Moment>,
}

/// Questions about everything there is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(rename = "Ask")]
pub(super) enum RecallQuestion {
    /// What is written about it.
    #[default]
    List,
    /// A number or a code.
    Figure,
    /// How many.
    Count,
    /// How much: money or a quantity.
    Amount,
    /// How hot something is.
    Temperature,
    /// How long something takes or lasts, or until when.
    Length,
    /// When: a day or a time of day.
    Time,
    /// Where something is.
    Place,
    /// Who.
    Person,
    /// The sum of amounts in a table.
    Total,
    /// The best text, in full.
    Text,
    /// Everything about somebody or something.
    About,
}

/// What a question that no rule reads may ask instead of something that is written somewhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(super) enum Unsure {
    /// Something else about the person's own things, such as a list.
    Meaning,
    /// Something about the world.
    World,
}

impl RecallQuestion {
    /// Returns which kind of answer the question wants.
    fn shape(self) -> Option<Shape> {
        Some(match self {
            Self::Figure | Self::Total => Shape::Figure,
            Self::Count => Shape::Count,
            Self::Amount => Shape::Amount,
            Self::Temperature => Shape::Temperature,
            Self::Length => Shape::Length,
            Self::Time => Shape::Time,
            Self::Place => Shape::Place,
            Self::Person => Shape::Person,
            Self::List | Self::Text | Self::About => return None,
        })
    }
}

#[async_trait]
impl Reading for Search {
    type Args = Args;

    fn spec(&self) -> ToolSpec {
        spec(
            "recall.search",
            Domain::Memory,
            Risk::Read,
            "Looks in mail, notes, calendar, tasks, contacts, files and memory at once; says the passages that answer.",
            &[
                "how much is my",
                "what is the booking code of",
                "when does … come",
                "where did I put",
                "what did … offer me",
                "do I have anything about",
                "look everywhere for",
            ],
        )
    }

    async fn read(&self, args: Args, cx: &Cx) -> Result<Answer, Stop> {
        let ask = args.ask.unwrap_or_default();
        let shapes = [Some(ask), args.also].into_iter().flatten();
        let shapes: Vec<Shape> = shapes.filter_map(RecallQuestion::shape).collect();
        let mut sought = Sought::of(&args.text, &shapes);
        if sought.is_empty() || args.text.chars().count() > TEXT_CHARS_MAX {
            return Err(bad("Say what to look for."));
        }
        let told = match &args.told {
            Some(people) => meant(people, cx).await?,
            None => Vec::new(),
        };
        let found = match told.as_slice() {
            [] => everywhere(&mut sought, &args.text, cx).await?,
            people => {
                let written = sources::told(people, cx).await?;
                weighed(&mut sought, written)
            }
        };
        if ask == RecallQuestion::Total
            && let Some(answer) = total(&found, &args, cx)
        {
            return Ok(answer);
        }
        let place = match told.as_slice() {
            [] => format!("your {PLACES}"),
            people => {
                let names = people.iter().map(|one| words::name(&one.named.text));
                format!("your mail to {}", words::join(&names.collect::<Vec<_>>()))
            }
        };
        let (mut ranked, whole) = ranked(found, &sought, ask, ANSWER_SHARE_MIN);
        if args.unsure == Some(Unsure::World) && !whole {
            // What merely shares some words with a question about the world does not answer it.
            ranked.clear();
        }
        let shown = chosen(&ranked, ask);
        let say = match (shown, ask) {
            ([], _) => nothing_found(args.unsure, &sought.said, &place),
            ([best, ..], RecallQuestion::Text) if whole => full(&best.source),
            _ => {
                let lines: Vec<String> = shown.iter().map(|one| one.said.clone()).collect();
                let said = match lines.as_slice() {
                    [one] => one.clone(),
                    many => words::bullets(many, many.len()),
                };
                match whole {
                    true => said,
                    false => format!(
                        "Nothing matches all of {}. The closest:\n\n{said}",
                        words::quoted(&sought.said)
                    ),
                }
            }
        };
        let ids: Vec<Value> = shown.iter().map(|one| json!(one.source.id)).collect();
        let items = shown.iter().map(|one| {
            json!({
                "id": one.source.id, "kind": one.source.kind, "title": one.source.title, "text": one.said,
            })
        });
        let foreign = shown.iter().any(|one| one.source.foreign);
        let memories = shown.iter().filter(|one| one.source.kind == "memory");
        Ok(Answer {
            output: json!({
                "count": shown.len(), "total": ranked.len(), "ids": ids, "items": items.collect::<Vec<_>>(),
            }),
            say,
            referents: shown
                .iter()
                .filter_map(|one| one.source.referent.clone())
                .collect(),
            taint: if foreign {
                Taint::Tainted
            } else {
                Taint::Clean
            },
            used_memories: memories.map(|one| one.source.id.clone()).collect(),
        })
    }
}

/// Says that nothing was found about words, as surely as the question was read.
fn nothing_found(unsure: Option<Unsure>, said: &str, place: &str) -> String {
    let nothing = format!("I found nothing about {} in {place}.", words::quoted(said));
    match unsure {
        None => nothing,
        Some(Unsure::Meaning) => format!("I am not sure what that asks, and {nothing}"),
        Some(Unsure::World) => UNKNOWN.to_owned(),
    }
}

/// Returns the sum of the rows that are asked for, from the first file that is a table with such rows.
fn total(found: &[(Source, Document)], args: &Args, cx: &Cx) -> Option<Answer> {
    let day = |at: &Option<Moment>| at.as_ref().map(|at| at.date(&cx.zone()));
    let range = (day(&args.from), day(&args.to));
    let sources = found.iter().map(|(source, _)| source);
    let tables = sources.filter(|source| source.kind == "file");
    let mut tables = tables.filter_map(|source| {
        let added = table::added(&source.text, &source.title, &args.text, range)?;
        Some((source, added))
    });
    let (source, added) = tables.next()?;
    let when = window_words(args.from.as_ref(), args.to.as_ref(), cx);
    let rows: Vec<String> = added.rows.iter().map(|row| words::inline(row)).collect();
    Some(Answer {
        output: json!({"count": rows.len(), "sum": added.sum, "ids": [source.id]}),
        say: format!(
            "{} in total{when} ({}).\n\n{}",
            added.sum,
            source.place,
            words::bullets(&rows, rows.len())
        ),
        referents: Vec::new(),
        taint: Taint::Tainted,
        used_memories: Vec::new(),
    })
}

/// Returns the sources that contain some of the words. Mends mistyped words by what stands in them, and weights the
/// words by how rare they are among them.
async fn everywhere(
    sought: &mut Sought,
    text: &str,
    cx: &Cx,
) -> Result<Vec<(Source, Document)>, Stop> {
    let query = sought.query(text);
    let mut found = sources::holding(&query, cx).await?;
    let contacts = found.iter().filter(|one| !one.roles.is_empty());
    let contacts = contacts.map(|one| (one.roles.as_str(), one.people.as_slice()));
    sought.stand_for(&contacts.collect::<Vec<_>>());
    let people = sought.people();
    if !people.is_empty() {
        // What is from the plumber does not say "plumber".
        let theirs = found.iter().filter(|one| !one.roles.is_empty());
        let theirs = theirs.filter(|one| one.people.iter().any(|address| people.contains(address)));
        let names: Vec<&str> = theirs.map(|one| one.title.as_str()).collect();
        let more = format!("{query} {} {}", people.join(" "), names.join(" "));
        found = sources::holding(&more, cx).await?;
    }
    Ok(weighed(sought, found))
}

/// Reads sources as words and weights what is sought by them.
fn weighed(sought: &mut Sought, found: Vec<Source>) -> Vec<(Source, Document)> {
    let documents: Vec<Document> = found.iter().map(Document::of).collect();
    let texts = found
        .iter()
        .flat_map(|one| [&one.title, &one.about, &one.text]);
    sought.mend(&documents, texts.map(String::as_str));
    sought.weigh(&documents);
    found.into_iter().zip(documents).collect()
}

/// Returns what comes closest to words by which nothing was found, as a sentence to append to the answer, with its
/// taint. The sentence is empty without words, or if nothing contains the rarest of them.
pub(crate) async fn closest(text: Option<&str>, cx: &Cx) -> Result<(String, Taint), Stop> {
    let nothing = (String::new(), Taint::Clean);
    let Some(text) = text.filter(|text| text.chars().count() <= TEXT_CHARS_MAX) else {
        return Ok(nothing);
    };
    let mut sought = Sought::of(text, &[]);
    if sought.is_empty() {
        return Ok(nothing);
    }
    let found = everywhere(&mut sought, text, cx).await?;
    let (ranked, _) = ranked(found, &sought, RecallQuestion::default(), CLOSEST_SHARE_MIN);
    let shown = chosen(&ranked, RecallQuestion::default());
    let lines: Vec<String> = shown.iter().map(|one| one.said.clone()).collect();
    let said = match lines.as_slice() {
        [] => return Ok(nothing),
        [one] => format!(" The closest: {one}"),
        many => format!(" The closest:\n\n{}", words::bullets(many, many.len())),
    };
    let foreign = shown.iter().any(|one| one.source.foreign);
    let taint = if foreign {
        Taint::Tainted
    } else {
        Taint::Clean
    };
    Ok((said, taint))
}

/// Returns a text in full; foreign text as a quotation.
fn full(source: &Source) -> String {
    let text = words::cut(source.text.trim(), WHOLE_CHARS_MAX);
    let text = match (&source.line, text.is_empty()) {
        (Some(line), true) => return format!("{line}."),
        (_, true) => "There is no text in it.".to_owned(),
        _ => text,
    };
    let body: Vec<String> = match source.foreign {
        true => text
            .lines()
            .map(|line| format!("> {line}").trim_end().to_owned())
            .collect(),
        false => text.lines().map(str::to_owned).collect(),
    };
    format!("**{}**\n\n{}", capital(&source.place), body.join("\n"))
}
