//! `recall.search`

use adjutant_domain::gate::Risk;
use adjutant_domain::moment::Moment;
use adjutant_domain::outcome::{Answer, Stop};
use adjutant_domain::ports::Cx;
use adjutant_domain::route::Domain;
use adjutant_domain::source::Taint;
use adjutant_domain::tool::ToolSpec;
use async_trait::async_trait;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::passage::{AnswerShape, Sought};
use super::sources::{self, Source};
use super::table;
use crate::registry::{Reading, spec};
use crate::select::{bad, window_words};
use crate::words;

/// Maximum passages in one answer.
const SAID_MAX: usize = 3;
/// Maximum characters of a text that is shown in full.
const WHOLE_CHARS_MAX: usize = 4_000;
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
    /// A number, a price, a day, a code.
    Figure,
    /// How long something takes or lasts.
    Length,
    /// The sum of amounts in a table.
    Total,
    /// The best text, in full.
    Text,
    /// Everything about somebody or something.
    About,
}

/// A source with its score.
struct Ranked {
    source: Source,
    /// What the answer says of it.
    said: String,
    score: u32,
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
        let wanted = match ask {
            RecallQuestion::Figure | RecallQuestion::Total => AnswerShape::Figure,
            RecallQuestion::Length => AnswerShape::Length,
            _ => AnswerShape::Words,
        };
        let mut sought = Sought::of(&args.text, wanted);
        if sought.is_empty() || args.text.chars().count() > TEXT_CHARS_MAX {
            return Err(bad("Say what to look for."));
        }
        let found = holding(&mut sought, &args.text, cx).await?;
        if ask == RecallQuestion::Total
            && let Some(answer) = total(&found, &args, cx)
        {
            return Ok(answer);
        }
        let (ranked, whole) = ranked(found, &sought, ask);
        let shown = chosen(&ranked, ask);
        let say = match (shown, ask) {
            ([], _) => format!(
                "I found nothing about {} in your {PLACES}.",
                words::quoted(&sought.said)
            ),
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

/// Returns the sum of the rows that are asked for, from the first file that is a table with such rows.
fn total(found: &[Source], args: &Args, cx: &Cx) -> Option<Answer> {
    let day = |at: &Option<Moment>| at.as_ref().map(|at| at.date(&cx.zone()));
    let range = (day(&args.from), day(&args.to));
    let tables = found.iter().filter(|source| source.kind == "file");
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

/// Returns the sources that contain some of the words, and mends mistyped words by what stands in them.
async fn holding(sought: &mut Sought, text: &str, cx: &Cx) -> Result<Vec<Source>, Stop> {
    let found = sources::holding(&sought.query(text), cx).await?;
    let texts = found
        .iter()
        .flat_map(|one| [&one.title, &one.about, &one.text]);
    sought.mend(&texts.map(String::as_str).collect::<Vec<_>>());
    Ok(found)
}

/// Returns what comes closest to words by which nothing was found, as a sentence to append to the answer, with its
/// taint. The sentence is empty without words, or if nothing contains even half of them.
pub(crate) async fn closest(text: Option<&str>, cx: &Cx) -> Result<(String, Taint), Stop> {
    let nothing = (String::new(), Taint::Clean);
    let Some(text) = text.filter(|text| text.chars().count() <= TEXT_CHARS_MAX) else {
        return Ok(nothing);
    };
    let mut sought = Sought::of(text, AnswerShape::Words);
    if sought.is_empty() {
        return Ok(nothing);
    }
    let found = holding(&mut sought, text, cx).await?;
    let (ranked, _) = ranked(found, &sought, RecallQuestion::default());
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

/// Returns the sources that contain all words, best first, and `true`; if there are none, those that contain most of
/// them and at least half, and `false`.
fn ranked(found: Vec<Source>, sought: &Sought, ask: RecallQuestion) -> (Vec<Ranked>, bool) {
    let held = |source: &Source| sought.held(&[&source.title, &source.about, &source.text]);
    let most = found.iter().map(|source| held(source).0).max().unwrap_or(0);
    let all = found.iter().any(|source| {
        let (held, of) = held(source);
        held == of
    });
    let fits = |source: &Source| {
        let (held, of) = held(source);
        held == most && held > 0 && held * 2 >= of
    };
    let mut ranked: Vec<Ranked> = found
        .into_iter()
        .filter(fits)
        .filter_map(|source| rank(source, sought, ask))
        .collect();
    ranked.sort_by(|a, b| b.score.cmp(&a.score).then(b.source.at.cmp(&a.source.at)));
    (ranked, all)
}

fn rank(source: Source, sought: &Sought, ask: RecallQuestion) -> Option<Ranked> {
    let (titled, of) = sought.held(&[&source.title]);
    let line = source.line.clone();
    let passage = sought.passage(&source.text);
    let in_line = line.as_deref().and_then(|line| sought.passage(line));
    let title = sought.passage(&source.title);
    let parts = [&passage, &in_line, &title];
    let best = parts.into_iter().flatten().map(|one| one.score).max()?;
    // For "show me the text …", the source with that title is meant.
    let called = match ask {
        RecallQuestion::Text if titled > 0 => 4 * u32::try_from(titled).unwrap_or(0),
        _ if titled == of => 2,
        _ => 0,
    };
    let told = u32::from(source.kind == "memory") * 3;
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
fn chosen(ranked: &[Ranked], ask: RecallQuestion) -> &[Ranked] {
    /// Minimum lead in score with which the best one is shown alone.
    const AHEAD: u32 = 3;
    let most = match ask {
        RecallQuestion::About => words::LINES_MAX,
        RecallQuestion::Text => 1,
        _ => SAID_MAX,
    };
    let count = match ranked {
        [best, next, ..] if ask != RecallQuestion::About && best.score >= next.score + AHEAD => 1,
        _ => ranked.len().min(most),
    };
    &ranked[..count]
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

/// Returns a text with its first letter capitalised.
fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| {
        first.to_uppercase().chain(letters).collect()
    })
}
