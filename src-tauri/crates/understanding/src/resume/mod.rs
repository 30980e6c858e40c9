//! Reads replies while something waits: yes, no, an answer, a change, never mind, or something else.

mod another;
mod answer;
mod phrases;

use adjutant_domain::conversation::Role;
use adjutant_domain::moment::Moment;
use adjutant_domain::plan::{AnswerKind, Choice, Plan, Question, Step, StepState};
use adjutant_domain::reading::{Reply, Resume, Utterance};
use serde_json::Value;

use crate::confirm;
use crate::frames;

/// Returns whether `text` answers the question `prompt` with yes or no.
#[must_use]
pub fn confirm(text: &str, prompt: &str) -> Reply {
    // An undo is about the last thing, which is not what was asked about a while ago.
    if phrases::undoes(&core(text)) {
        return Reply::Neither;
    }
    match confirm::answer(text, Some(prompt).filter(|prompt| !prompt.is_empty())) {
        confirm::Confirmation::Affirmative => Reply::Yes,
        // "Cancel everything on Thursday" is a separate request, whatever else waits, and "don't cancel the lunch" drops
        // nothing but the lunch.
        confirm::Confirmation::Negative
            if !takes_back(text)
                && (another::names_another(text, &[prompt])
                    || prompt.lines().any(|asked| another::repeats(text, asked))) =>
        {
            Reply::Neither
        }
        confirm::Confirmation::Negative => Reply::No,
        confirm::Confirmation::Neither if takes_back(text) => Reply::No,
        confirm::Confirmation::Neither => Reply::Neither,
    }
}

/// Reports whether a reply takes back what waits, alone or in front of a reason: "Don't send it after all. I can make it."
fn takes_back(text: &str) -> bool {
    let (first, rest) = text.split_once(['.', '!', ';']).unwrap_or((text, ""));
    let more = || crate::frames::commands(rest) || crate::unread::is_question(rest);
    // "I'd better sleep on it, don't send": the reason may come first.
    let (reason, last) = text.rsplit_once([',', '.', '!', ';']).unwrap_or(("", ""));
    let reasoned = || phrases::drops(&core(last)) && !crate::frames::commands(reason);
    phrases::drops(&core(text))
        || phrases::drops(&core(first)) && !more()
        || reasoned()
        || only_drops(text)
}

/// Reports whether each part of a reply only says no or drops what waits: "no, stop, leave it where it is".
fn only_drops(text: &str) -> bool {
    let parts = text.split([',', '.', '!', ';', '-', '–', '—']).map(core);
    let mut parts = parts.filter(|part| !part.is_empty()).peekable();
    let no = |part: &str| {
        matches!(
            part,
            "no" | "nope" | "nah" | "oh" | "wait" | "hold on" | "hang on" | "ah"
        )
    };
    let mut dropped = false;
    let all = parts.all(|part| {
        let drops = phrases::drops(&part);
        dropped |= drops;
        drops || no(&part)
    });
    all && dropped
}

/// Decides what a message means while `waiting`, the plan of `request`, waits for the person.
#[must_use]
pub fn resume(
    said: &Utterance<'_>,
    request: &str,
    waiting: &Plan,
    question: Option<&Question>,
) -> Resume {
    let core = core(said.text);
    if phrases::undoes(&core) {
        return Resume::TakeBack;
    }
    if let Some(after) = question.and_then(|question| put_right(said, question)) {
        let text = after.as_str();
        return resume(&Utterance { text, ..*said }, request, waiting, question);
    }
    if takes_back(said.text) {
        return Resume::Abandon;
    }
    // "Not sure" drops nothing: ask the same again, unless a part of it is done already.
    let text_wanted = question.is_some_and(|question| question.answer == AnswerKind::Text);
    let undecided = phrases::undecided(&core);
    if undecided && untouched(said, waiting) && !text_wanted {
        return Resume::Modify {
            text: request.to_owned(),
        };
    }
    if let Some(question) = question {
        return to_question(said, request, waiting, question);
    }
    if let Some(text) = frames::kept(request, said) {
        return Resume::Modify { text };
    }
    // Look for a change first: "no, make it Friday" is more than a no. A clear yes is only ever a yes.
    let prompt = format!("{}\n{request}", waiting.request);
    match confirm::answer(said.text, Some(&prompt)) {
        confirm::Confirmation::Affirmative if approves_what_waits(said, waiting) => Resume::Yes,
        confirm::Confirmation::Affirmative => Resume::New,
        given => match changed(request, said) {
            Some(text) => Resume::Modify { text },
            None if given == confirm::Confirmation::Negative
                && !another::repeats(said.text, request)
                && !is_another(said, &[request, &waiting.request])
                && !another::changes_another(said.text, &prompt) =>
            {
                Resume::No
            }
            None => Resume::New,
        },
    }
}

/// Returns what follows a no and a comma.
fn behind_no(text: &str) -> Option<&str> {
    let (first, rest) = text.split_once(',')?;
    let no = ["no", "nope", "nah"].contains(&first.trim().to_lowercase().as_str());
    no.then(|| rest.trim()).filter(|rest| !rest.is_empty())
}

/// Returns the end of an answer that puts itself right: "Smith – no, Miller". Returns `None` for an answer in free words,
/// and if the end answers nothing.
fn put_right(said: &Utterance<'_>, question: &Question) -> Option<String> {
    let free = question.answer == AnswerKind::Text;
    let after = frames::behind_repair(said).filter(|_| !free)?;
    let text = after.as_str();
    let answers = answer(
        &Utterance { text, ..*said },
        question.answer,
        &question.choices,
    );
    (answers.is_some() || takes_back(text)).then_some(after)
}

/// Returns whether a yes is about nothing but the steps that wait: "yes, email Bob" does not approve the deletion that
/// the same request asks for beside the mail.
fn approves_what_waits(said: &Utterance<'_>, waiting: &Plan) -> bool {
    let waits = |step: &&Step| matches!(step.state, StepState::NeedsApproval { .. });
    let effects = waiting
        .steps
        .iter()
        .filter(|step| !said.only_reads(&step.draft.tool))
        .count();
    let asked: Vec<&str> = waiting
        .steps
        .iter()
        .filter(waits)
        .map(|step| step.draft.say.as_str())
        .collect();
    effects <= asked.len().max(1)
        || asked.is_empty()
        || confirm::answer(said.text, Some(&asked.join("\n"))) == confirm::Confirmation::Affirmative
}

/// Returns whether a reply that sounds like a no is a request about something else: "cancel the lunch" while the
/// deletion of the review waits.
fn is_another(said: &Utterance<'_>, waiting: &[&str]) -> bool {
    another::names_another(said.text, waiting) && frames::alone(said)
}

fn to_question(said: &Utterance<'_>, request: &str, waiting: &Plan, question: &Question) -> Resume {
    let text_wanted = question.answer == AnswerKind::Text;
    let asked_before = asked_before(said, question);
    if commands_another(said, (request, waiting, question)) {
        return Resume::New;
    }
    // The person said something else since the question: a message that makes sense by itself is no answer to it.
    if asked_before && (frames::alone(said) || goes_on(said)) {
        return Resume::New;
    }
    // "Did you mean …?" is answered with yes or no.
    let whether = question.answer == AnswerKind::Choice && question.choices.len() == 1;
    if let [only] = question.choices.as_slice()
        && !asked_before
        && confirm::answer(said.text, Some(&question.text)) == confirm::Confirmation::Affirmative
    {
        return Resume::Answer(only.value.clone());
    }
    let dropped = !text_wanted
        && !asked_before
        && confirm::answer(said.text, Some(&question.text)) == confirm::Confirmation::Negative
        && !is_another(said, &[request, &waiting.request, &question.text]);
    if dropped && (whether || question.answer != AnswerKind::Choice) {
        return Resume::Abandon;
    }
    // The new time of a move may be a time of day alone: planning again keeps the day of the thing to be moved.
    if matches!(question.slot.as_str(), "/changes/start" | "/changes/due")
        && answer::moment(said, None).is_some()
        && (answer::is_only_a_time(said) || !frames::alone(said))
    {
        let to = said.text.trim().trim_end_matches(['.', '!']);
        let to = ["to ", "at ", "on "]
            .iter()
            .find_map(|lead| to.strip_prefix(lead))
            .unwrap_or(to);
        return Resume::Modify {
            text: format!(
                "{} to {to}",
                request.trim().trim_end_matches(['.', '!', '?'])
            ),
        };
    }
    let day = waiting
        .steps
        .iter()
        .find(|step| step.draft.question.as_ref() == Some(question))
        .and_then(|step| step.draft.args.pointer(&question.slot))
        .and_then(Value::as_str)
        .and_then(|text| text.parse().ok());
    let given = match question.answer {
        AnswerKind::Moment => answer::moment(said, day.as_ref()),
        AnswerKind::Choice => answer(said, question.answer, &question.choices).or_else(|| {
            // "No, the second one".
            let text = behind_no(said.text)?;
            let rest = Utterance { text, ..*said };
            answer(&rest, question.answer, &question.choices)
        }),
        kind => answer(said, kind, &question.choices),
    };
    // A start that is only a day: plan the request again with it, which asks for the hour if necessary.
    if let Some(value) = &given
        && question.slot == "/start"
        && value
            .as_str()
            .is_some_and(|text| matches!(text.parse(), Ok(Moment::Day(_))))
        && let Some(text) = frames::restated(request, said)
    {
        return Resume::Modify { text };
    }
    // A complete request is no answer, unless the question asks for free text, which is taken as it is, or for a
    // choice, or the reply is only a time.
    if let Some(value) = given
        && (text_wanted
            || question.answer == AnswerKind::Choice
            || question.answer == AnswerKind::Moment && answer::is_only_a_time(said)
            || !frames::alone(said))
    {
        return Resume::Answer(value);
    }
    // "No" to several choices: none of them.
    if dropped {
        return Resume::Abandon;
    }
    if frames::alone(said) {
        return Resume::New;
    }
    match changed(request, said) {
        Some(text) => Resume::Modify { text },
        None => Resume::New,
    }
}

/// Returns whether a reply is a command about something that the question is not about: "move the dentist to Friday at 3"
/// while it is asked at what time lunch shall be. Its words may also fit the question, but they are not its answer.
fn commands_another(
    said: &Utterance<'_>,
    (request, waiting, question): (&str, &Plan, &Question),
) -> bool {
    let mut asked = vec![
        request.to_owned(),
        waiting.request.clone(),
        question.text.clone(),
    ];
    asked.extend(question.choices.iter().map(Choice::line));
    let asked = asked.join("\n");
    // "Put it on Saturday" changes what waits.
    let another = |text: &str| {
        another::commands_another(text, &asked)
            && (frames::alone(said) || changed(request, said).is_none())
    };
    match question.answer {
        // What a time is asked for may be said with a verb: "make it 4pm".
        AnswerKind::Moment => another(&answer::without_times(said)),
        // A text may begin with any verb. Only the name of an event is hardly a complete command.
        AnswerKind::Text => {
            question.slot == "/summary" && another(said.text) && frames::complete(said)
        }
        AnswerKind::Minutes | AnswerKind::People | AnswerKind::Choice => another(said.text),
    }
}

/// Returns whether a reply continues what was asked after the question: "and on Saturday?".
fn goes_on(said: &Utterance<'_>) -> bool {
    let low = said.text.trim().to_lowercase();
    let leads = ["and ", "what about ", "how about ", "only ", "just "];
    (low.ends_with('?') || leads.iter().any(|lead| low.starts_with(lead)))
        && frames::plan(said).is_some()
}

/// Returns whether something else was answered since the question was asked. Such an answer ends by naming what is
/// still open. If the last answer has the question in any other form, it has just asked it.
fn asked_before(said: &Utterance<'_>, question: &Question) -> bool {
    let last = said.history.iter().rev();
    let mut last = last.filter(|message| message.role == Role::Assistant);
    last.next().is_some_and(|answer| {
        let reminds = format!("Still open: {}", question.text);
        !answer.text.contains(&question.text) || answer.text.contains(&reminds)
    })
}

/// Returns the request with the changes of a reply, or `None` if the reply changes nothing.
fn changed(request: &str, said: &Utterance<'_>) -> Option<String> {
    let read = |text: &str| frames::restated(request, &Utterance { text, ..*said });
    let plain = read(said.text);
    plain.or_else(|| {
        // "Oh, and add … Then it may go out": the changed request is asked about again anyway.
        let text = frames::without_go_ahead(said).unwrap_or_else(|| said.text.to_owned());
        let text = text.as_str();
        let bare = frames::without_heard(&Utterance { text, ..*said });
        read(text).or_else(|| read(&bare?))
    })
}

/// Returns whether no step of the plan has changed anything, so that the plan may be made again.
fn untouched(said: &Utterance<'_>, waiting: &Plan) -> bool {
    waiting.steps.iter().all(|step| {
        matches!(
            step.state,
            StepState::Next | StepState::NeedsApproval { .. } | StepState::NeedsAnswer { .. }
        ) || said.only_reads(&step.draft.tool)
    })
}

/// Returns the words of a reply in lower case, without politeness and punctuation, or an empty string for a long reply.
fn core(text: &str) -> String {
    /// Maximum length of a reply that can be one phrase, in bytes.
    const PHRASE_BYTES_MAX: usize = 120;
    if text.len() > PHRASE_BYTES_MAX {
        return String::new();
    }
    let low = text.to_lowercase().replace('\u{2019}', "'");
    low.split_whitespace()
        .map(|word| word.trim_matches([',', '.', '!', '?', '…']))
        .filter(|word| {
            !matches!(
                *word,
                "please" | "adjutant" | "thanks" | "sorry" | "then" | ""
            )
        })
        .collect::<Vec<_>>()
        .join(" ")
}

/// Reads a typed answer. Returns `None` if it does not answer the question.
#[must_use]
pub fn answer(said: &Utterance<'_>, kind: AnswerKind, choices: &[Choice]) -> Option<Value> {
    answer::read(said, kind, choices)
}

#[cfg(test)]
mod tests;
