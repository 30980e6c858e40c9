//! Whether a reply names something that does not wait.

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
    // A no, and what is done to what waits.
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
    // What may wait.
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

/// Whether a reply has a word for something that `waiting`, the words of what waits, do not speak of.
pub(super) fn names_another(reply: &str, waiting: &[&str]) -> bool {
    let known: BTreeSet<String> = waiting.iter().flat_map(|text| words(text)).collect();
    words(reply).any(|word| !NAMELESS.contains(&word.as_str()) && !known.contains(&word))
}

fn words(text: &str) -> impl Iterator<Item = String> + '_ {
    text.split(|c: char| !c.is_alphanumeric() && !matches!(c, '\'' | '\u{2019}'))
        .filter(|word| !word.is_empty())
        .map(|word| word.to_lowercase().replace('\u{2019}', "'"))
}

#[cfg(test)]
mod tests {
    use super::names_another;

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
            ("No thanks!", false),
            ("don\u{2019}t delete it", false),
        ] {
            assert_eq!(names_another(reply, &waiting), another, "{reply}");
        }
    }
}
