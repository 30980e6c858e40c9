//! Plain conversation: greetings, thanks, who Adjutant is, and honesty about the rest.

use adjutant_domain::plan::{PlanDraft, StepDraft};
use adjutant_domain::reading::Utterance;
use adjutant_domain::route::{Domain, Route};
use adjutant_domain::source::{Source, Sources};
use adjutant_text::message::{Kind, Language, Text, language};
use serde_json::json;

use super::clause::{Unread, Why};

/// Words of a message that is only conversation.
const WORDS_MAX: usize = 14;

const ABILITIES: &str = "I keep your calendar, mail, tasks, notes, contacts and what you ask me to remember, here on this computer. \
For example: “What is on tomorrow?”, “Move my meeting with Ana to Friday at 10”, “Remind me to call the dentist at 3”, \
“Find mails from Bob about the budget”, “Reply to Kim that I will be late”, “Remember that my locker code is 4711”. \
I ask before anything is deleted, changed in your calendar or sent.";

/// An answer, where the whole message is plain conversation.
pub(super) fn answer(utterance: &Utterance<'_>) -> Option<String> {
    let read = Text::read(utterance.text);
    if language(&read) == Language::Other {
        return Some("I understand only English so far. Please say it in English.".to_owned());
    }
    let words: Vec<&str> = read
        .tokens
        .iter()
        .filter(|token| matches!(token.kind, Kind::Word | Kind::Number))
        .map(|token| token.word.as_str())
        .collect();
    if words.is_empty() {
        return Some("I am here. What can I do for you?".to_owned());
    }
    if words.len() > WORDS_MAX {
        return None;
    }
    let core = core(&words);
    let text = core.join(" ");
    Some(match text.as_str() {
        "" => greeting(&words, utterance),
        "how are you" | "how are you doing" | "how is it going" | "how do you do" | "what is up" | "are you ok" | "are you there" | "how are things" | "are you awake" | "how have you been" | "sup" | "how was your day" | "how is your day" | "how are you feeling" => "All is well here, thank you. What can I do for you?".to_owned(),
        "thanks" | "thank you" | "many thanks" | "thank you so much" | "thank you very much" | "thanks a lot" | "cheers" | "much appreciated" | "i appreciate it" | "that was helpful" | "you are great" | "you are the best" | "good job" | "well done" | "nice work" | "great work" | "perfect" | "awesome" | "that is great" | "that is perfect" | "great job" | "you rock" | "good work" | "i love you" | "that is helpful" | "very helpful" | "amazing" | "brilliant" | "excellent" | "wonderful" => "You are welcome.".to_owned(),
        "who are you" | "what are you" | "what is your name" | "are you a bot" | "are you human" | "are you a robot" | "are you an ai" | "are you chatgpt" | "who made you" | "introduce yourself" | "tell me about yourself" | "are you real" | "what model are you" | "are you a person" | "do you have a name" | "who am i talking to" | "which model are you" => {
            "I am Adjutant, your assistant on this computer. I am working with my embedded engine: no model, no network.".to_owned()
        }
        "what can you do" | "help" | "what can you do for me" | "how can you help" | "how can you help me" | "what do you do" | "how do you work" | "what are your features" | "what can i ask" | "what can i ask you" | "what can i say" | "what else can you do" | "what are you able to do" | "how does this work" | "i need help" | "can you help me" | "what can adjutant do" | "show me what you can do" | "how do i use this" | "how do i use you" | "what should i ask" | "commands" | "what are your abilities" | "what are you good at" | "can you help" | "help me" => ABILITIES.to_owned(),
        "bye" | "goodbye" | "see you" | "see you later" | "good night" | "see you tomorrow" | "talk to you later" | "bye bye" | "have a nice day" | "have a good day" | "ciao" | "take care" | "have a good one" | "have a great day" | "good bye" | "talk later" => "Until later.".to_owned(),
        "never mind" | "nevermind" | "forget it" | "stop" | "nothing" | "cancel that" if utterance.focus.shown.is_empty() && text != "cancel that" => "All right.".to_owned(),
        "sorry" | "my bad" | "i am sorry" | "apologies" | "my apologies" => "No harm done.".to_owned(),
        "tell me a joke" | "do you know a joke" | "make me laugh" | "tell a joke" => "I have no jokes to tell: I only know what is in your calendar, mail, tasks and notes.".to_owned(),
        "what time is it" | "what is the time" | "what is the time now" | "what time is it now" | "do you have the time" | "current time" | "time" | "tell me the time" | "what is the current time" => format!("It is {}.", utterance.now.strftime("%H:%M, %A %-d %B %Y")),
        "what day is it" | "what is the date" | "what is today" | "what date is it" | "what day is today" | "what is the date today" | "what is today s date" | "what day is it today" | "what is todays date" | "what is today 's date" | "what date is today" | "what date is it today" | "today s date" | "what is the day today" => format!("Today is {}.", utterance.now.strftime("%A, %-d %B %Y")),
        "i am bored" | "i am tired" | "i am sad" | "i am happy" | "i am stressed" | "i am hungry" | "i am overwhelmed" | "i feel sad" | "i had a bad day" | "i am having a bad day" | "i am exhausted" | "i am lonely" => "I hear you. If it helps, I can show what is on today or take something off your mind with a task or a note.".to_owned(),
        "yes" | "no" | "ok" | "okay" | "sure" | "yep" | "nope" => "There is nothing waiting for an answer.".to_owned(),
        "it is nice to meet you" | "nice to meet you" | "pleased to meet you" => "Nice to meet you too.".to_owned(),
        _ => return None,
    })
}

/// Whether the message takes back what was done last.
pub(super) fn is_undo(utterance: &Utterance<'_>) -> bool {
    let read = Text::read(utterance.text);
    let words: Vec<&str> = read
        .tokens
        .iter()
        .filter(|token| token.kind == Kind::Word)
        .take(WORDS_MAX + 1)
        .map(|token| token.word.as_str())
        .collect();
    const POLITE: &[&str] = &[
        "can", "could", "you", "i", "want", "to", "would", "like", "actually", "no", "wait",
        "quickly",
    ];
    let core = core(&words);
    let core: Vec<&str> = core
        .iter()
        .copied()
        .skip_while(|word| POLITE.contains(word))
        .collect();
    // "I didn't mean that, undo it": a remark in front changes nothing.
    let remark = words.len() <= WORDS_MAX
        && matches!(
            words.as_slice(),
            [
                "i" | "that" | "this" | "oops" | "sorry" | "no" | "wait" | "my" | "not" | "wrong",
                ..
            ]
        );
    if remark
        && (core.ends_with(&["undo", "it"])
            || core.ends_with(&["undo", "that"])
            || core.ends_with(&["undo"]))
    {
        return true;
    }
    matches!(
        core.join(" ").as_str(),
        "undo"
            | "undo that"
            | "undo it"
            | "undo this"
            | "revert that"
            | "revert it"
            | "revert this"
            | "revert"
            | "take that back"
            | "take it back"
            | "undo the last action"
            | "undo the last change"
            | "undo the last one"
            | "undo last action"
            | "undo last change"
            | "revert the last change"
            | "revert the last action"
            | "undo what you did"
            | "undo what you just did"
            | "undo my last action"
            | "undo my last change"
            | "undo the change"
            | "reverse that"
            | "reverse it"
            | "put it back"
            | "put that back"
            | "change it back"
            | "roll that back"
            | "roll it back"
            | "undo the deletion"
            | "undo my last request"
            | "undo the last thing"
            | "undo the last thing you did"
            | "revert the change"
            | "roll back"
    )
}

/// The message without greetings, names and politeness around it.
fn core<'w>(words: &[&'w str]) -> Vec<&'w str> {
    const FRONT: &[&str] = &[
        "hey",
        "hi",
        "hello",
        "hiya",
        "yo",
        "ok",
        "okay",
        "so",
        "well",
        "adjutant",
        "there",
        "oh",
        "and",
        "please",
        "um",
        "ah",
        "again",
        "dear",
        "great",
        "cool",
        "right",
        "alright",
        "greetings",
        "howdy",
        "just",
        "lol",
        "haha",
        "hmm",
        "wow",
    ];
    const BACK: &[&str] = &[
        "adjutant", "please", "today", "then", "now", "lol", "haha", "exactly", "buddy", "mate",
        "friend", "again", "everyone", "all", "man", "dude", "anyway", "right",
    ];
    const DAY: &[&str] = &["morning", "afternoon", "evening", "day"];
    let mut rest = words;
    loop {
        match rest {
            ["good", part, after @ ..] if DAY.contains(part) => rest = after,
            [only] if matches!(*only, "morning" | "evening" | "afternoon") => rest = &[],
            [word, after @ ..]
                if FRONT.contains(word)
                    && !(after.is_empty() && matches!(*word, "ok" | "okay")) =>
            {
                rest = after
            }
            [before @ .., word]
                if BACK.contains(word) && !before.is_empty() && !(before.ends_with(&["is"])) =>
            {
                rest = before
            }
            _ => return rest.to_vec(),
        }
    }
}

fn greeting(words: &[&str], utterance: &Utterance<'_>) -> String {
    let part = words
        .iter()
        .find(|word| matches!(**word, "morning" | "afternoon" | "evening"));
    let hello = part.map_or_else(|| "Hello".to_owned(), |part| format!("Good {part}"));
    let name = utterance
        .settings
        .owner
        .name
        .split_whitespace()
        .next()
        .unwrap_or("");
    let name = if name.is_empty() {
        String::new()
    } else {
        format!(", {name}")
    };
    format!("{hello}{name}. What can I do for you?")
}

/// A plan for a sum, said in words the calculator reads.
pub(super) fn sum(text: &str) -> PlanDraft {
    let words = text.trim();
    let step = StepDraft {
        say: format!("Work out {words}"),
        tool: "calc.evaluate".to_owned(),
        args: json!({ "text": words }),
        sources: Sources::from([(
            "/text".to_owned(),
            Source::Person {
                words: Some(words.to_owned()),
            },
        )]),
        ..StepDraft::default()
    };
    PlanDraft {
        request: format!("Work out {words}"),
        steps: vec![step],
    }
}

/// The message is too long to be a request.
pub(super) fn too_long() -> String {
    "That is too long for me to read as a request. Please say what to do in a few sentences; longer text can be saved as a file and searched.".to_owned()
}

/// An honest sentence: what was not understood, and what can be done instead.
pub(super) fn not_understood(utterance: &Utterance<'_>, route: &Route, unread: &Unread) -> String {
    match &unread.why {
        Why::CanNot(text) => text.clone(),
        Why::What("referent") => "I am not sure what that refers to. Please name it, for example by its title or the person.".to_owned(),
        Why::What("kind") => "I am not sure what kind of thing that is. Please say whether it is a task, an event, a mail or a note.".to_owned(),
        Why::What("when") => "I could not tell when that should be. Please give a day and a time, for example “Friday at 3pm”.".to_owned(),
        Why::What("who") => "I could not tell who is meant. Please give a name or a mail address.".to_owned(),
        Why::What("label") => "Which label should it get? Please say it in one sentence, for example “label mails from Bob as travel”.".to_owned(),
        Why::What("where") => "Where should it go? Mail can be moved to the inbox, the archive, junk or the trash.".to_owned(),
        Why::What("fact") => "What should I remember? For example: “Remember that my locker code is 4711”.".to_owned(),
        Why::What(_) => "I understood only a part of that. What should it be done to? For example “cancel my meeting with Ana tomorrow”.".to_owned(),
        Why::Words(words) if words.trim().is_empty() => {
            format!("I did not understand that, so I have done nothing. {ABILITIES}")
        }
        Why::Words(words) if is_question(utterance.text) && (route.domains.is_empty() || route.domains == [Domain::Research]) => {
            let _ = words;
            format!("I don't know that: it needs a model or a source, and I am working without either. {ABILITIES}")
        }
        Why::Words(words) if !route.domains.is_empty() => {
            format!("I did not understand “{}”, so I have done nothing. Please say it in other words, or in smaller steps.", shorten(words))
        }
        Why::Words(_) | Why::Nothing => format!("I did not understand that, so I have done nothing. {ABILITIES}"),
    }
}

fn is_question(text: &str) -> bool {
    let low = text.trim().to_lowercase();
    low.ends_with('?')
        || [
            "what",
            "who",
            "when",
            "where",
            "why",
            "how",
            "which",
            "is ",
            "are ",
            "do ",
            "does ",
            "can ",
            "tell me",
            "explain",
            "write me a",
            "define",
        ]
        .iter()
        .any(|word| low.starts_with(word))
}

fn shorten(words: &str) -> String {
    const CHARS_MAX: usize = 120;
    if words.chars().count() <= CHARS_MAX {
        return words.to_owned();
    }
    words.chars().take(CHARS_MAX).chain(['…']).collect()
}
