//! Plans a message if one reading is clearly the best.

use adjutant_domain::plan::{PlanDraft, StepDraft};
use adjutant_domain::reading::{Reading, TraceLine, Utterance};
use adjutant_domain::record::Kind;
use adjutant_domain::source::Source;
use serde_json::json;

use super::clauses::{self, Candidate, Sequence};
use super::compile;
use super::lattice::Lattice;
use super::lead_in::LeadIn;
use super::{follow, own, trace};
use crate::time::TimeExpression;

/// A reading is certain if its score exceeds that of the next one with a different meaning by at least this much.
const MARGIN: f32 = 0.4;

/// Plans a message of which frames read every word, without looking at earlier messages. Returns `None` if other parts
/// of the engine have to read it.
pub(crate) fn plan(said: &Utterance<'_>) -> Option<Reading> {
    if is_open(said.text) {
        return None;
    }
    let lattice = Lattice::read(said.text, said)?;
    let found = considered(&lattice);
    let read = decide(&lattice, &found);
    let best = found.first().filter(|_| read.is_some());
    let lead_in = LeadIn::of(&lattice);
    let texts = lead_in.map_or_else(Vec::new, |lead_in| lead_in.meant(&lattice, best));
    // A text that stands for the rest of a message has no lead-in of its own, so the work stays bounded.
    let mut meant = texts.iter().filter_map(|text| {
        let lattice = Lattice::read(text, said)?;
        decide(&lattice, &considered(&lattice))
    });
    meant.next().or(read)
}

/// Returns the ways to read a message among which to decide: those that use a fallback category only if the others name
/// nothing that is known.
fn considered(lattice: &Lattice<'_>) -> Vec<Sequence> {
    let (last, first) = sequences(lattice);
    match names_nothing_known(lattice, &first) && !last.is_empty() {
        true => last,
        false => first,
    }
}

/// Plans a message that nothing else reads, as a search through everything the person has. If the message seems to be
/// about the `world`, it must contain a word that marks the person's own things. Returns `None` if the message cannot
/// be read that way.
pub(crate) fn plan_last(said: &Utterance<'_>, world: bool) -> Option<Reading> {
    let lattice = Lattice::read(said.text, said).filter(|_| !is_open(said.text))?;
    let (last, first) = sequences(&lattice);
    let read = first.first().is_some_and(|best| best.score > 0.0);
    let own = !world || (0..lattice.len()).any(|at| compile::is_own(&lattice, at));
    decide(&lattice, &last).filter(|_| !read && own)
}

/// Returns the ways to read a message: those that use a fallback category, and the others.
pub(super) fn sequences(lattice: &Lattice<'_>) -> (Vec<Sequence>, Vec<Sequence>) {
    let found = clauses::sequences(lattice).into_iter();
    found.partition(|sequence| {
        let mut frames = sequence.requests.iter().map(|request| &request.frame);
        frames.any(|frame| frame.category().fallback)
    })
}

/// Reports whether the best reading asks about one event or task by words that no such record's name contains, although
/// the message mentions other records. The answer then has to be searched for elsewhere.
fn names_nothing_known(lattice: &Lattice<'_>, found: &[Sequence]) -> bool {
    let [request] = found.first().map_or(&[][..], |best| &best.requests) else {
        return false;
    };
    let kind = match request.frame.category().filters {
        Some("calendar") => Kind::Event,
        Some("task") if request.frame.constant("ask") == Some("when") => Kind::Task,
        _ => return false,
    };
    // If the message mentions no record at all, what lasts some time or is somewhere need not be an event.
    let ask = request.frame.constant("ask");
    let nowhere = lattice.said.names.is_empty()
        && kind == Kind::Event
        && matches!(ask, Some("total" | "where"))
        && compile::is_only_named(&request.frame);
    compile::names_one(&request.frame)
        && (nowhere || compile::is_unknown(lattice, &request.frame, kind))
}

/// Plans a message that nothing else reads, by the phrases that tools bring themselves. Returns `None` if they do not
/// read it either.
pub(crate) fn plan_own(said: &Utterance<'_>) -> Option<Reading> {
    let own = own::phrases(said.tools).filter(|_| !is_open(said.text))?;
    // A message that this program's own rules read, even uncertainly, never goes to these phrases.
    let known = Lattice::read(said.text, said)?;
    if sequences(&known).1.iter().any(|one| one.score > 0.0) {
        return None;
    }
    let lattice = Lattice::read_with(said.text, said, Some(&own))?;
    // Fallback categories come after these phrases, because they check whose things the message is about.
    decide(&lattice, &sequences(&lattice).1)
}

/// Reports whether a quotation mark is missing; then it is unclear what belongs to the quotation.
fn is_open(text: &str) -> bool {
    text.matches('"').count() % 2 == 1
}

/// Returns the plan or reply for the best reading if no other one is nearly as good.
fn decide(lattice: &Lattice<'_>, found: &[Sequence]) -> Option<Reading> {
    let asks = begins_with_request(lattice);
    let mut found = found.iter().filter(|one| !(asks && only_remarks(one)));
    let best = found.next().filter(|best| best.score > 0.0)?;
    let rival = found.find(|other| !same_tools(best, other));
    if rival.is_some_and(|rival| best.score - rival.score < MARGIN) {
        return None;
    }
    settled(lattice, best)
}

/// Reports whether the message begins with a verb of request: then it is no mere remark, even if what follows reads like
/// one ("remember that Oliver is off").
fn begins_with_request(lattice: &Lattice<'_>) -> bool {
    let begins = |class: &str, at: usize| lattice.phrase(class, at);
    let at = begins("filler", 0).unwrap_or(0);
    begins("imperative", at).is_some()
}

/// Reports whether a reading consists of remarks without an answer.
fn only_remarks(one: &Sequence) -> bool {
    let mut kinds = one.requests.iter().map(|request| request.frame.category());
    kinds.all(|kind| kind.remark && kind.answer.is_none() && !kind.undo && !kind.retracts)
}

/// Turns a reading into a plan, a reply or an undo.
///
/// Returns `None` if a recurrence does not name its days, if a correction was not understood, or if remarks ask for
/// nothing and have no answer.
pub(super) fn settled(lattice: &Lattice<'_>, best: &Sequence) -> Option<Reading> {
    let mut frames = best.requests.iter().map(|request| &request.frame);
    let counted = lattice.times.iter().any(TimeExpression::is_counted);
    if counted || frames.clone().any(|frame| follow::is_left(lattice, frame)) {
        return None;
    }
    if let Some(why) = frames.find_map(|frame| frame.category().cannot) {
        return Some(Reading::NotUnderstood {
            text: why.to_owned(),
            near: Vec::new(),
            trace: traced(lattice, best),
        });
    }
    let asks = best.requests.iter().any(|one| !one.steps.is_empty());
    if best.requests.iter().any(|one| one.frame.category().undo) {
        let trace = traced(lattice, best);
        return (!asks).then_some(Reading::Undo { trace });
    }
    if !asks {
        return answer(lattice, best);
    }
    Some(Reading::Plan {
        plan: PlanDraft {
            request: title(lattice, best),
            steps: ordered(best),
        },
        trace: traced(lattice, best),
    })
}

/// Returns the title of a plan: a question in the person's words, anything else by what the steps do.
fn title(lattice: &Lattice<'_>, best: &Sequence) -> String {
    let mut parts: Vec<String> = Vec::new();
    for request in &best.requests {
        let Some(step) = request.steps.last() else {
            continue;
        };
        let part = match lattice.said.only_reads(&step.tool) {
            true => compile::question_text(lattice, &request.frame),
            false => step.say.clone(),
        };
        if !parts.contains(&part) {
            parts.push(part);
        }
    }
    compile::capitalised(&parts.join("; "))
}

/// Returns the trace of all requests of a reading.
fn traced(lattice: &Lattice<'_>, sequence: &Sequence) -> Vec<TraceLine> {
    let frames = sequence.requests.iter().map(|request| &request.frame);
    frames
        .flat_map(|frame| trace::lines(lattice, frame))
        .collect()
}

/// Returns the reply to remarks that ask for nothing, or `None` if the first of them has none.
fn answer(lattice: &Lattice<'_>, remarks: &Sequence) -> Option<Reading> {
    // Requests that were taken back are not remarks, so skip them.
    let mut frames = remarks.requests.iter().map(|remark| &remark.frame);
    let text = frames
        .find(|frame| frame.category().remark)?
        .category()
        .answer?;
    Some(Reading::Say {
        text: filled(text, lattice.said),
        trace: traced(lattice, remarks),
    })
}

/// Fills the braces of an answer from the data files.
fn filled(answer: &str, said: &Utterance<'_>) -> String {
    if !answer.contains('{') {
        return answer.to_owned();
    }
    let name = said.settings.owner.name.split_whitespace().next();
    let name = name.map_or_else(String::new, |name| format!(", {name}"));
    let today = said.now.strftime("%A, %-d %B %Y").to_string();
    answer
        .replace("{name}", &name)
        .replace("{clock}", &said.settings.clock.show(said.now.time()))
        .replace("{today}", &today)
}

/// Returns the steps of all requests in running order: first the steps that must read something before it is changed.
fn ordered(sequence: &Sequence) -> Vec<StepDraft> {
    let steps = joined(sequence).into_iter();
    let (first, mut rest): (Vec<_>, Vec<_>) = steps.partition(compile::comes_first);
    for step in &mut rest {
        // Every other step waits for those reads.
        let later = first.iter().filter(|one| !step.needs.contains(&one.key));
        let keys: Vec<_> = later.map(|one| one.key.clone()).collect();
        step.needs.extend(keys);
    }
    first.into_iter().chain(rest).collect()
}

/// Returns the steps of all requests. Mails of one sentence to the same recipients become one: "tell Ana that I'm late, and
/// ask her to wait".
fn joined(sequence: &Sequence) -> Vec<StepDraft> {
    let mut joined: Vec<StepDraft> = Vec::new();
    for request in &sequence.requests {
        let [step] = request.steps.as_slice() else {
            joined.extend(request.steps.iter().cloned());
            continue;
        };
        let needed = |one: &&Candidate| {
            one.steps
                .iter()
                .any(|other| other.needs.contains(&step.key))
        };
        let alone = sequence.requests.iter().find(needed).is_none();
        match joined.last_mut() {
            Some(last) if request.goes_on && alone && is_one_mail(last, step) => {
                let body = |step: &StepDraft| step.args["body"].as_str().unwrap_or("").to_owned();
                last.args["body"] = json!(format!("{} {}", body(last), body(step)));
                if let Some(words) = said_words(step)
                    && let Some(Source::Person { words: Some(said) }) =
                        last.sources.get_mut("/body")
                {
                    *said = format!("{said} {words}");
                }
            }
            _ => joined.push(step.clone()),
        }
    }
    joined
}

/// Reports whether the second step only adds to the mail of the first: nothing but recipients and text, and nothing
/// that one of them waits for or asks.
fn is_one_mail(one: &StepDraft, other: &StepDraft) -> bool {
    let plain = |step: &StepDraft| {
        let fields = step.args.as_object().map(|args| args.keys());
        let known = fields.is_some_and(|mut fields| fields.all(|one| one == "to" || one == "body"));
        let free = step.when.is_none() && step.each.is_none() && step.question.is_none();
        step.tool == "email.send" && known && free && step.args["body"].is_string()
    };
    plain(one) && plain(other) && one.args["to"] == other.args["to"] && one.needs == other.needs
}

/// Returns the person's words for the text of a mail.
fn said_words(step: &StepDraft) -> Option<&str> {
    match step.sources.get("/body")? {
        Source::Person { words } => words.as_deref(),
        _ => None,
    }
}

/// Reports whether two readings call the same tools, with or without the steps that look something up. Then they differ
/// only in details, and the better one is meant.
fn same_tools(one: &Sequence, other: &Sequence) -> bool {
    let all = |sequence: &Sequence| -> Vec<String> {
        let steps = sequence.requests.iter().flat_map(|request| &request.steps);
        steps.map(|step| step.tool.clone()).collect()
    };
    let last = |sequence: &Sequence| -> Vec<Option<String>> {
        let does = sequence.requests.iter().map(|request| request.steps.last());
        does.map(|step| step.map(|step| step.tool.clone()))
            .collect()
    };
    all(one) == all(other) || last(one) == last(other)
}
