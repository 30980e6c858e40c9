//! Finds politeness and filler before a request ("hey, could you please …"), and words that join two requests.

use std::sync::LazyLock;

use super::Text;
use super::pattern::{Builder, Line, PatternSet};

/// Tags of the patterns in `openers.txt`, `joins.txt` and `closers.txt`.
const OPENER: u16 = 0;
const JOIN: u16 = 1;
const CLOSER: u16 = 2;

/// Maximum number of cells to search for politeness.
const CELLS_MAX: usize = 2048;

static PHRASES: LazyLock<PatternSet> = LazyLock::new(|| {
    Builder::default()
        .file(OPENER, include_str!("../../data/text/openers.txt"))
        .file(JOIN, include_str!("../../data/text/joins.txt"))
        .file(CLOSER, include_str!("../../data/text/closers.txt"))
        .build()
        .0
});

/// Marks clause starts, sentence starts and polite endings in a line that was prepared for any pattern set.
pub fn mark(text: &Text<'_>, line: &mut Line) {
    let own = PHRASES.line(text, CELLS_MAX);
    let hits = PHRASES.find(&own);
    let longest = |cell: usize, tag: u16| {
        let from = hits.partition_point(|hit| hit.cells.start < cell);
        hits[from..]
            .iter()
            .take_while(|hit| hit.cells.start == cell)
            .filter(|hit| PHRASES.patterns[hit.pattern].tag == tag)
            .map(|hit| hit.cells.end)
            .max()
    };
    line.mark_starts(
        |_, cell| longest(cell, OPENER),
        |_, cell| longest(cell, JOIN),
    );
    let mut closing = vec![false; line.cells.len()];
    for hit in &hits {
        if PHRASES.patterns[hit.pattern].tag == CLOSER {
            for flag in closing.iter_mut().take(hit.cells.end).skip(hit.cells.start) {
                *flag = true;
            }
        }
    }
    line.mark_tails(|_, cell| closing.get(cell).copied().unwrap_or(false));
}

/// Returns the first token of the request itself in a sentence, after politeness. Returns 0 if there is no such
/// sentence.
#[must_use]
pub fn core_start(text: &Text<'_>, sentence: usize) -> usize {
    let Some(tokens) = text.sentences.get(sentence) else {
        return 0;
    };
    let mut line = PHRASES.line(text, CELLS_MAX);
    mark(text, &mut line);
    line.cells
        .iter()
        .filter(|cell| cell.sentence == sentence && cell.sentence_start)
        .map(|cell| cell.tokens.start)
        .max()
        .unwrap_or(tokens.start)
}

#[cfg(test)]
pub(super) fn data_errors() -> Vec<String> {
    Builder::default()
        .file(OPENER, include_str!("../../data/text/openers.txt"))
        .file(JOIN, include_str!("../../data/text/joins.txt"))
        .file(CLOSER, include_str!("../../data/text/closers.txt"))
        .build()
        .1
}
