//! Parses a model's plan strictly, checks it against the tools, and determines the source of every value. Nothing is
//! repaired: a mismatch is reported to the model once, then to the person.

use adjutant_domain::catalog::Catalog;
use adjutant_domain::ids::StepKey;
use adjutant_domain::plan::reference::uses;
use adjutant_domain::plan::{
    AnswerKind, Condition, PlanDraft, Question, Reference, STEPS_MAX, StepDraft,
};
use adjutant_domain::ports::Toolbox;
use adjutant_domain::source::{Source, Sources};
use adjutant_domain::tool::ToolSpec;
use serde::Deserialize;
use serde_json::Value;

use super::{ToolProposal, extract};
use crate::context::people::Person;

/// Name of the step by which a plan asks the person something before it is made.
pub const CLARIFY: &str = "person.ask";
/// Where the answer to a clarifying question is put.
pub const CLARIFY_SLOT: &str = "/answer";

/// Maximum length of a step's key in characters.
const KEY_CHARS_MAX: usize = 40;
/// Maximum length in characters of the description of a step or plan.
const SAY_CHARS_MAX: usize = 400;
/// Maximum length of a question to the person in characters.
const QUESTION_CHARS_MAX: usize = 600;
/// Shortest text that counts as the person's own word if it occurs in what they said; shorter ones occur anywhere.
const LITERAL_CHARS_MIN: usize = 2;

/// A plan that fits the tools.
#[derive(Clone, Debug, PartialEq)]
pub struct Planned {
    /// The plan; without steps if no tool is needed.
    pub draft: PlanDraft,
    /// The question to ask before a plan can be made. If set, there are no steps.
    pub question: Option<String>,
}

/// What a plan is checked against.
pub struct Origin<'a> {
    /// What the person said, this message first.
    pub said: Vec<&'a str>,
    /// People in the address book.
    pub people: &'a [Person],
    /// Whether the model was shown typed fields of foreign rows. Times and identifiers carry no text, but an address or
    /// a link may come from there.
    pub fields_of_others: bool,
}

/// The reply as specified in the prompt.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Reply {
    #[serde(default)]
    request: String,
    #[serde(default)]
    steps: Vec<ReplyStep>,
    #[serde(default)]
    question: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct ReplyStep {
    key: String,
    #[serde(default)]
    say: String,
    #[serde(default)]
    why: Option<String>,
    tool: String,
    #[serde(default)]
    args: Value,
    #[serde(default)]
    needs: Option<Vec<StepKey>>,
    #[serde(default)]
    when: Option<Condition>,
    #[serde(default)]
    each: Option<Reference>,
}

/// Parses and checks a reply.
///
/// # Errors
/// Returns the reason, worded so that a model can correct it.
pub fn read(reply: &Value, tools: &dyn Toolbox, origin: &Origin<'_>) -> Result<Planned, String> {
    let reply: Reply =
        serde_json::from_value(reply.clone()).map_err(|error| format!("it is no plan: {error}"))?;
    let question = reply
        .question
        .map(|text| shortened(&text, QUESTION_CHARS_MAX))
        .filter(|text| !text.is_empty());
    if question.is_some() {
        // With an open question there is no plan yet; the answer leads to a new one.
        return Ok(Planned {
            draft: PlanDraft {
                request: shortened(&reply.request, SAY_CHARS_MAX),
                steps: Vec::new(),
            },
            question,
        });
    }
    let steps = reply
        .steps
        .into_iter()
        .map(|step| step_of(step, origin))
        .collect::<Result<Vec<_>, _>>()?;
    checked(reply.request, steps, tools)
}

/// Parses tool calls that were given instead of a plan: each becomes a step, in order.
///
/// # Errors
/// As for [`read`].
pub fn of_calls(
    calls: Vec<ToolProposal>,
    request: &str,
    tools: &dyn Toolbox,
    origin: &Origin<'_>,
) -> Result<Planned, String> {
    let steps = calls
        .into_iter()
        .enumerate()
        .map(|(index, call)| {
            let step = ReplyStep {
                key: format!("s{}", index + 1),
                say: String::new(),
                why: None,
                tool: call.tool,
                args: call.args,
                needs: None,
                when: None,
                each: None,
            };
            step_of(step, origin)
        })
        .collect::<Result<Vec<_>, _>>()?;
    checked(request.to_owned(), steps, tools)
}

fn step_of(step: ReplyStep, origin: &Origin<'_>) -> Result<StepDraft, String> {
    let fits = !step.key.is_empty()
        && step.key.len() <= KEY_CHARS_MAX
        && step
            .key
            .chars()
            .all(|char| char.is_ascii_alphanumeric() || matches!(char, '_' | '-'));
    if !fits {
        return Err(format!(
            "the key {:?} of a step is not made of at most {KEY_CHARS_MAX} letters, digits, - and _",
            shortened(&step.key, KEY_CHARS_MAX)
        ));
    }
    let args = match step.args {
        Value::Null => Value::Object(serde_json::Map::new()),
        args => args,
    };
    if !args.is_object() {
        return Err(format!("the arguments of step {} are no object", step.key));
    }
    let say = shortened(&step.say, SAY_CHARS_MAX);
    Ok(StepDraft {
        say: if say.is_empty() {
            step.tool.clone()
        } else {
            say
        },
        why: shortened(&step.why.unwrap_or_default(), SAY_CHARS_MAX),
        sources: sources(&args, origin),
        key: StepKey(step.key),
        tool: step.tool,
        args,
        needs: step.needs.unwrap_or_default(),
        when: step.when,
        each: step.each,
        question: None,
        guessed: false,
        left_out: Vec::new(),
    })
}

fn checked(
    request: String,
    mut steps: Vec<StepDraft>,
    tools: &dyn Toolbox,
) -> Result<Planned, String> {
    if steps.len() > STEPS_MAX {
        return Err(format!(
            "it has {} steps; at most {STEPS_MAX} are allowed",
            steps.len()
        ));
    }
    let catalog = tools.catalog();
    for step in &mut steps {
        if let Some(whole) = whole_name(&step.tool, &catalog) {
            step.tool = whole;
        }
        fits(step, tools).map_err(|why| format!("step {}: {why}", step.key))?;
    }
    let draft = PlanDraft {
        request: shortened(&request, SAY_CHARS_MAX),
        steps,
    };
    if !draft.steps.is_empty() {
        crate::sound::check(&draft)?;
    }
    Ok(Planned {
        draft,
        question: None,
    })
}

/// Returns the full name of a tool that is called by its last part only, as models do with tools of servers
/// (`get_current_time`). `None` if it is complete already or ambiguous.
fn whole_name(name: &str, catalog: &Catalog) -> Option<String> {
    if name.contains('.') || catalog.get(name).is_some() {
        return None;
    }
    let last = |spec: &&ToolSpec| spec.name.rsplit('.').next() == Some(name);
    let mut found = catalog.specs().iter().filter(last);
    let only = found.next().filter(|_| found.next().is_none())?;
    Some(only.name.clone())
}

/// Checks that the tool exists and takes the arguments. The values of references are checked later: every call is
/// parsed again before it is observed.
fn fits(step: &StepDraft, tools: &dyn Toolbox) -> Result<(), String> {
    if step.tool == extract::TOOL {
        return extract::check(&step.args);
    }
    let catalog = tools.catalog();
    let spec = catalog
        .get(&step.tool)
        .ok_or_else(|| format!("there is no tool called {:?}", shortened(&step.tool, 80)))?;
    let (keys, item) = uses(&step.args);
    if keys.is_empty() && !item {
        return tools
            .plan(&step.tool, step.args.clone(), step.sources.clone())
            .map(drop)
            .map_err(|fault| fault.to_string());
    }
    known_fields(step, spec)
}

fn known_fields(step: &StepDraft, spec: &ToolSpec) -> Result<(), String> {
    let (Some(args), Some(known)) = (
        step.args.as_object(),
        spec.schema.get("properties").and_then(Value::as_object),
    ) else {
        return Ok(());
    };
    if let Some(unknown) = args.keys().find(|key| !known.contains_key(*key)) {
        return Err(format!("{} takes no argument {unknown:?}", spec.name));
    }
    let required = spec.schema.get("required").and_then(Value::as_array);
    let missing = required
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .find(|name| !args.contains_key(*name));
    match missing {
        Some(name) => Err(format!("{} needs the argument {name:?}", spec.name)),
        None => Ok(()),
    }
}

/// Returns the step that asks the person a question.
#[must_use]
pub fn clarify(question: &str) -> StepDraft {
    StepDraft {
        key: StepKey("question".into()),
        say: question.to_owned(),
        tool: CLARIFY.into(),
        args: serde_json::json!({ "answer": null }),
        question: Some(Question {
            text: question.to_owned(),
            choices: Vec::new(),
            slot: CLARIFY_SLOT.into(),
            answer: AnswerKind::Text,
        }),
        ..StepDraft::default()
    }
}

/// Determines the source of each value in a model's arguments. Text in the person's own words or in the address book is
/// theirs; everything else is derived by the model. A planner sees no foreign text; but if it saw foreign addresses, an
/// address that it writes counts as found there. (The plan of a model that did read foreign text is distrusted as a
/// whole, see `turn/machine/strangers.rs`.)
fn sources(args: &Value, origin: &Origin<'_>) -> Sources {
    let said: Vec<String> = origin.said.iter().map(|text| folded(text)).collect();
    let mut sources = Sources::from([(String::new(), Source::Derived)]);
    let mut todo = vec![(String::new(), args)];
    while let Some((pointer, value)) = todo.pop() {
        match value {
            Value::Object(map) if map.contains_key("$from") || map.contains_key("$item") => {}
            Value::Object(map) => todo.extend(map.iter().map(|(key, inner)| {
                let key = key.replace('~', "~0").replace('/', "~1");
                (format!("{pointer}/{key}"), inner)
            })),
            Value::Array(list) => todo.extend(
                list.iter()
                    .enumerate()
                    .map(|(index, inner)| (format!("{pointer}/{index}"), inner)),
            ),
            Value::String(text) => {
                let known = of_text(text, &said, origin.people);
                let found = origin.fields_of_others && reaches_out(text);
                if let Some(source) = known.or_else(|| found.then(found_by_model)) {
                    sources.insert(pointer, source);
                }
            }
            _ => {}
        }
    }
    sources
}

/// Whether a text may contain an address or a link.
fn reaches_out(text: &str) -> bool {
    text.contains('@') || text.contains("://")
}

fn found_by_model() -> Source {
    Source::Untrusted {
        origin: "an address or link in a mail or event that the model was shown".into(),
    }
}

fn of_text(text: &str, said: &[String], people: &[Person]) -> Option<Source> {
    let low = folded(text);
    if low.chars().count() < LITERAL_CHARS_MIN {
        return None;
    }
    if said.iter().any(|said| has_words(said, &low)) {
        return Some(Source::Person {
            words: Some(text.to_owned()),
        });
    }
    let known = people.iter().any(|(name, addresses)| {
        folded(name) == low || addresses.iter().any(|address| folded(address) == low)
    });
    known.then_some(Source::AddressBook)
}

/// Whether `text` contains `part` as whole words, ignoring case and spacing.
#[must_use]
pub fn stands_in(text: &str, part: &str) -> bool {
    let part = folded(part);
    !part.is_empty() && has_words(&folded(text), &part)
}

/// Whether `text` contains `part` as whole words.
fn has_words(text: &str, part: &str) -> bool {
    let edge = |char: Option<char>| !char.is_some_and(|char| char.is_alphanumeric() || char == '@');
    text.match_indices(part).any(|(at, _)| {
        edge(text[..at].chars().next_back()) && edge(text[at + part.len()..].chars().next())
    })
}

fn folded(text: &str) -> String {
    text.split_whitespace()
        .collect::<Vec<_>>()
        .join(" ")
        .to_lowercase()
}

fn shortened(text: &str, chars: usize) -> String {
    text.trim()
        .chars()
        .filter(|char| !char.is_control() || *char == '\n')
        .take(chars)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use adjutant_domain::source::source_at;
    use serde_json::json;

    #[test]
    fn a_tool_may_be_called_by_its_last_part_where_no_other_ends_like_this() {
        let spec = |name: &str| -> ToolSpec {
            let spec = json!({
                "name": name, "domain": "task", "description": "", "risk": "read", "schema": {}, "phrases": [],
                "participle": "done",
            });
            serde_json::from_value(spec).expect("a tool")
        };
        let catalog = Catalog::new(
            1,
            ["task.list", "note.list", "mcp.time.now"].map(spec).into(),
        );
        let whole = |name: &str| whole_name(name, &catalog);
        assert_eq!(whole("now").as_deref(), Some("mcp.time.now"));
        for name in ["list", "time.now", "mcp.time.now", "then", ""] {
            assert_eq!(whole(name), None, "{name}");
        }
    }

    #[test]
    fn every_value_has_its_source() {
        let people = [("Kim Lee".to_owned(), vec!["kim@example.org".to_owned()])];
        let origin = Origin {
            said: vec!["Tell kim that the Budget review moves, bob@example.net too"],
            people: &people,
            fields_of_others: false,
        };
        let args = json!({
            "to": ["kim@example.org", "bob@example.net", "ob@example.net", "eve@example.com"],
            "subject": "budget  review", "body": "It moves.", "ref": {"$from": "s1"}
        });
        let found = sources(&args, &origin);
        let kind = |pointer: &str| serde_json::to_value(&found[pointer]).unwrap()["kind"].clone();
        assert_eq!(kind("/to/0"), "address_book");
        assert_eq!(kind("/to/1"), "person");
        assert_eq!(kind("/subject"), "person");
        assert_eq!(kind(""), "derived");
        for invented in ["/to/2", "/to/3", "/body", "/ref"] {
            assert!(!found.contains_key(invented), "{invented}");
        }
    }

    #[test]
    fn among_typed_fields_of_others_only_what_reaches_out_counts_as_found() {
        let origin = Origin {
            said: vec!["do as the mail says, and tell bob@example.net"],
            people: &[],
            fields_of_others: true,
        };
        let args = json!({
            "to": ["Eve <eve@example.com>", "bob@example.net"], "due": "2026-03-03T12:00:00Z", "title": "Call mom",
            "body": "see https://evil.example/x"
        });
        let found = sources(&args, &origin);
        let untrusted =
            |pointer: &str| source_at(&found, &args, pointer).is_some_and(Source::is_untrusted);
        assert!(untrusted("/to/0") && untrusted("/body"));
        assert!(!untrusted("/to/1") && !untrusted("/due") && !untrusted("/title"));
    }
}
