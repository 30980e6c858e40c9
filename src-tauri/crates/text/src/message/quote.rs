//! Finds quoted text: names, titles and bodies that people want kept word for word.

use std::ops::Range;

use crate::fold::FoldedChar;

/// One quoted stretch of the original message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Quotation {
    /// Bytes including the quotation marks.
    pub outer: Range<usize>,
    /// Bytes between the quotation marks.
    pub inner: Range<usize>,
}

/// Maximum number of quotations to keep of a message.
const QUOTES_MAX: usize = 256;

/// Finds quoted stretches, outermost only. An apostrophe is not a quotation mark: a single mark opens only where no
/// letter or digit precedes it and closes only where none follows.
pub(super) fn find(folded: &[FoldedChar], source_len: usize) -> Vec<Quotation> {
    let closers = Closers::of(folded);
    let mut out = Vec::new();
    let mut at = 0;
    while at < folded.len() && out.len() < QUOTES_MAX {
        let Some(close) = opening(folded, at).and_then(|mark| closers.after(mark, at)) else {
            at += 1;
            continue;
        };
        let end = folded.get(close).map_or(source_len, |f| f.end);
        out.push(Quotation {
            outer: folded[at].start..end,
            inner: folded[at].end..folded[close].start,
        });
        at = close + 1;
    }
    out
}

#[derive(Clone, Copy)]
enum QuoteMark {
    Single,
    Double,
    Curly,
    Angle,
    Tick,
}

fn opening(folded: &[FoldedChar], at: usize) -> Option<QuoteMark> {
    let before_ok = at == 0 || !folded[at - 1].ch.is_alphanumeric();
    let next = folded.get(at + 1)?.ch;
    match folded[at].ch {
        '\'' if before_ok && !next.is_whitespace() && next != '\'' => Some(QuoteMark::Single),
        '"' if before_ok || !next.is_whitespace() => Some(QuoteMark::Double),
        '\u{201C}' | '\u{201E}' | '\u{201D}' => Some(QuoteMark::Curly),
        '\u{00AB}' => Some(QuoteMark::Angle),
        '`' if before_ok => Some(QuoteMark::Tick),
        _ => None,
    }
}

/// Positions where each kind of quotation may close, so that looking one up is a binary search.
struct Closers {
    single: Vec<usize>,
    double: Vec<usize>,
    curly: Vec<usize>,
    angle: Vec<usize>,
    tick: Vec<usize>,
}

impl Closers {
    fn of(folded: &[FoldedChar]) -> Self {
        let mut found = Self {
            single: Vec::new(),
            double: Vec::new(),
            curly: Vec::new(),
            angle: Vec::new(),
            tick: Vec::new(),
        };
        for (at, f) in folded.iter().enumerate() {
            match f.ch {
                '\'' if closes_single(folded, at) => found.single.push(at),
                '"' => found.double.push(at),
                '\u{201D}' | '\u{201C}' => found.curly.push(at),
                '\u{00BB}' => found.angle.push(at),
                '`' => found.tick.push(at),
                _ => {}
            }
        }
        found
    }

    fn after(&self, mark: QuoteMark, open: usize) -> Option<usize> {
        let list = match mark {
            QuoteMark::Single => &self.single,
            QuoteMark::Double => &self.double,
            QuoteMark::Curly => &self.curly,
            QuoteMark::Angle => &self.angle,
            QuoteMark::Tick => &self.tick,
        };
        let first = list.partition_point(|&at| at <= open + 1);
        list.get(first).copied()
    }
}

fn closes_single(folded: &[FoldedChar], at: usize) -> bool {
    let before = at.checked_sub(1).map(|i| folded[i].ch);
    let after = folded.get(at + 1).map(|f| f.ch);
    before.is_some_and(|ch| !ch.is_whitespace())
        && after.is_none_or(|ch| !ch.is_alphanumeric() && ch != '\'')
}
