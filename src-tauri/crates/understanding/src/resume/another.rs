//! Decides whether a reply names something other than what waits.

use std::collections::BTreeSet;

/// Words that name nothing of their own: they refer to whatever waits.
const NAMELESS: &[&str] = &[
    // Small words.
    "a",
    "an",
    "the",
    "my",
    "our",
    "your",
    "his",
    "her",
    "their",
    "its",
    "this",
    "that",
    "these",
    "those",
    "it",
    "them",
    "him",
    "me",
    "us",
    "you",
    "i",
    "we",
    "one",
    "all",
    "any",
    "every",
    "both",
    "everything",
    "anything",
    "with",
    "on",
    "at",
    "for",
    "of",
    "to",
    "from",
    "in",
    "by",
    "and",
    "or",
    "so",
    "but",
    "is",
    "be",
    "was",
    "up",
    "out",
    "off",
    "then",
    "now",
    "just",
    "please",
    "thanks",
    "thank",
    "sorry",
    "ok",
    "okay",
    "well",
    "oh",
    "hey",
    "actually",
    "really",
    "whole",
    "thing",
    "things",
    "entire",
    "way",
    // Refusals, and verbs for what happens to the thing that waits.
    "no",
    "not",
    "nope",
    "nah",
    "don't",
    "dont",
    "do",
    "never",
    "mind",
    "cancel",
    "stop",
    "drop",
    "decline",
    "reject",
    "refuse",
    "deny",
    "delete",
    "remove",
    "forget",
    "skip",
    "discard",
    "scrap",
    "abort",
    "leave",
    "ignore",
    "undo",
    "keep",
    "hold",
    "wait",
    "quit",
    "send",
    "sending",
    "deletion",
    "deleting",
    "sent",
    // Things that may wait.
    "event",
    "events",
    "meeting",
    "meetings",
    "appointment",
    "appointments",
    "task",
    "tasks",
    "todo",
    "reminder",
    "reminders",
    "mail",
    "mails",
    "email",
    "emails",
    "message",
    "messages",
    "note",
    "notes",
    "contact",
    "contacts",
    "draft",
    "drafts",
    "request",
    "plan",
    "action",
    "actions",
    "change",
    "changes",
    "step",
    "steps",
    "approval",
];

/// Words that reach beyond one thing; together with a word that narrows them, they are a separate request.
const WIDE: &[&str] = &["all", "any", "every", "everything", "anything"];

/// Plurals of kinds of records: "cancel all my meetings" is about the calendar, not about what waits.
const MANY: &[&str] = &[
    "events",
    "meetings",
    "appointments",
    "tasks",
    "todos",
    "reminders",
    "mails",
    "emails",
    "messages",
    "notes",
    "contacts",
    "meeting",
    "event",
    "appointment",
    "task",
    "reminder",
    "email",
    "note",
];

/// Words before a command: "no, cancel …".
const OPENERS: &[&str] = &[
    "no", "nope", "nah", "not", "yes", "ok", "okay", "please", "well", "oh", "actually", "and",
    "but", "then", "now", "just", "also", "instead", "sorry", "hey", "can", "could", "would",
    "you", "wait", "hold", "on", "thanks",
];

/// Verbs that can begin a command, whether or not they can refuse something.
const COMMANDS: &[&str] = &[
    "cancel",
    "stop",
    "delete",
    "remove",
    "decline",
    "reject",
    "drop",
    "skip",
    "discard",
    "scrap",
    "forget",
    "clear",
    "undo",
    "move",
    "reschedule",
    "postpone",
    "show",
    "list",
    "find",
    "search",
    "add",
    "create",
    "make",
    "schedule",
    "book",
    "remind",
    "send",
    "email",
    "mail",
    "write",
    "reply",
    "forward",
    "archive",
    "rename",
    "invite",
    "remember",
    "note",
    "open",
    "read",
    "tell",
    "set",
    "mark",
    "complete",
    "finish",
    "change",
    "update",
    "put",
    "draft",
    "call",
    "push",
    "shift",
    "bring",
    "swap",
    "extend",
    "shorten",
    "star",
    "flag",
    "label",
    "ask",
    "block",
    "save",
];

/// Returns whether a reply is a command about something that `prompt`, the words of what waits, does not mention.
pub(super) fn commands_another(reply: &str, prompt: &str) -> bool {
    words(reply)
        .find(|word| !OPENERS.contains(&word.as_str()))
        .is_some_and(|first| COMMANDS.contains(&first.as_str()))
        && names_another(reply, &[prompt])
}

/// Returns whether a no continues with a change to something that `prompt` does not mention: "no, in Room 9", "no, call
/// Bob". It is then unclear what the person means, and what waits stays.
pub(super) fn changes_another(reply: &str, prompt: &str) -> bool {
    const LEADS: &[&str] = &["in", "at", "with", "to", "for", "by", "from"];
    let opened =
        |word: &String| OPENERS.contains(&word.as_str()) && !LEADS.contains(&word.as_str());
    let first = words(reply).skip(1).find(|word| !opened(word));
    let leads = first
        .is_some_and(|first| LEADS.contains(&first.as_str()) || COMMANDS.contains(&first.as_str()));
    leads && names_another(reply, &[prompt])
}

/// Returns whether a reply says the request that waits once more, whole or its beginning: "decline all hands" is no
/// refusal while "decline all hands" waits.
pub(super) fn repeats(reply: &str, request: &str) -> bool {
    let reply: Vec<String> = words(reply).collect();
    let mut request = words(request);
    reply.len() > 1
        && reply
            .iter()
            .all(|word| request.next().as_ref() == Some(word))
}

/// Returns whether a reply has a word for something that `waiting`, the words of what waits, does not mention.
pub(super) fn names_another(reply: &str, waiting: &[&str]) -> bool {
    let known: BTreeSet<String> = waiting.iter().flat_map(|text| words(text)).collect();
    let wide = words(reply).any(|word| WIDE.contains(&word.as_str()))
        && !known.iter().any(|word| WIDE.contains(&word.as_str()));
    if wide
        && words(reply)
            .any(|word| !NAMELESS.contains(&word.as_str()) || MANY.contains(&word.as_str()))
    {
        return true;
    }
    words(reply).any(|word| !NAMELESS.contains(&word.as_str()) && !known.contains(&word))
}

fn words(text: &str) -> impl Iterator<Item = String> + '_ {
    text.split(|c: char| !c.is_alphanumeric() && !matches!(c, '\'' | '\u{2019}'))
        .filter(|word| !word.is_empty())
        .map(|word| word.to_lowercase().replace('\u{2019}', "'"))
}

#[cfg(test)]
mod tests {
    use super::{names_another, repeats};

    #[test]
    fn what_waits_is_told_from_something_else() {
        let waiting = ["Delete the design review with Bob on Monday"];
        for (reply, another) in [
            ("cancel the lunch", true),
            ("decline the dinner on Wednesday", true),
            ("stop the reminder for rent", true),
            ("cancel the meeting on Friday", true),
            ("cancel the review", false),
            ("no, cancel that meeting with Bob", false),
            ("stop the deletion", false),
            ("cancel everything on monday", true),
            ("cancel everything tomorrow", true),
            ("delete all my meetings", true),
            ("cancel everything", false),
            ("cancel both", false),
            ("cancel all of them", false),
            ("No thanks!", false),
            ("don\u{2019}t delete it", false),
        ] {
            assert_eq!(names_another(reply, &waiting), another, "{reply}");
        }
    }

    #[test]
    fn a_request_said_again_is_told_from_a_refusal() {
        for (reply, request, again) in [
            ("Decline all hands.", "decline all hands", true),
            (
                "decline all hands",
                "decline all hands and tell Kim I am away",
                true,
            ),
            ("decline it", "decline all hands", false),
            ("cancel", "cancel the lunch", false),
        ] {
            assert_eq!(repeats(reply, request), again, "{reply}");
        }
    }
}
