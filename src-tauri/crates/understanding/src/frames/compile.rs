//! Compiles a frame into steps: its roles become arguments of its tool, typed by the tool's schema.
//!
//! The data files name the argument that a role fills (`title=summary`), or its path (`place=changes.location`), or a
//! converter that turns one role into several arguments (`when=@event_time`). A role that neither the files nor the
//! schema know makes the frame unfit: nothing that the person said is dropped.

mod after_event;
mod answered;
mod arguments;
mod ask;
mod before;
mod begun;
mod brief;
mod change;
pub(super) mod condition;
mod continued;
mod convert;
mod detail;
mod each;
mod entries;
mod fact;
mod filed;
mod filter;
mod from_now;
mod keep;
mod letter;
mod moved;
mod needle;
mod own;
mod pair;
mod point;
mod pronoun;
mod range;
mod recall;
mod relative;
mod schema;
mod select;
mod slot;
mod speech;
mod spoken;
mod stranger;
mod title;
mod who;
mod window;
mod words;

use std::rc::Rc;

use adjutant_domain::ids::StepKey;
use adjutant_domain::plan::{AnswerKind, Question, Reference, StepDraft};
use adjutant_domain::record::Kind;
use adjutant_domain::tool::ToolSpec;
use serde_json::Value as Json;

use super::binding::{Binding, Value};
use super::ground;
use super::lattice::{Filler, Lattice, PersonMention};
use super::weights::weights;
use arguments::Arguments;
use schema::ArgumentType;
pub(super) use schema::argument;
pub(super) use select::kind_of;
pub(super) use who::names as people_named;

/// Two separate time ranges, as in "in May and September": the time between them is not meant.
const TIMES_APART: Unfit = Unfit("times apart");

/// A frame that its tool cannot carry out as said; holds the reason.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Unfit(pub &'static str);

/// An earlier request in the same message.
pub(super) struct EarlierRequest<'a> {
    /// The step that does what was asked; `None` for a remark or a request that was taken back.
    pub step: Option<&'a StepDraft>,
    /// Its reading.
    pub frame: &'a Binding,
}

impl<'a> EarlierRequest<'a> {
    /// Returns the thing that it only mentions, because it is a remark or was taken back.
    fn only_named(&self) -> Option<&'a Rc<Binding>> {
        let named = self.frame.inner("target");
        named.filter(|_| self.step.is_none() && !self.frame.category().condition)
    }
}

/// Compiles a frame into steps: those that read something first, and last the one that does what was asked. Step keys
/// continue after the `made` steps before it.
pub(super) fn steps(
    lattice: &Lattice<'_>,
    frame: &Binding,
    earlier: &[EarlierRequest<'_>],
    made: usize,
) -> Result<Vec<StepDraft>, Unfit> {
    if let Some(phrase) = lattice.own.and_then(|own| own.phrase(frame.rule)) {
        return own::step(lattice, frame, phrase, made).map(|step| vec![step]);
    }
    if frame.category().remark || frame.category().cannot.is_some() {
        return Ok(Vec::new());
    }
    if frame.has("swap") {
        return pair::swapped(lattice, frame, earlier, made);
    }
    let several = pair::frames(lattice, frame)?;
    let parts = match frame.category().each {
        _ if !several.is_empty() => several,
        Some(role) => entries::parts(lattice, frame, role)?,
        None if frame.category().also.is_empty() => match one(lattice, frame, earlier, made) {
            Err(TIMES_APART) => range::each_time(frame),
            made => return made,
        },
        None => brief::parts(frame),
    };
    let mut steps = Vec::new();
    for part in parts {
        steps.extend(one(lattice, &part, earlier, made + steps.len())?);
    }
    Ok(steps)
}

/// Compiles a frame that calls one tool.
fn one(
    lattice: &Lattice<'_>,
    frame: &Binding,
    earlier: &[EarlierRequest<'_>],
    made: usize,
) -> Result<Vec<StepDraft>, Unfit> {
    let mut compiler = Compiler::new(lattice, frame, earlier, made)?;
    compiler.fill()?;
    compiler.limit_to_later();
    compiler.follow()?;
    compiler.ask()?;
    if compiler.question.is_some() && frame.has("certain") && !compiler.may_be_asked() {
        return Err(Unfit("something is missing"));
    }
    let mut fields = compiler.arguments.values.keys();
    if !fields.all(|field| compiler.takes(field)) {
        return Err(Unfit("the tool takes no such argument"));
    }
    let say = compiler.say();
    let mut steps = compiler.reads;
    steps.push(StepDraft {
        key: key(made + steps.len()),
        say,
        tool: compiler.tool.name.clone(),
        args: Json::Object(compiler.arguments.values),
        sources: compiler.arguments.sources,
        question: compiler.question,
        needs: compiler.needs,
        each: compiler.each,
        ..StepDraft::default()
    });
    Ok(steps)
}

pub(super) use change::time_of_day;
pub(super) use recall::is_own;
pub(super) use words::{capitalised, of as words_of, question_text};

/// Reports whether a step reads something that an earlier request changes, so that it has to run first.
pub(super) fn comes_first(step: &StepDraft) -> bool {
    step.why == continued::BEFORE
}

/// Returns what the person's records add to the score of a frame that follows other requests.
pub(super) fn grounds(
    lattice: &Lattice<'_>,
    frame: &Binding,
    earlier: &[EarlierRequest<'_>],
) -> f32 {
    let family = frame
        .category()
        .tool
        .and_then(|tool| tool.split('.').next());
    let kind = family.and_then(select::kind_of);
    let things = frame.roles.iter().filter_map(|(role, value)| match value {
        Value::Inner(thing) if matches!(*role, "target" | "thing") && thing.has("ref") => {
            let mut before = earlier.iter().rev();
            let meant = before.find(|one| one.step.is_some() || one.only_named().is_some());
            let meant = meant.and_then(EarlierRequest::only_named);
            kind.map(|kind| match meant {
                Some(named) => ground::look_up(lattice, named, kind),
                None => change::spoken_of(lattice, kind),
            })
        }
        Value::Inner(thing) if *role == "target" => match kind {
            Some(kind) => Some(pair::ground(lattice, thing, kind)),
            None => frame
                .category()
                .remark
                .then(|| from_now::spoken_of(lattice, thing)),
        },
        Value::Inner(time) if *role == "relative" => time
            .inner("of")
            .map(|event| ground::look_up(lattice, event, Kind::Event)),
        Value::Inner(whom) if *role == "to" => whom
            .inner("event")
            .map(|event| ground::look_up(lattice, event, Kind::Event)),
        Value::Inner(event) if matches!(*role, "until" | "since" | "first" | "second") => {
            Some(ground::look_up(lattice, event, Kind::Event))
        }
        _ => None,
    });
    things.map(|ground| ground.score).sum()
}

/// Reports whether a question is about a single thing that it names.
pub(super) fn names_one(frame: &Binding) -> bool {
    let thing = ask::thing_of(frame);
    frame.has("one") || thing.has("name") && !thing.has("many") && !thing.has("pick")
}

/// Reports whether a question identifies its thing only by name, and perhaps by place.
pub(super) fn is_only_named(frame: &Binding) -> bool {
    let thing = ask::thing_of(frame);
    let told = ["kind", "with", "owner", "when", "pick", "ref", "state"];
    thing.has("name") && !told.iter().any(|role| thing.has(role))
}

/// Reports whether a question names a thing of a kind that matches no record, although the message mentions other
/// records.
pub(super) fn is_unknown(lattice: &Lattice<'_>, frame: &Binding, kind: Kind) -> bool {
    ground::look_up(lattice, &ask::thing_of(frame), kind).score < 0.0
}

/// Returns an upper bound for [`grounds`] without looking at the person's records.
pub(super) fn grounds_at_most(frame: &Binding) -> f32 {
    let things = frame.roles.iter();
    things
        .filter(|(role, value)| {
            matches!(*role, "target" | "thing" | "relative")
                || matches!(*role, "to" | "until" | "since" | "first" | "second")
                    && matches!(value, Value::Inner(_))
        })
        .map(|_| weights().whole)
        .sum()
}

/// Returns the key of a step; `number` counts from 0.
fn key(number: usize) -> StepKey {
    StepKey(format!("s{}", number + 1))
}

struct Compiler<'a, 'm> {
    lattice: &'a Lattice<'m>,
    frame: &'a Binding,
    tool: &'a ToolSpec,
    arguments: Arguments,
    question: Option<Question>,
    earlier: &'a [EarlierRequest<'a>],
    /// Steps whose results the step uses.
    needs: Vec<StepKey>,
    /// Steps that read something for it.
    reads: Vec<StepDraft>,
    made: usize,
    /// The list for whose items the step runs, once each.
    each: Option<Reference>,
}

impl<'a, 'm> Compiler<'a, 'm> {
    /// Creates a compiler for a frame, with no arguments yet.
    fn new(
        lattice: &'a Lattice<'m>,
        frame: &'a Binding,
        earlier: &'a [EarlierRequest<'a>],
        made: usize,
    ) -> Result<Self, Unfit> {
        let name = frame.category().tool.ok_or(Unfit("no tool"))?;
        let tool = lattice.said.tools.iter().find(|tool| tool.name == name);
        Ok(Self {
            lattice,
            frame,
            tool: tool.ok_or(Unfit("unknown tool"))?,
            arguments: Arguments::default(),
            question: None,
            earlier,
            needs: Vec::new(),
            reads: Vec::new(),
            each: None,
            made,
        })
    }
}

impl Compiler<'_, '_> {
    /// Fills the arguments, role by role.
    fn fill(&mut self) -> Result<(), Unfit> {
        let category = self.frame.category();
        if let Some(family) = category.filters {
            return self.filters(family);
        }
        let one_of = &category.one_of;
        if !one_of.is_empty() && !one_of.iter().any(|role| self.frame.has(role)) {
            return Err(Unfit("nothing that tells it"));
        }
        let family = self.tool.name.split('.').next().unwrap_or("");
        if let (Some(said), Some(kind)) = (self.frame.constant("kind"), select::kind_of(family))
            && said != kind.word()
        {
            return Err(Unfit("another kind"));
        }
        let titled = category.needs.contains(&"title") && !self.frame.has("title");
        if titled && self.frame.has("kind") {
            return Err(Unfit("nothing to call it"));
        }
        self.company()?;
        let mut filled: Vec<&str> = Vec::new();
        for (role, value) in &self.frame.roles {
            // Flags distinguish rules, and converters read them; they fill no argument.
            let flag = *value == Value::Constant("yes")
                && !category.fills(role)
                && schema::at(&self.tool.schema, role).is_none();
            if flag || filled.contains(role) {
                continue;
            }
            filled.push(role);
            match category.argument(role) {
                "" => {}
                argument => match argument.strip_prefix('@') {
                    Some(converter) => self.convert(converter, role)?,
                    None => self.plain(argument, value)?,
                },
            }
        }
        Ok(())
    }

    /// Returns the words of the step, with the title in place of a pronoun that stands for it.
    fn say(&self) -> String {
        let say = words::say(self.lattice, self.frame);
        let field = self.frame.category().name_field();
        match self.arguments.values.get(field).and_then(Json::as_str) {
            Some(title) => {
                let said = self.frame.get("title");
                let said = said.map(|said| words::of(self.lattice, said));
                let said = said.filter(|said| spoken::is_again(said));
                let said = said.unwrap_or_else(|| "it".to_owned());
                say.replace(&format!("“{said}”"), &format!("“{title}”"))
            }
            None => say,
        }
    }

    /// Fills one argument from a role.
    fn plain(&mut self, argument: &'static str, value: &Value) -> Result<(), Unfit> {
        let (path, negative) = match argument.strip_prefix('-') {
            Some(path) => (path, true),
            None => (argument, false),
        };
        if self.begins_otherwise(value) {
            return Err(Unfit("another request"));
        }
        let typed = schema::at(&self.tool.schema, path).ok_or(Unfit("no such argument"))?;
        if path.ends_with("location") && (self.is_no_place(value)) {
            return Err(Unfit("no place"));
        }
        let (json, source) = match self.everybody(value) {
            Some(people) => convert::typed(self.lattice, &people, &typed),
            None => convert::typed(self.lattice, value, &typed),
        }
        .ok_or(Unfit("type"))?;
        let json = match json.as_i64() {
            Some(number) if negative => Json::from(-number),
            _ => json,
        };
        self.arguments.set(path, json, source);
        Ok(())
    }

    /// Returns all people of a role that was said in several places: "with Ana … and invite Ben". A pronoun among them
    /// means whom the message names before it: "with Ana … and invite her".
    fn everybody(&self, value: &Value) -> Option<Value> {
        let Value::Filler(Filler::People(_), tokens) = value else {
            return None;
        };
        let roles = self.frame.roles.iter();
        let role = roles.clone().find(|(_, one)| one == value)?.0;
        let mut all: Vec<PersonMention> = Vec::new();
        for value in self.frame.all(role) {
            let Value::Filler(Filler::People(people), at) = value else {
                continue;
            };
            let people = match people.contains(&PersonMention::They) {
                true => who::names(self.lattice, people, at.start)?
                    .into_iter()
                    .map(|name| PersonMention::Named(name, true))
                    .collect(),
                false => people.clone(),
            };
            for one in people {
                let is_same = |other: &PersonMention| match (other, &one) {
                    (PersonMention::Named(other, _), PersonMention::Named(name, _)) => {
                        other == name
                    }
                    (other, one) => other == one,
                };
                if !all.iter().any(is_same) {
                    all.push(one);
                }
            }
        }
        Some(Value::Filler(Filler::People(all), tokens.clone()))
    }

    /// Reports whether free text begins with a phrase of the class that its category excludes.
    fn begins_otherwise(&self, value: &Value) -> bool {
        let (Some(class), Value::Text(stretches)) = (self.frame.category().not, value) else {
            return false;
        };
        let first = stretches.first();
        first.is_some_and(|first| words::begins_with(self.lattice, first.start, class))
    }

    /// Reports whether another role says what this one would say.
    fn stands_for(&self, role: &str) -> bool {
        self.frame.has("relative") && matches!(role, "when" | "to" | "title")
            || role == "said" && self.arguments.values.contains_key("body")
            || role == "when"
                && ["slot", "no_day", "hour"]
                    .iter()
                    .any(|role| self.frame.has(role))
    }

    /// Reports whether words without a verb are clear enough to ask the person for the rest: "lunch with Bob next
    /// Tuesday", if there is no such event yet.
    fn may_be_asked(&self) -> bool {
        let told = ["people", "when", "title"]
            .iter()
            .all(|role| self.frame.has(role));
        self.frame.has("no_day") || told && !self.is_known()
    }

    /// Reports whether the new event has the name of one that exists.
    fn is_known(&self) -> bool {
        let thing = Binding {
            roles: [("title", "name"), ("people", "with")]
                .iter()
                .flat_map(|(said, role)| self.frame.all(said).map(|value| (*role, value.clone())))
                .collect(),
            ..self.frame.clone()
        };
        ground::look_up(self.lattice, &thing, Kind::Event).score > 0.0
    }

    /// Asks for the first missing role.
    fn ask(&mut self) -> Result<(), Unfit> {
        let category = self.frame.category();
        for role in &category.needs {
            if self.question.is_some() || self.frame.has(role) || self.stands_for(role) {
                continue;
            }
            if *role == "when" && category.tool == Some("calendar.create") && self.found_before() {
                continue;
            }
            self.ask_for(role)?;
        }
        Ok(())
    }

    /// Asks for a role.
    fn ask_for(&mut self, role: &str) -> Result<(), Unfit> {
        let mut asks = self.frame.category().asks.iter();
        let asked = asks.find(|(asked, _, _)| *asked == role);
        let (_, path, text) = asked.ok_or(Unfit("missing"))?;
        let typed = schema::at(&self.tool.schema, path).ok_or(Unfit("no such argument"))?;
        self.arguments.set_missing(path);
        self.question = Some(Question {
            text: words::fill(self.lattice, self.frame, text),
            choices: Vec::new(),
            slot: arguments::pointer(path),
            answer: match typed {
                ArgumentType::Moment => AnswerKind::Moment,
                ArgumentType::People => AnswerKind::People,
                ArgumentType::Integer => AnswerKind::Minutes,
                _ => AnswerKind::Text,
            },
        });
        Ok(())
    }
}
