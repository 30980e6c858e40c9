//! Whether what looks like a time is one. A price, a version, a telephone number, a name or a verb is not; when in doubt
//! the answer is no, unless the whole text is the expression.

use super::find::Lead;
use super::lexicon::Unit;
use super::model::{Alone, Amount, Moment};
use super::parse::{Parser, Said};
use super::token::Kind;

/// Prepositions that never are part of an expression.
const ONLY_LEADS: &[&str] = &["on", "by", "until", "since", "for"];
/// Words before a number that make it a label.
const LABELS: &[&str] = &[
    "version",
    "v",
    "ver",
    "release",
    "build",
    "chapter",
    "section",
    "page",
    "pages",
    "room",
    "step",
    "item",
    "level",
    "figure",
    "table",
    "rfc",
    "ip",
    "ratio",
    "score",
    "code",
    "ssn",
    "id",
    "tel",
    "phone",
    "fax",
    "ticket",
    "order",
    "article",
    "appendix",
    "flight",
    "bus",
    "platform",
    "gate",
    "vol",
    "volume",
    "number",
    "no",
    "nr",
    "odds",
    "latitude",
    "longitude",
    "ext",
    "isbn",
    "sku",
    "zip",
];
/// Words that may follow "the 15th": it is then not "the 15th floor".
const AFTER_DAY: &[&str] = &[
    "at",
    "on",
    "in",
    "by",
    "and",
    "or",
    "to",
    "from",
    "with",
    "for",
    "is",
    "was",
    "works",
    "if",
    "but",
    "about",
    "before",
    "after",
    "until",
    "till",
    "then",
    "please",
    "because",
    "so",
    "since",
    "when",
    "we",
    "i",
    "you",
    "he",
    "she",
    "they",
    "it",
    "my",
    "our",
    "the",
    "a",
    "an",
    "as",
    "that",
    "this",
    "next",
    "not",
    "be",
    "will",
    "would",
    "can",
    "instead",
    "through",
    "around",
    "between",
    "morning",
    "afternoon",
    "evening",
    "night",
    "should",
    "are",
    "of",
    "every",
    "did",
    "do",
    "does",
    "has",
    "have",
    "had",
    "too",
    "also",
    "via",
    "sounds",
    "looks",
    "thanks",
    "ok",
    "okay",
    "off",
    "are",
];
/// Verbs after which "by 5" is how much, not when.
const CHANGES: &[&str] = &[
    "increase",
    "increased",
    "decrease",
    "raise",
    "raised",
    "lower",
    "reduce",
    "reduced",
    "multiply",
    "multiplied",
    "divide",
    "divided",
    "up",
    "down",
    "grew",
    "rose",
    "fell",
    "cut",
    "scale",
    "won",
    "lost",
    "turn",
    "shift",
];
const NAME_MONTHS: &[&str] = &[
    "april", "june", "may", "august", "jan", "march", "mar", "dec",
];

/// Whether an expression can begin at token `i`: the word can, and it is not the tail of something else.
pub(super) fn may_begin(parser: &Parser<'_>, i: usize) -> bool {
    let Some(t) = parser.token(i) else {
        return false;
    };
    let word = match t.kind {
        Kind::Word => t.lex.starts,
        Kind::Number => false,
        Kind::Sign(c) => {
            let signed =
                matches!(c, '+' | '-') && parser.glued(i + 1) && parser.digits(i + 1).is_some();
            return (matches!(c, '½' | '¼' | '¾') || signed) && !t.glued;
        }
        Kind::Opaque => return false,
    };
    if t.kind == Kind::Word && (!word || parser.one_of(i, ONLY_LEADS)) {
        return false;
    }
    if !t.glued || i == 0 {
        return !(i > 0
            && t.kind == Kind::Number
            && parser
                .sign(i - 1)
                .is_some_and(|c| matches!(c, '$' | '€' | '£' | '#')));
    }
    let Some(before) = parser.token(i - 1) else {
        return true;
    };
    let Kind::Sign(sign) = before.kind else {
        return false;
    };
    let attached = before.glued
        && parser
            .token(i.wrapping_sub(2))
            .is_some_and(|p| !matches!(p.kind, Kind::Sign(_)) || parser.sign(i - 2) == Some('.'));
    let after_number = before.glued && i > 1 && parser.digits(i - 2).is_some();
    match sign {
        '$' | '€' | '£' | '#' | '_' | '=' | '&' | '%' | '\\' | '+' | '^' => false,
        '@' => !attached || after_number,
        '.' | '/' | '-' if t.kind == Kind::Number => {
            !attached && (sign != '-' || i < 2 || parser.digits(i - 2).is_none())
        }
        '.' => !(attached && t.lex.shy),
        '/' => !attached,
        '-' => !attached,
        ':' | ',' => !(after_number && t.kind == Kind::Number),
        '\'' => !attached,
        _ => true,
    }
}

/// Whether nothing that belongs to the last token follows it directly.
fn may_end(parser: &Parser<'_>, end: usize) -> bool {
    let number = |i: usize| parser.digits(i).is_some();
    let last_is_number = number(end - 1);
    if !parser.glued(end) {
        return true;
    }
    let solid = |i: usize| {
        parser.glued(i)
            && parser
                .token(i)
                .is_some_and(|t| !matches!(t.kind, Kind::Sign(_)))
    };
    match parser.token(end).map(|t| t.kind) {
        None => true,
        Some(Kind::Word) => parser.past_possessive(end) > end,
        Some(Kind::Number | Kind::Opaque) => false,
        Some(Kind::Sign(sign)) => match sign {
            '_' | '\\' | '=' | '&' | '#' => !solid(end + 1),
            '/' | '@' => !solid(end + 1) || sign == '@' && number(end + 1),
            '%' | '°' | '$' | '€' | '£' => false,
            '+' => !last_is_number,
            '-' => !(solid(end + 1) && (last_is_number || number(end + 1))),
            '.' => {
                !(solid(end + 1)
                    && (last_is_number
                        || number(end + 1)
                        || parser.token(end - 1).is_some_and(|t| t.lex.shy)))
            }
            ':' | ',' => !(last_is_number && parser.glued(end + 1) && number(end + 1)),
            _ => true,
        },
    }
}

/// The final word on an expression from token `start` to `end`.
pub(super) fn accept(
    parser: &Parser<'_>,
    text: &str,
    said: &Said,
    start: usize,
    end: usize,
    lead: Option<&Lead>,
) -> bool {
    if !may_end(parser, end) {
        return false;
    }
    let labelled = start > 0 && parser.digits(start).is_some() && {
        let at = if parser
            .sign(start - 1)
            .is_some_and(|c| matches!(c, ':' | '.' | '#'))
        {
            start.saturating_sub(2)
        } else {
            start - 1
        };
        parser.one_of(at, LABELS)
    };
    let whole = start == 0
        && (end == parser.tokens.len()
            || (end..parser.tokens.len())
                .all(|i| parser.sign(i).is_some_and(|c| matches!(c, '.' | '!' | '?'))));
    let scene = Scene {
        parser,
        text,
        start,
        end,
        lead: lead.map_or("", |l| l.2),
        whole,
    };
    match said {
        Said::Set(rule) => scene.set(rule.clocks.is_empty() && rule.days.is_empty()),
        Said::Between(first, second) => !labelled && scene.between(first, second),
        Said::Length(amount) => !labelled && scene.length(amount),
        Said::Moment(moment) => {
            (!labelled || moment.made.alone == Alone::Sure && moment.made.pieces > 1)
                && scene.moment(moment)
        }
    }
}

struct Scene<'p, 'a> {
    parser: &'p Parser<'a>,
    text: &'p str,
    start: usize,
    end: usize,
    lead: &'static str,
    /// The expression is the whole text.
    whole: bool,
}

impl Scene<'_, '_> {
    fn lead_is(&self, words: &[&str]) -> bool {
        words.contains(&self.lead)
    }

    fn before(&self, words: &[&str]) -> bool {
        self.start > 0 && self.parser.one_of(self.start - 1, words)
    }

    /// Nothing follows, or a sign that ends a clause.
    fn closed(&self) -> bool {
        match self.parser.token(self.end).map(|t| t.kind) {
            None => true,
            Some(Kind::Sign(c)) => matches!(
                c,
                '.' | ',' | '!' | '?' | ';' | ':' | ')' | '"' | '\'' | '\n' | '-'
            ),
            Some(_) => false,
        }
    }

    fn set(&self, only_frequency: bool) -> bool {
        // "the weekly report" is not a wish to repeat anything.
        let adverb = self.end == self.start + 1 && only_frequency;
        if adverb && self.parser.is(self.start, "annual") {
            return false;
        }
        !(adverb
            && self.before(&[
                "the", "my", "our", "your", "his", "her", "their", "this", "last", "latest",
                "next", "previous", "s",
            ]))
    }

    fn length(&self, amount: &Amount) -> bool {
        let bound = self.lead_is(&[
            "for", "by", "within", "in", "to", "about", "around", "over", "up to", "at", "after",
        ]) || self.before(&[
            "takes", "take", "took", "lasts", "last", "lasting", "another", "extra", "least",
            "most", "under", "than", "only", "just", "plus",
        ]);
        let unit = amount.smallest();
        let one = amount.parts().len() == 1;
        if self.parser.is(self.end, "old")
            || self.parser.is_sign(self.end, '-') && self.parser.is(self.end + 1, "old")
        {
            return false;
        }
        // "in two weeks" was refused as a time: then it is none.
        if self.lead_is(&["at"]) && !bound {
            return false;
        }
        if one && amount.article && !bound && (unit >= Unit::Day || unit <= Unit::Minute) {
            return false;
        }
        let letter = self.parser.word(self.end - 1);
        if one && letter.len() == 1 && letter != "h" && !bound {
            return false;
        }
        if amount.vague && !bound && !self.whole || self.parser.is(self.start, "some") && !bound {
            return false;
        }
        // "a second round", "one second opinion"
        !(one
            && unit == Unit::Second
            && self.parser.is(self.end - 1, "second")
            && !self.closed()
            && !self.lead_is(&["for", "in", "by"]))
    }

    fn between(&self, first: &Moment, second: &Moment) -> bool {
        let measured = self.parser.measure_follows(self.end) && !self.closed();
        let loose = |m: &Moment| !matches!(m.made.alone, Alone::Sure | Alone::Month | Alone::Year);
        if loose(first) && loose(second) && measured {
            return false;
        }
        let years = first.made.alone == Alone::Year && second.made.alone == Alone::Year;
        !(years
            && (measured
                || self.parser.token(self.end).is_some_and(|t| {
                    t.glued && t.kind != Kind::Sign('.') && t.kind != Kind::Sign(',')
                })))
    }

    fn moment(&self, moment: &Moment) -> bool {
        if self.idiom(moment) {
            return false;
        }
        match moment.made.alone {
            Alone::Sure | Alone::Month | Alone::InNumber => true,
            Alone::ShyWord => self.shy(moment),
            Alone::Fraction => self.fraction(moment),
            Alone::DayNumber => self.day_number(),
            Alone::BareDay => false,
            Alone::DayWord => {
                self.parser.is(self.start, "the")
                    && self.lead_is(&["on", "by", "until", "since", "till"])
                    && (self.closed() || self.parser.one_of(self.end, &["at", "of"]))
            }
            Alone::Year => self.year(moment),
            Alone::Hour => self.hour(moment),
            Alone::Part => {
                self.whole
                    || moment.part_is_definite && !self.before(&["of"])
                    || self.lead_is(&["by", "until", "till", "before", "after", "since", "for"])
            }
            Alone::NthAlone => {
                self.whole
                    || self.parser.is(self.start, "the")
                    || self.lead_is(&["on", "by", "until", "before", "after", "since"])
            }
        }
    }

    fn idiom(&self, moment: &Moment) -> bool {
        let greeting = self.before(&["good", "happy", "merry", "jolly"]) && moment.made.pieces == 1;
        let now = self.parser.is(self.end - 1, "now")
            && self.end == self.start + 1
            && self
                .parser
                .one_of(self.end, &["that", "and", "defunct", "famous"]);
        let last_day = self.before(&["one", "some"])
            && self.parser.is_long_unit(self.end - 1)
            && self.end == self.start + 1;
        greeting || now || last_day
    }

    fn shy(&self, moment: &Moment) -> bool {
        if self.whole {
            return true;
        }
        let at = (self.start..self.end)
            .find(|i| self.parser.token(*i).is_some_and(|t| t.lex.shy))
            .unwrap_or(self.start);
        let word = self.parser.word(at);
        let t = match self.parser.token(at) {
            Some(t) => t,
            None => return false,
        };
        let capital = self.text[t.start..].starts_with(|c: char| c.is_uppercase());
        if t.lex.month > 0 {
            let bound = self.lead_is(&[
                "in",
                "until",
                "till",
                "since",
                "during",
                "of",
                "through",
                "by",
                "before",
                "after",
                "starting",
                "beginning",
                "up to",
            ]) || self.before(&["mid", "early", "late", "every", "each"]);
            let person = NAME_MONTHS.contains(&word)
                && self.lead_is(&["by", "of", "before", "after"])
                && !capital;
            return bound && !person;
        }
        let bound = self.lead_is(&[
            "on", "by", "until", "till", "since", "before", "after", "from", "for", "to",
            "through", "starting", "in",
        ]);
        if matches!(word, "sat" | "sun" | "wed" | "weds") && !bound {
            let lifted = capital
                && at > 0
                && !self.before(&["the", "a"])
                && !self.parser.is_sign(at - 1, '.');
            return lifted || moment.made.pieces > 1 && (capital || word == "weds");
        }
        bound || capital || self.closed() || moment.made.pieces > 1
    }

    fn fraction(&self, moment: &Moment) -> bool {
        if self.parser.measure_follows(self.end) && !self.closed() {
            return false;
        }
        let bound = self.lead_is(&[
            "on", "by", "until", "till", "since", "before", "after", "from", "for", "to", "of",
            "starting", "through",
        ]);
        if bound || self.whole || moment.made.pieces > 1 {
            return true;
        }
        let Some((a, b)) = self
            .parser
            .digits(self.start)
            .zip(self.parser.digits(self.end - 1))
        else {
            return true;
        };
        !(a.0 < b.0 && matches!(b.0, 2 | 3 | 4 | 5 | 6 | 8 | 10 | 12))
    }

    fn day_number(&self) -> bool {
        if self.whole {
            return true;
        }
        let bound = self.lead_is(&[
            "on", "by", "until", "till", "since", "before", "after", "from", "for", "to", "around",
            "through", "at", "starting", "in", "of",
        ]);
        let follower = self.closed() || self.parser.one_of(self.end, AFTER_DAY);
        (bound || self.parser.is(self.start, "the"))
            && follower
            && !(self.parser.one_of(self.end, &["and", "or"])
                && self.parser.ordinal(self.end + 1).is_some())
    }

    fn year(&self, moment: &Moment) -> bool {
        let Some(year) = moment.day.and_then(|d| d.year) else {
            return false;
        };
        let bound = self.lead_is(&[
            "in", "since", "until", "till", "before", "after", "during", "from", "through", "by",
            "of",
        ]);
        let fine = (1900..=2100).contains(&year)
            && self.parser.digits(self.start).is_none_or(|d| d.1 == 4);
        let noun = self.parser.measure_follows(self.end)
            || self
                .parser
                .token(self.end)
                .is_some_and(|t| t.lex.unit.is_some());
        bound && fine && !noun && (self.closed() || !self.lead_is(&["by", "of", "from"]))
    }

    fn hour(&self, moment: &Moment) -> bool {
        if moment.made.pieces > 1 {
            return true;
        }
        let dotted = self.parser.is_sign(self.start + 1, '.') && self.parser.glued(self.start + 1);
        let clause = self.closed()
            || self.parser.one_of(self.end, AFTER_DAY)
            || self.parser.token(self.end).is_some_and(|t| t.lex.starts);
        if dotted && !clause {
            return false;
        }
        let three = self.parser.digits(self.start).is_some_and(|d| d.1 >= 3);
        if self.lead_is(&["at"]) {
            return !three || clause;
        }
        let amount = self.lead_is(&["by"])
            && (2..=4).any(|n| self.start >= n && self.parser.one_of(self.start - n, CHANGES));
        self.lead_is(&["by", "until", "till", "before", "after"])
            && self.closed()
            && !three
            && !amount
    }
}
