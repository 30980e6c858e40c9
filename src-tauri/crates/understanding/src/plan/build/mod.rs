//! From requests to steps: what they stand for is looked up, missing values become questions.

mod beside;
mod bounds;
mod condition;
mod create;
mod draft;
mod event;
mod event_time;
mod event_title;
pub(super) mod filter;
mod filter_kinds;
mod mail;
mod moved;
mod point;
mod read;
mod recipients;
mod refer;
mod settle;
mod swap;
mod update;
pub(super) mod when;
mod when_words;
mod window_ends;
pub(super) mod words;

use draft::Draft;
use std::collections::HashMap;

use adjutant_domain::ids::StepKey;
use adjutant_domain::plan::{Condition, PlanDraft, Reference, StepDraft};
use adjutant_domain::source::Source;
use serde_json::{Map, Value as Json, json};

use super::clause::{Parse, Unread, Why};
use super::lexicon::Noun;
use super::model::{Act, Ask, Request, Sel, Who};
use super::said::Said;
use condition::{both, not};
use filter::Purpose;
use refer::Target;

/// Steps of one message; more is asked for again in parts.
const STEPS_MAX: usize = 20;

/// Builds the plan.
pub(super) fn plan(parse: &Parse<'_, '_>) -> Result<PlanDraft, Unread> {
    let mut builder = Builder {
        said: parse.said,
        parse,
        steps: Vec::new(),
        done: Vec::new(),
        reads: HashMap::new(),
        conds: HashMap::new(),
    };
    let requests = settle::settled(parse);
    if requests.is_empty() {
        return Err(Unread {
            span: None,
            why: Why::Nothing,
        });
    }
    for request in &requests {
        builder.request(request)?;
        if builder.steps.len() > STEPS_MAX {
            return Err(Unread {
                span: None,
                why: Why::CanNot(
                    "That is more than can be planned at once. Please ask for it in smaller parts."
                        .to_owned(),
                ),
            });
        }
    }
    // A condition that nothing hangs on was misread: what was to depend on it would happen anyway.
    if let Some((_, cond)) = parse
        .conds
        .iter()
        .enumerate()
        .find(|(index, _)| !builder.conds.contains_key(index))
    {
        return Err(Unread {
            span: cond.span,
            why: Why::Words(builder.text(cond.span)),
        });
    }
    let request = builder
        .steps
        .iter()
        .filter(|step| !step.why.starts_with('\u{200b}'))
        .map(|step| step.say.clone())
        .collect::<Vec<_>>()
        .join(". ");
    Ok(PlanDraft {
        request,
        steps: builder.steps,
    })
}

/// What a request became, for the ones that refer to it.
pub(super) struct Done {
    /// Its last step.
    pub key: StepKey,
    /// Kind of what it chose or made.
    pub noun: Option<Noun>,
    /// What it did.
    pub act: Act,
    /// Whether its step runs once for each of a list.
    pub each: bool,
    /// Whether it did so to several.
    pub many: bool,
}

/// Builds steps one after the other.
pub(super) struct Builder<'p, 's, 'a> {
    pub said: &'s Said<'a>,
    pub parse: &'p Parse<'s, 'a>,
    pub steps: Vec<StepDraft>,
    pub done: Vec<Done>,
    reads: HashMap<String, StepKey>,
    conds: HashMap<usize, (StepKey, Condition)>,
}

/// People as arguments, the source of each by its place, and whether somebody could not be told.
pub(super) type Recipients = (Vec<Json>, Vec<(usize, Source)>, bool);

impl<'p, 's, 'a> Builder<'p, 's, 'a> {
    fn request(&mut self, request: &Request) -> Result<(), Unread> {
        let mut request = request.clone();
        for list in [
            &mut request.sel.from,
            &mut request.sel.with,
            &mut request.sel.to,
        ] {
            for who in list.iter_mut().filter(|who| **who == Who::They) {
                // Without anybody to stand for, the filter refuses it later.
                if let Some((name, _)) = self.they() {
                    *who = Who::Named {
                        said: "them".to_owned(),
                        known: true,
                        name,
                    };
                }
            }
        }
        let request = &request;
        // A thing that is made is called as it was called.
        let makes = matches!(
            request.act,
            Act::CreateEvent
                | Act::CreateTask
                | Act::CreateNote
                | Act::AppendNote
                | Act::Store
                | Act::CreateContact
                | Act::UpdateContact
                | Act::Send
                | Act::Draft
                | Act::Recall
                | Act::Forget
                | Act::Compute
        );
        if let Some(refused) = (!makes)
            .then(|| super::opinion::refusal(self.said, &request.sel))
            .flatten()
        {
            return Err(refused);
        }
        match request.act {
            Act::Query(_)
            | Act::Read
            | Act::Free
            | Act::IsFree
            | Act::Recall
            | Act::SearchFiles
            | Act::Compute => read::build(self, request),
            Act::Send | Act::Draft | Act::Reply | Act::ReplyAll | Act::Forward => {
                mail::build(self, request)
            }
            Act::CreateEvent
            | Act::CreateTask
            | Act::CreateNote
            | Act::AppendNote
            | Act::Store
            | Act::CreateContact
            | Act::UpdateContact => create::build(self, request),
            Act::Swap => swap::swap(self, request),
            _ => update::build(self, request),
        }
    }

    /// Adds a step; conditions, needs and references are worked out here.
    pub(super) fn push(
        &mut self,
        draft: Draft,
        request: Option<&Request>,
    ) -> Result<StepKey, Unread> {
        let key = StepKey(format!("s{}", self.steps.len() + 1));
        let mut when = draft.when;
        if let Some((index, expected)) = request.and_then(|request| request.cond) {
            let condition = self.condition(index)?;
            let condition = if expected { condition } else { not(condition) };
            when = Some(match when {
                Some(other) => both(condition, other),
                None => condition,
            });
        }
        // The condition's own step came first, so the key is counted again.
        let key = if when.is_some() {
            StepKey(format!("s{}", self.steps.len() + 1))
        } else {
            key
        };
        let args = Json::Object(draft.args);
        let mut needs = adjutant_domain::plan::reference::uses(&args).0;
        needs.extend(when.as_ref().map(Condition::uses).unwrap_or_default());
        needs.extend(draft.each.as_ref().map(|each| each.from.clone()));
        needs.sort();
        needs.dedup();
        self.steps.push(StepDraft {
            key: key.clone(),
            say: draft.say,
            why: draft.why,
            tool: draft.tool.to_owned(),
            args,
            sources: draft.sources,
            needs,
            when,
            each: draft.each,
            question: draft.question,
        });
        Ok(key)
    }

    /// Adds a reading step, or gives the one that reads the same.
    pub(super) fn read(
        &mut self,
        tool: &'static str,
        args: Map<String, Json>,
        say: String,
        words: Option<String>,
        why: &str,
    ) -> Result<StepKey, Unread> {
        let same = format!("{tool} {}", Json::Object(args.clone()));
        if let Some(key) = self.reads.get(&same) {
            return Ok(key.clone());
        }
        let mut draft = Draft::new(tool, say);
        why.clone_into(&mut draft.why);
        for (name, value) in args {
            draft.set(
                &name,
                value,
                Source::Person {
                    words: words.clone(),
                },
            );
        }
        let key = self.push(draft, None)?;
        self.reads.insert(same, key.clone());
        Ok(key)
    }

    /// The message's words in a span.
    pub(super) fn text(&self, span: Option<(usize, usize)>) -> String {
        span.and_then(|(start, end)| self.said.source.get(start..end))
            .unwrap_or("")
            .to_owned()
    }

    /// The words a selection was read from, as their source.
    pub(super) fn person(&self, range: &std::ops::Range<usize>) -> Source {
        let text = self.text(self.said.span(range));
        Source::Person {
            words: (!text.is_empty()).then_some(text),
        }
    }

    /// The words of time expressions, as their source.
    pub(super) fn time_words(&self, times: &[usize]) -> Source {
        let text: Vec<&str> = times
            .iter()
            .filter_map(|index| self.said.times.get(*index))
            .filter_map(|found| self.said.source.get(found.span.clone()))
            .collect();
        Source::Person {
            words: (!text.is_empty()).then(|| text.join(" ")),
        }
    }

    /// Notes what a request became.
    pub(super) fn did(&mut self, key: StepKey, request: &Request, noun: Option<Noun>, each: bool) {
        self.done.push(Done {
            key,
            noun,
            act: request.act,
            each,
            many: request.sel.all || request.sel.plural,
        });
    }

    /// A step that reads exactly one thing, for its title or its people.
    pub(super) fn one_of(&mut self, sel: &Sel) -> Result<StepKey, Unread> {
        let unread = Unread {
            span: self.said.span(&sel.span),
            why: Why::Words(self.text(self.said.span(&sel.span))),
        };
        let tool = if sel.noun == Some(Noun::Mail) {
            "email.search"
        } else {
            "calendar.list"
        };
        let mut args = Map::new();
        let words;
        match refer::target(self, sel, Purpose::Read) {
            Target::Ids { ids, label, .. } => {
                args.insert("ids".into(), ids);
                words = label;
            }
            Target::Filter(filter) => {
                let filter = *filter;
                args = filter.args;
                if !filter.many {
                    args.insert("pick".into(), filter.pick.unwrap_or_else(|| json!("one")));
                }
                words = filter.words;
            }
            Target::Unknown | Target::Unclear => return Err(unread),
        }
        let said = self.text(self.said.span(&sel.span));
        self.read(tool, args, format!("Look up {words}"), Some(said), "")
    }
}

/// A reference as an argument.
pub(super) fn at(key: &StepKey, path: &str) -> Json {
    Reference {
        from: key.clone(),
        path: path.to_owned(),
    }
    .to_value()
}

/// The word on the wire for a question.
pub(super) fn ask_word(ask: Ask) -> &'static str {
    match ask {
        Ask::List => "list",
        Ask::Count => "count",
        Ask::Any => "any",
        Ask::When => "when",
        Ask::Who => "who",
        Ask::Where => "where",
        Ask::Longest => "longest",
        Ask::Shortest => "shortest",
        Ask::Total => "total",
        Ask::Email => "email",
        Ask::Phone => "phone",
    }
}
