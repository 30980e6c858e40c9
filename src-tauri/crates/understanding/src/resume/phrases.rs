//! Recognizes replies that are one phrase: those that drop a request, those that undo the last one, and those that
//! decide nothing about it.

use std::sync::LazyLock;

use adjutant_text::message::pattern::{Builder, PatternSet};
use adjutant_text::message::{Text, filler};

const DROP: u16 = 0;
const UNDECIDED: u16 = 1;
const UNDO: u16 = 2;

/// Maximum number of tokens of such a reply.
const TOKENS_MAX: usize = 20;

static PHRASES: LazyLock<PatternSet> = LazyLock::new(|| builder().build().0);

fn builder() -> Builder {
    let drop = include_str!("../../data/confirm/drop.txt");
    let undecided = include_str!("../../data/confirm/undecided.txt");
    let undo = include_str!("../../data/confirm/undo.txt");
    [(DROP, drop), (UNDECIDED, undecided), (UNDO, undo)]
        .into_iter()
        .fold(Builder::default(), |all, (tag, text)| all.file(tag, text))
}

/// Returns whether a reply drops what waits: "never mind".
pub(super) fn drops(reply: &str) -> bool {
    is(reply, DROP)
}

/// Returns whether a reply undoes the last thing: "undo that".
pub(super) fn undoes(reply: &str) -> bool {
    is(reply, UNDO)
}

/// Returns whether a reply decides nothing: "hmm, not sure".
pub(super) fn undecided(reply: &str) -> bool {
    is(reply, UNDECIDED)
}

fn is(reply: &str, tag: u16) -> bool {
    let text = Text::read(reply);
    if text.cut || text.tokens.len() > TOKENS_MAX || !text.quotes.is_empty() {
        return false;
    }
    let mut line = PHRASES.line(&text, TOKENS_MAX + 1);
    line.keep_forms();
    filler::mark(&text, &mut line);
    let hits = PHRASES.find(&line);
    let whole = |cells: &std::ops::Range<usize>| cells.end >= line.cells.len();
    hits.iter()
        .any(|hit| PHRASES.patterns[hit.pattern].tag == tag && whole(&hit.cells))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tables_have_no_errors() {
        assert_eq!(builder().build().1, Vec::<String>::new());
    }

    #[test]
    fn a_phrase_is_the_whole_reply() {
        for reply in [
            "never mind",
            "oh forget it",
            "cancel",
            "cancel both of them",
            "scrap that",
            "drop it",
            "don't bother",
            "dont do it",
            "I changed my mind",
            "leave it",
            "stop all of it",
            "nvm",
            "cancel the whole thing",
            "no longer needed",
            "let it be",
            "skip them",
            "quit",
        ] {
            assert!(drops(reply), "{reply}");
        }
        for reply in [
            "cancel the lunch",
            "cancel everything tomorrow",
            "drop the mail",
            "forget my code",
            "stop reminding me",
            "cancel \"it\"",
            "no",
            "yes",
            "",
            "leave",
        ] {
            assert!(!drops(reply), "{reply}");
        }
        for reply in [
            "undo",
            "undo that",
            "oops undo it",
            "please undo the last change",
            "take that back",
            "no revert that",
        ] {
            assert!(undoes(reply) && !drops(reply), "{reply}");
        }
        for reply in ["undo the lunch", "take the lunch back", "do that", "cancel"] {
            assert!(!undoes(reply), "{reply}");
        }
        for reply in [
            "not sure",
            "hmm, I'm not so sure yet",
            "I don't know",
            "dunno",
            "let me think about it",
            "wait",
            "hold on a second",
            "hmm",
            "one moment",
            "it depends",
            "I haven't decided yet",
            "well, maybe",
            "give me a minute",
            "I'll think about it",
            "can't decide",
            "just a sec",
        ] {
            assert!(undecided(reply), "{reply}");
        }
        for reply in [
            "not sure, ask Ana",
            "maybe Friday",
            "wait for Ana",
            "yes",
            "no",
            "I know",
            "let me see my tasks",
        ] {
            assert!(!undecided(reply), "{reply}");
        }
    }
}
