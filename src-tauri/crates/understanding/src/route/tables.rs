//! The phrase tables, compiled once at first use.

use std::sync::LazyLock;

use adjutant_text::message::pattern::{Builder, PatternSet};

use super::{Domain, Topic};

/// Topics in the order of their tags.
pub(super) const TOPICS: [Topic; 11] = [
    Topic::Domain(Domain::Task),
    Topic::Domain(Domain::Calendar),
    Topic::Domain(Domain::Email),
    Topic::Domain(Domain::Note),
    Topic::Domain(Domain::Memory),
    Topic::Domain(Domain::Files),
    Topic::Domain(Domain::Data),
    Topic::Domain(Domain::Calc),
    Topic::Domain(Domain::Research),
    Topic::Chat,
    Topic::Nowhere,
];

/// Tag of the chat table.
pub(super) const CHAT: usize = 9;

/// Tag of the follow-up table; it is evidence for no topic.
pub(super) const FOLLOW: usize = 11;

/// Tag of the words that make a sentence conditional.
pub(super) const CONDITION: u16 = 12;

pub(super) static TABLES: LazyLock<PatternSet> = LazyLock::new(|| builder().build().0);

pub(super) fn builder() -> Builder {
    Builder::default()
        .file(0, include_str!("../../data/route/classes.txt"))
        .file(0, include_str!("../../data/route/task.txt"))
        .file(1, include_str!("../../data/route/calendar.txt"))
        .file(2, include_str!("../../data/route/email.txt"))
        .file(3, include_str!("../../data/route/note.txt"))
        .file(4, include_str!("../../data/route/memory.txt"))
        .file(5, include_str!("../../data/route/files.txt"))
        .file(6, include_str!("../../data/route/data.txt"))
        .file(7, include_str!("../../data/route/calc.txt"))
        .file(8, include_str!("../../data/route/research.txt"))
        .file(9, include_str!("../../data/route/chat.txt"))
        .file(10, include_str!("../../data/route/nowhere.txt"))
        .file(11, include_str!("../../data/route/follow.txt"))
        .file(
            CONDITION,
            "1 ^^ (if | when | whenever | unless | in case)\n1 (check | see) (if | whether)",
        )
        .known_words(include_str!("../../data/route/common.txt"))
}
