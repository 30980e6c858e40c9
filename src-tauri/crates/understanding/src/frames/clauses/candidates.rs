//! Readings of one stretch of a message as requests and as conditions.

use std::collections::HashMap;
use std::ops::Range;
use std::rc::Rc;

use adjutant_domain::plan::StepDraft;
use adjutant_domain::record::Kind;
use adjutant_text::message::TokenKind;

use super::super::binding::{Binding, Value};
use super::super::chart::Chart;
use super::super::compile::{self, condition};
use super::super::grammar::{Category, GRAMMAR};
use super::super::ground;
use super::super::lattice::{Filler, Lattice, TYPO_COST};
use super::super::own;
use super::super::side_remark;
use super::super::weights::weights;
use super::{Candidate, OPEN_MAX, Sequence, earlier, shared, step_count};

/// Maximum number of readings of one stretch that are tried as steps.
const TRIED_MAX: usize = 40;
/// Maximum number of tokens in a title without a verb.
const BARE_TOKENS_MAX: usize = 7;

/// Reads stretches of one message.
pub(super) struct ClauseReader<'a, 'm> {
    pub lattice: &'a Lattice<'m>,
    pub chart: Chart<'a, 'm>,
    /// Categories that are requests.
    frames: Vec<usize>,
    /// Categories that are conditions.
    conditions: Vec<usize>,
    /// Known readings as requests, by the first token of the stretch and the token after its last.
    read: HashMap<(usize, usize), Vec<Rc<Binding>>>,
}

impl<'a, 'm> ClauseReader<'a, 'm> {
    pub(super) fn new(lattice: &'a Lattice<'m>) -> Self {
        // A tool of a foreign server may be able to do what this program cannot.
        let alone = lattice.said.tools.iter().all(|tool| tool.server.is_none());
        let requests = |one: &Category| {
            one.tool.is_some() && !one.condition || one.remark || one.cannot.is_some() && alone
        };
        let own = lattice.own.and(*own::CATEGORY);
        Self {
            lattice,
            chart: Chart::new(lattice),
            frames: frames(requests).into_iter().chain(own).collect(),
            conditions: frames(|one| one.condition),
            read: HashMap::new(),
        }
    }

    /// Returns the readings of a stretch that follows other requests, best first.
    fn readings(&mut self, start: usize, end: usize, before: &Sequence) -> Vec<Rc<Binding>> {
        let read = self.read.entry((start, end));
        let mut found = read
            .or_insert_with(|| self.chart.requests(start, end, &self.frames))
            .clone();
        // "… and on Friday to call Rachel": the verb of the preceding request applies again.
        let says = matches!(self.lattice.word(start), "i" | "we" | "it");
        let verb = says || self.lattice.phrase("imperative", start).is_some();
        // After "except lunch", a further name says what else is to stay.
        let spared = |last: &&super::Candidate| {
            let mut things = last.frame.roles.iter().map(|(_, value)| value);
            last.frame.has("except")
                || things.any(|value| matches!(value, Value::Inner(thing) if thing.has("except")))
        };
        let whole = |last: &&super::Candidate| verb || last.frame.category().remark;
        let last = before.requests.last();
        let last = last.filter(|last| !whole(last) && !spared(last));
        if let Some(last) = last {
            // A bare name must belong to one of the person's records; in "… and dance" it does not.
            let named = |frame: &Rc<Binding>| {
                frame.inner("target").is_none_or(|thing| {
                    thing.roles.iter().any(|(role, _)| *role != "name")
                        || compile::grounds(self.lattice, frame, &[]) > 0.0
                })
            };
            let shortened = self.chart.shortened(start, end, last.frame.rule);
            let further = |frame: &Rc<Binding>| named(frame) && !is_told(self.lattice, frame);
            found.extend(shortened.into_iter().filter(further));
        }
        found.truncate(TRIED_MAX);
        found
    }

    /// Returns the readings of a stretch that compile into steps, best first; readings that cannot be among the first
    /// [`OPEN_MAX`] are skipped. `goes_on`: no sentence ends before the stretch.
    pub(super) fn candidates(
        &mut self,
        (start, end): (usize, usize),
        before: &Sequence,
        goes_on: bool,
    ) -> Vec<Candidate> {
        let lattice = self.lattice;
        let earlier = earlier(before);
        let awaits = before.awaits.as_ref();
        let made = step_count(before) + awaits.map_or(0, |(frame, _)| condition::reads(frame));
        let donor = donor(before, goes_on);
        let mut found: Vec<Candidate> = Vec::new();
        for frame in self.readings(start, end, before) {
            let most = frame.score + compile::grounds_at_most(&frame);
            let last = found.get(OPEN_MAX - 1);
            if last.is_some_and(|last: &Candidate| most <= last.score) {
                continue;
            }
            let donor = match shared::means_day(&frame) {
                true => self::donor(before, true),
                false => donor,
            };
            let shared =
                donor.and_then(|(donor, same)| shared::from_before(lattice, &frame, donor, same));
            let last = before.requests.last().filter(|_| goes_on);
            let shared = shared
                .or_else(|| shared::day_asked(lattice, &frame, last.map(|last| &*last.frame)?));
            let known = donor.is_some() || shared::means_day(&frame);
            if shared.is_none() && known && shared::is_of_no_day(lattice, &frame) {
                continue;
            }
            if shared.is_none()
                && goes_on
                && behind_gaps(before)
                && shared::is_at_a_clock(lattice, &frame)
            {
                continue;
            }
            let frame = shared.map_or(frame, Rc::new);
            let Ok(steps) = compile::steps(lattice, &frame, &earlier, made) else {
                continue;
            };
            if asks_after_all(lattice, &frame)
                || hides_request(lattice, &frame)
                || limits_request(lattice, &frame, before)
            {
                continue;
            }
            if leaks(lattice, &frame)
                || runs_on(lattice, &frame)
                || says_nothing(lattice, &frame)
                || no_name(lattice, &frame)
                || was_sent(lattice, &frame)
            {
                continue;
            }
            let mut steps = steps;
            if let Some(last) = steps.last_mut() {
                last.guessed |= copies(lattice, &frame) || notes_request(lattice, &frame);
            }
            let asks = steps.iter().any(|step| step.question.is_some());
            let missing = if asks { weights().missing } else { 0.0 };
            let score = frame.score + missing + compile::grounds(lattice, &frame, &earlier);
            if !found.iter().any(|other| same(&other.steps, &steps)) {
                let place = found.partition_point(|other| other.score >= score);
                let candidate = Candidate {
                    frame,
                    steps,
                    score,
                    goes_on,
                };
                found.insert(place, candidate);
            }
        }
        found
    }

    /// Returns the readings of a stretch as a condition, best first.
    pub(super) fn conditions(&mut self, start: usize, end: usize) -> Vec<Rc<Binding>> {
        let mut found = self.chart.requests(start, end, &self.conditions);
        let mut known = Vec::new();
        // It makes no difference whether a time belongs to the thing or to the whole condition.
        found.retain(|frame| {
            let mut says: Vec<String> = frame.roles.iter().flat_map(describe_role).collect();
            says.sort();
            let new = !known.contains(&(frame.rule.0, says.clone()));
            known.push((frame.rule.0, says));
            new
        });
        found.truncate(OPEN_MAX);
        found
    }
}

/// Describes a role with its value for comparison; a nested thing is described by its own roles.
fn describe_role((role, value): &(&'static str, Value)) -> Vec<String> {
    match value {
        Value::Inner(inner) => inner.roles.iter().map(|one| format!("{one:?}")).collect(),
        value => vec![format!("{:?}", (role, value))],
    }
}

/// Reports whether the last request looks for free time: what is then entered at a mere time of day is not for today.
fn behind_gaps(before: &Sequence) -> bool {
    let last = before.requests.last().map(|last| last.frame.category());
    last.is_some_and(|last| last.filters == Some("free"))
}

/// Returns the frame from which a request takes a time that it does not say, and whether it takes the whole time or
/// only the day.
fn donor(before: &Sequence, goes_on: bool) -> Option<(&Binding, bool)> {
    let frame = match &before.awaits {
        Some((condition, _)) => condition,
        None => {
            &before
                .requests
                .last()
                .filter(|_| goes_on || before.holds.is_some())?
                .frame
        }
    };
    match frame.category().filters {
        Some("free") if frame.constant("ask") == Some("slots") => None,
        // A question provides its time only if the request depends on its answer.
        Some("free" | "calendar") if before.awaits.is_some() || before.holds.is_some() => {
            Some((frame, true))
        }
        Some(_) => None,
        None => Some((frame, false)),
    }
}

fn frames(which: impl Fn(&Category) -> bool) -> Vec<usize> {
    let categories = GRAMMAR.categories.iter().enumerate();
    let chosen = categories.filter(|(_, category)| which(category));
    chosen.map(|(number, _)| number).collect()
}

/// Reports whether a new event, told without a verb or as a known thing, would have the name of one that is still to come:
/// "dentist on Friday at 4" and "put the dentist at 4" may just as well move it.
fn copies(lattice: &Lattice<'_>, frame: &Binding) -> bool {
    let known = |at: usize| at > 0 && matches!(lattice.word(at - 1), "the" | "my" | "our");
    frame.category().tool == Some("calendar.create")
        && (frame.has("bare") || titles(frame).next().is_some_and(known))
        && frame.all("title").any(|title| {
            ground::is_coming(lattice, &compile::words_of(lattice, title), Kind::Event)
        })
}

/// Reports whether a note would contain a further request: "note the code and remind me of it tonight".
fn notes_request(lattice: &Lattice<'_>, frame: &Binding) -> bool {
    let reminds = |at: usize| {
        lattice.phrase("joint", at - 1).is_some()
            && lattice.phrase("remind", at).is_some()
            && !is_quoted(lattice, at)
    };
    let mut body = texts(frame, "body").skip(1);
    frame.category().tool == Some("note.create") && body.any(reminds)
}

/// Reports whether a title contains words of a time, or a place is a bare number. Then the rule missed a time, a
/// condition, a correction or a replacement.
fn leaks(lattice: &Lattice<'_>, frame: &Binding) -> bool {
    let Some(class) = GRAMMAR.class("time_word") else {
        return false;
    };
    let number = |at: usize| {
        let mut edges = lattice.edges(at).iter();
        let alone = lattice.is_mark(at + 1)
            || matches!(lattice.word(at + 1), "and" | "or" | "")
            || lattice.phrase("filler", at + 1).is_some();
        alone && edges.any(|edge| matches!(edge.filler, Filler::Number(_)))
    };
    let hangs = |at: usize| {
        let openers = ["if", "unless", "otherwise"].iter();
        openers
            .filter_map(|class| lattice.phrase(class, at))
            .next()
            .is_some()
    };
    let corrects = |at: usize| {
        at > 0 && lattice.is_mark(at - 1) && lattice.phrase("may_take_back", at).is_some()
    };
    let instead = |at: usize| lattice.word(at) == "instead";
    // "A pottery course. It is every Thursday": the next sentence says when.
    let it_is = |at: usize| {
        lattice.word(at) == "it"
            && matches!(lattice.word(at + 1), "is" | "'s" | "starts" | "begins")
    };
    // "Leave by 5. Do I have anything after that?": the next sentence is a question of its own.
    let asks = |at: usize| {
        let stop = at > 0 && matches!(lattice.word(at - 1), "." | "!" | "?" | ";");
        stop && titles(frame).next() != Some(at) && lattice.phrase("question", at).is_some()
    };
    let then = GRAMMAR.class("then_word");
    let refers = |at: usize| then.is_some_and(|class| lattice.is_phrase(class, at));
    titles(frame).any(|at| lattice.is_phrase(class, at) || hangs(at) || corrects(at))
        || titles(frame).any(refers)
        || titles(frame).any(asks)
        || titles(frame).any(instead)
        || titles(frame).any(it_is)
        || texts(frame, "place").next().is_some_and(number)
        || texts(frame, "place").any(|at| lattice.is_phrase(class, at))
}

/// Reports whether the name or place of something new runs on into a statement or another request: "the fitting, Zoe has
/// no other day", "an hour with Kim and get the papers to her".
fn runs_on(lattice: &Lattice<'_>, frame: &Binding) -> bool {
    let creates = matches!(
        frame.category().tool,
        Some("calendar.create" | "note.create" | "task.create")
    );
    // The title of a task may well be two things to do.
    let orders = |at: usize| {
        let object = |at: usize| {
            ["det", "it", "them"]
                .iter()
                .any(|class| lattice.phrase(class, at).is_some())
                || matches!(lattice.word(at), "him" | "her" | "me" | "us")
        };
        frame.category().tool != Some("task.create")
            && lattice.phrase("request", at).is_some_and(object)
    };
    let runs = |at: usize| {
        let joined = matches!(lattice.word(at - 1), "and" | "then");
        let marked = lattice.is_mark(at - 1) && lattice.word(at - 1) != "'s";
        (marked || joined) && orders(at) || marked && side_remark::states(lattice, at)
    };
    // "Book the hall for 2, we have to plan the fair" names no event.
    let event = frame.category().tool == Some("calendar.create");
    let told = |at: usize| {
        let behind = at > 0 && lattice.word(at - 1) == "," && !is_quoted(lattice, at);
        behind && side_remark::states(lattice, at)
    };
    let text = |value: &Value| match value {
        Value::Text(stretches) => {
            let first = stretches.first().map_or(0, |first| first.start);
            first + 1..stretches.last().map_or(0, |last| last.end)
        }
        _ => 0..0,
    };
    event && titles(frame).next().is_some_and(told)
        || creates
            && ["title", "name", "place"].iter().any(|role| {
                let mut texts = frame.all(role);
                texts.any(|value| {
                    let mut tokens = text(value);
                    tokens.any(|at| !is_quoted(lattice, at) && runs(at))
                })
            })
}

/// Reports whether a title that would continue the request before tells something: "…, any day is fine".
fn is_told(lattice: &Lattice<'_>, frame: &Binding) -> bool {
    // "Call Will": a name may look like a verb.
    let named = |at: usize| {
        let mut edges = lattice.edges(at).iter();
        edges.any(|edge| matches!(edge.filler, Filler::People(_)))
    };
    let told = |at: usize| {
        !is_quoted(lattice, at) && !named(at) && lattice.phrase("told_verb", at).is_some()
    };
    titles(frame).skip(1).any(told)
}

/// Reports whether the title of something new consists only of small words; then the words belong to something that was
/// not read.
fn says_nothing(lattice: &Lattice<'_>, frame: &Binding) -> bool {
    let Some(class) = GRAMMAR.class("small") else {
        return false;
    };
    // "It" may refer to something made before.
    let again = titles(frame).count() == 1 && titles(frame).all(|at| lattice.word(at) == "it");
    let long = titles(frame).next().is_some_and(|first| {
        let last = titles(frame).last().unwrap_or(first);
        let mut edges = lattice.edges(first).iter();
        edges.any(|edge| matches!(edge.filler, Filler::Length(_)) && edge.end == last + 1)
    });
    if long {
        return true;
    }
    // "Room 5" lends no number to a title, but "1:1" is one.
    let number = |at: usize| {
        let token = &lattice.text.tokens[at];
        token.kind == TokenKind::Number && token.word.chars().all(|c| c.is_ascii_digit())
    };
    let small = |at| lattice.is_phrase(class, at) || lattice.is_mark(at) || number(at);
    !again && titles(frame).next().is_some() && titles(frame).all(small)
}

/// Reports whether a title without a verb is not a title: it begins like another request, or is a whole sentence.
fn no_name(lattice: &Lattice<'_>, frame: &Binding) -> bool {
    let Some(class) = GRAMMAR.class("request") else {
        return false;
    };
    let first = titles(frame).next();
    let rarely = frame.category().rarely;
    let clause = |at: usize| rarely.is_some_and(|class| lattice.is_phrase(class, at));
    let request = || first.is_some_and(|at| lattice.is_phrase(class, at));
    let vague = |at: usize| lattice.phrase("not_called", at).is_some();
    let sentence = || titles(frame).any(clause) || titles(frame).count() > BARE_TOKENS_MAX;
    // "I promised Ana to send it" is no title; "I owe Ana 45 dollars" may be one.
    let promised = first.is_some_and(|at| {
        matches!(lattice.word(at), "i" | "we") && lattice.phrase("told_verb", at + 1).is_some()
    });
    // "Book club is on Friday": the title goes on to a verb. "A new one on": it goes on to a time.
    let event = frame.category().tool == Some("calendar.create");
    let unended = frame.all("title").any(|title| {
        let Value::Text(stretches) = title else {
            return false;
        };
        let last = |part: &Range<usize>| {
            part.clone()
                .next_back()
                .filter(|at| !is_quoted(lattice, *at))
        };
        let timed = |at: usize| event && matches!(lattice.word(at), "on" | "at" | "for");
        let verb = |at: usize| matches!(lattice.word(at), "is" | "are" | "was" | "were");
        stretches.last().and_then(last).is_some_and(verb)
            || stretches.iter().filter_map(last).any(timed)
    });
    // "Mvoe the lunch to 1": a request with misspelled words names nothing new.
    let misspelled = |at: usize| {
        let costs = lattice.words_at(at).iter().map(|(_, cost)| *cost);
        let least = costs.reduce(f32::min);
        least.is_some_and(|least| least >= TYPO_COST) && lattice.is_phrase(class, at)
    };
    let new_task = frame.category().tool == Some("task.create");
    unended
        || frame.has("bare") && (request() || sentence() || titles(frame).any(misspelled))
        || frame.has("certain") && is_statement(lattice, frame, class)
        || new_task && promised
        || frame.has("deed") && (sentence() || titles(frame).any(vague))
}

fn is_quoted(lattice: &Lattice<'_>, at: usize) -> bool {
    let token = lattice.text.tokens.get(at);
    token.is_some_and(|token| token.quote.is_some())
}

/// Reports whether a mail would be sent because somebody says that one was: "sent Nina the feedback".
fn was_sent(lattice: &Lattice<'_>, frame: &Binding) -> bool {
    let sends = matches!(
        frame.category().tool,
        Some("email.send" | "email.forward" | "email.reply")
    );
    sends && lattice.phrase("sent_verb", frame.span.start).is_some()
}

/// Reports whether a title is a statement about what comes, or goes on as a request of the class: "Zoe wants to do coffee,
/// add it", "my flight, lands at 9, push the standup".
fn is_statement(lattice: &Lattice<'_>, frame: &Binding, request: usize) -> bool {
    let told = |at: usize| lattice.phrase("told_verb", at).is_some();
    let joint = |at: &usize| lattice.is_mark(*at) || matches!(lattice.word(*at), "so" | "and");
    let asks = |part: &Range<usize>| {
        let first = part.clone().find(|at| !joint(at));
        first.is_some_and(|first| lattice.is_phrase(request, first))
    };
    let mut resumed = frame.all("title").filter_map(|value| match value {
        Value::Text(stretches) => stretches.get(1..),
        _ => None,
    });
    titles(frame).skip(1).any(told) || resumed.any(|rest| rest.iter().any(asks))
}

/// Iterates over the tokens of the title of something new, without quotations.
fn titles(frame: &Binding) -> impl Iterator<Item = usize> {
    texts(frame, "title")
}

fn texts<'a>(frame: &'a Binding, role: &'static str) -> impl Iterator<Item = usize> + 'a {
    let texts = frame.all(role).filter_map(|value| match value {
        Value::Text(stretches) => Some(stretches),
        _ => None,
    });
    texts.flatten().flat_map(Clone::clone)
}

/// Reports whether two lists of steps make the same calls.
fn same(one: &[StepDraft], other: &[StepDraft]) -> bool {
    let does = |steps: &[StepDraft]| -> Vec<(String, serde_json::Value)> {
        let steps = steps.iter();
        steps
            .map(|step| (step.tool.clone(), step.args.clone()))
            .collect()
    };
    does(one) == does(other)
}

/// Reports whether an aside contains a request: it would be passed over with it.
fn hides_request(lattice: &Lattice<'_>, frame: &Binding) -> bool {
    let mut texts = frame.all_texts().into_iter();
    frame.category().aside && texts.any(|text| holds_request(lattice, text))
}

/// Reports whether an aside behind a request says what it does not apply to: "…, I want to keep the one about the flat".
fn limits_request(lattice: &Lattice<'_>, frame: &Binding, before: &Sequence) -> bool {
    let mut earlier = before.requests.iter();
    let limits = |at: usize| lattice.phrase("limits", at).is_some();
    frame.category().aside
        && earlier.any(|request| !request.steps.is_empty())
        && frame.span.clone().any(limits)
}

/// Reports whether a remark with an answer contains a request: "don't delete anything, just show me …".
fn asks_after_all(lattice: &Lattice<'_>, frame: &Binding) -> bool {
    let mut texts = frame.all_texts().into_iter();
    frame.category().answer.is_some()
        && (begins_otherwise(lattice, frame) || texts.any(|text| holds_request(lattice, text)))
}

/// Reports whether the free text of a remark begins with a phrase of the class that its category excludes.
fn begins_otherwise(lattice: &Lattice<'_>, remark: &Binding) -> bool {
    let class = remark.category().not.and_then(|class| GRAMMAR.class(class));
    let first = remark.texts().next();
    class.is_some_and(|class| first.is_some_and(|first| lattice.is_phrase(class, first.start)))
}

/// Reports whether a request begins after a mark or a joint in free text.
fn holds_request(lattice: &Lattice<'_>, stretch: Range<usize>) -> bool {
    let class = |name: &str, at: usize| {
        let class = GRAMMAR.class(name);
        class.is_some_and(|class| lattice.is_phrase(class, at))
    };
    let from = stretch.start.saturating_sub(2);
    (from + 1..stretch.end).any(|at| {
        let joined = class("joint", at - 1) && at > stretch.start || lattice.word(at - 1) == ":";
        let passed = class("joint", at - 1) && class("filler", at);
        joined && class("request", at) || passed && class("request", at + 1)
    })
}
