//! Runs the program with bounded backtracking, from every cell that a pattern can begin at.

use std::ops::Range;

use super::compile::Inst;
use super::{Line, PatternSet};

/// One place where a pattern matches.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hit {
    /// Index into [`PatternSet::patterns`].
    pub pattern: usize,
    /// Cells that the match covers.
    pub cells: Range<usize>,
    /// Cells whose content is only a value (an opaque gap or rest), if any.
    pub opaque: Option<Range<usize>>,
    /// True if the opaque part may end early, where another request begins.
    pub soft: bool,
}

/// Maximum number of steps for one pattern from one cell; enough for two long gaps.
const STEPS_MAX: usize = 3000;

/// Maximum number of hits to keep for a message.
const HITS_MAX: usize = 2048;

#[derive(Clone, Copy)]
struct Thread {
    at: u32,
    cell: usize,
    open: usize,
    close: usize,
    soft: bool,
}

const UNSET: usize = usize::MAX;

impl PatternSet {
    /// Returns every pattern at every cell where it matches, in order of cells.
    #[must_use]
    pub fn find(&self, line: &Line) -> Vec<Hit> {
        let mut hits = Vec::new();
        let mut stack = Vec::with_capacity(64);
        for start in 0..line.cells.len() {
            self.find_at(line, start, &mut stack, &mut hits);
            if hits.len() >= HITS_MAX {
                hits.truncate(HITS_MAX);
                break;
            }
        }
        hits
    }

    /// Returns every pattern that matches from `start`.
    #[must_use]
    pub fn at(&self, line: &Line, start: usize) -> Vec<Hit> {
        let mut hits = Vec::new();
        if start < line.cells.len() {
            self.find_at(line, start, &mut Vec::new(), &mut hits);
        }
        hits
    }

    fn find_at(&self, line: &Line, start: usize, stack: &mut Vec<Thread>, hits: &mut Vec<Hit>) {
        let cell = &line.cells[start];
        let end = line.sentence_of(start).end;
        let by_exact = self.first_word.of(cell.exact);
        let by_base = self.first_word.of(cell.base);
        let second = if cell.base == cell.exact {
            &[][..]
        } else {
            by_base
        };
        for &number in by_exact.iter().chain(second).chain(&self.first_any) {
            self.run(line, number, start..end, stack, hits);
        }
        for &(mask, number) in &self.first_kind {
            if mask & cell.kinds != 0 {
                self.run(line, number, start..end, stack, hits);
            }
        }
    }

    fn run(
        &self,
        line: &Line,
        number: u32,
        bounds: Range<usize>,
        stack: &mut Vec<Thread>,
        hits: &mut Vec<Hit>,
    ) {
        let pattern = number as usize;
        stack.clear();
        stack.push(Thread {
            at: self.patterns[pattern].entry,
            cell: bounds.start,
            open: UNSET,
            close: UNSET,
            soft: false,
        });
        let mut steps = 0;
        while let Some(mut thread) = stack.pop() {
            loop {
                steps += 1;
                if steps > STEPS_MAX {
                    return;
                }
                if matches!(self.program[thread.at as usize], Inst::Match) {
                    if thread.cell > bounds.start {
                        push(hits, pattern, bounds.start, &thread);
                    }
                    return;
                }
                if !self.step(line, bounds.end, &mut thread, stack) {
                    break;
                }
            }
        }
    }

    /// Executes one instruction. Returns false if the thread dies.
    fn step(&self, line: &Line, end: usize, thread: &mut Thread, stack: &mut Vec<Thread>) -> bool {
        let cell = line.cells.get(thread.cell).filter(|_| thread.cell < end);
        let takes = match self.program[thread.at as usize] {
            Inst::Split(a, b) => {
                stack.push(Thread { at: b, ..*thread });
                thread.at = a;
                return true;
            }
            Inst::Jump(to) => {
                thread.at = to;
                return true;
            }
            Inst::ClauseStart => return keep(thread, cell.is_some_and(|c| c.clause_start)),
            Inst::SentenceStart => return keep(thread, cell.is_some_and(|c| c.sentence_start)),
            Inst::End => return keep(thread, cell.is_none_or(|c| c.tail)),
            Inst::OpaqueOpen => {
                thread.open = thread.cell;
                return keep(thread, true);
            }
            Inst::OpaqueClose => {
                thread.close = thread.cell;
                return keep(thread, true);
            }
            Inst::Rest(hard) => {
                thread.soft = !hard;
                thread.open = thread.cell;
                thread.close = end;
                return keep(thread, true);
            }
            Inst::Match => return false,
            Inst::Word(word) => cell.is_some_and(|c| c.exact == word || c.base == word),
            Inst::Exact(word) => cell.is_some_and(|c| c.exact == word),
            Inst::Set(set) => cell.is_some_and(|c| {
                self.sets.get(set as usize).is_some_and(|words| {
                    words.binary_search(&c.exact).is_ok() || words.binary_search(&c.base).is_ok()
                })
            }),
            Inst::Kind(mask) => cell.is_some_and(|c| c.kinds & mask != 0),
            Inst::Any => cell.is_some(),
        };
        thread.cell += usize::from(takes);
        keep(thread, takes)
    }
}

fn keep(thread: &mut Thread, alive: bool) -> bool {
    thread.at += 1;
    alive
}

fn push(hits: &mut Vec<Hit>, pattern: usize, start: usize, thread: &Thread) {
    let opaque = (thread.open != UNSET && thread.close > thread.open && thread.close != UNSET)
        .then_some(thread.open..thread.close);
    let cells = start..thread.cell;
    if hits
        .last()
        .is_some_and(|last| last.pattern == pattern && last.cells == cells)
    {
        return;
    }
    hits.push(Hit {
        pattern,
        cells,
        opaque,
        soft: thread.soft,
    });
}
