//! Judges an expression by the words around it: is "March" a month here, is "5" an hour, is "the first" a day?

use super::lexicon::Unit;
use super::model::{Amount, LonePiece, Moment};
use super::parse::{BEHIND_HOUR, Parser};
use super::token::TokenKind;

/// Words that may follow "the 15th" as a day of the month, unlike in "the 15th floor".
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
    "only",
    "alone",
    "needs",
    "need",
    "has",
    "have",
    "should",
    "must",
    "can",
    "could",
    "will",
    "that",
    "which",
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

/// Verbs after which "by 5" says how much, not when.
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

/// An expression with its surroundings.
pub(super) struct ExpressionContext<'p, 'a> {
    pub parser: &'p Parser<'a>,
    pub text: &'p str,
    pub start: usize,
    pub end: usize,
    pub lead: &'static str,
    /// Whether the expression is the whole text, except for closing punctuation.
    pub whole: bool,
}

impl ExpressionContext<'_, '_> {
    fn lead_is(&self, words: &[&str]) -> bool {
        words.contains(&self.lead)
    }

    fn before(&self, words: &[&str]) -> bool {
        self.start > 0 && self.parser.one_of(self.start - 1, words)
    }

    /// Returns whether nothing follows, or only a sign that ends a clause.
    fn closed(&self) -> bool {
        match self.parser.token(self.end).map(|t| t.kind) {
            None => true,
            Some(TokenKind::Sign(c)) => matches!(
                c,
                '.' | ',' | '!' | '?' | ';' | ':' | ')' | '"' | '\'' | '\n' | '-'
            ),
            Some(_) => false,
        }
    }

    pub fn set(&self, only_frequency: bool) -> bool {
        // "the weekly report" does not ask to repeat anything.
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

    pub fn length(&self, amount: &Amount) -> bool {
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
        // "at" alone does not introduce a length.
        if self.lead_is(&["at"]) && !bound {
            return false;
        }
        // "Push it back a week", "make it a day longer".
        let shifted = self.before(&["back", "forward", "forwards", "ahead", "up", "out"])
            || self.parser.one_of(
                self.end,
                &["earlier", "later", "longer", "shorter", "sooner", "long"],
            );
        if one
            && amount.article
            && !bound
            && !shifted
            && (unit >= Unit::Day || unit <= Unit::Minute)
        {
            return false;
        }
        // "One day I will learn it".
        if self.parser.is(self.start, "one")
            && unit == Unit::Day
            && self
                .parser
                .one_of(self.end, &["i", "we", "you", "he", "she", "they", "it"])
        {
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

    pub fn between(&self, first: &Moment, second: &Moment) -> bool {
        let measured = self.parser.measure_follows(self.end) && !self.closed();
        let loose = |m: &Moment| {
            !matches!(
                m.composition.alone,
                LonePiece::Sure | LonePiece::Month | LonePiece::Year
            )
        };
        if loose(first) && loose(second) && measured {
            return false;
        }
        let years = first.composition.alone == LonePiece::Year
            && second.composition.alone == LonePiece::Year;
        !(years
            && (measured
                || self.parser.token(self.end).is_some_and(|t| {
                    t.glued && t.kind != TokenKind::Sign('.') && t.kind != TokenKind::Sign(',')
                })))
    }

    pub fn moment(&self, moment: &Moment) -> bool {
        if self.idiom(moment) {
            return false;
        }
        match moment.composition.alone {
            LonePiece::Sure | LonePiece::Month | LonePiece::InNumber => true,
            LonePiece::ShyWord => self.shy(moment),
            LonePiece::Fraction => self.fraction(moment),
            LonePiece::DayNumber => self.day_number(),
            LonePiece::BareDay => false,
            LonePiece::DayWord => {
                self.parser.is(self.start, "the")
                    && self.lead_is(&["on", "by", "until", "since", "till"])
                    && (self.closed() || self.parser.one_of(self.end, &["at", "of"]))
            }
            LonePiece::Year => self.year(moment),
            LonePiece::Hour => self.hour(moment),
            LonePiece::Part => {
                self.whole
                    || moment.part_is_definite && !self.before(&["of"])
                    || self.lead_is(&["by", "until", "till", "before", "after", "since", "for"])
            }
            LonePiece::Nth => {
                self.whole
                    || self.parser.is(self.start, "the")
                    || self.lead_is(&["on", "by", "until", "before", "after", "since"])
            }
        }
    }

    fn idiom(&self, moment: &Moment) -> bool {
        let greeting =
            self.before(&["good", "happy", "merry", "jolly"]) && moment.composition.pieces == 1;
        let now = self.parser.is(self.end - 1, "now")
            && self.end == self.start + 1
            && self
                .parser
                .one_of(self.end, &["that", "and", "defunct", "famous"]);
        let last_day = self.before(&["one", "some"])
            && self.parser.is_long_unit(self.end - 1)
            && self.end == self.start + 1;
        // "24/7 support".
        let always = self
            .text
            .get(self.parser.token(self.start).map_or(0, |t| t.start)..)
            .is_some_and(|rest| rest.starts_with("24/7"))
            && self.end == self.start + 3
            && self.lead.is_empty();
        greeting || now || last_day || always
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
            let name = NAME_MONTHS.contains(&word);
            // Nobody is called March, and hardly anybody May.
            let named = name && !matches!(word, "may" | "march" | "mar" | "dec");
            let person = named && self.lead_is(&["by", "of"]) && !capital;
            let other = !name && self.lead_is(&["from", "to", "for"])
                || word == "march" && self.lead_is(&["from", "to", "for"]);
            // "From June on" names the month: nobody sends anything on.
            let onwards = self.lead_is(&["from"])
                && self
                    .parser
                    .one_of(self.end, &["on", "onwards", "onward", "forward"]);
            return bound && !person || other || onwards;
        }
        let bound = self.lead_is(&[
            "on", "by", "until", "till", "since", "before", "after", "from", "for", "to",
            "through", "starting", "in",
        ]);
        if matches!(word, "sat" | "sun" | "wed" | "weds") && !bound {
            // "No, wait, sat": a correction that ends with the day.
            let corrected = self.before(&["no", "wait", "actually", "sorry", "it", "rather"])
                && self.parser.token(self.end).is_none();
            let lifted = capital
                && at > 0
                && !self.before(&["the", "a"])
                && !self.parser.is_sign(at - 1, '.');
            return lifted
                || corrected
                || moment.composition.pieces > 1 && (capital || word == "weds");
        }
        bound || capital || self.closed() || moment.composition.pieces > 1
    }

    fn fraction(&self, moment: &Moment) -> bool {
        if self.parser.measure_follows(self.end) && !self.closed() {
            return false;
        }
        let bound = self.lead_is(&[
            "on", "by", "until", "till", "since", "before", "after", "from", "for", "to", "of",
            "starting", "through",
        ]);
        if bound || self.whole || moment.composition.pieces > 1 {
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
        if moment.composition.pieces > 1 {
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
        if self.lead_is(&["to", "from"]) && self.parser.moved_before(self.start) {
            // "Move it to 2 and tell Ana", but not "to 2 and a half" or "from 2 and 3".
            let goes_on = (self.parser.is(self.end, "and")
                || self.parser.one_of(self.end, BEHIND_HOUR))
                && self.parser.digits(self.end + 1).is_none()
                && !self
                    .parser
                    .one_of(self.end + 1, &["a", "an", "half", "one"]);
            return (self.closed() || goes_on) && !three;
        }
        let amount = self.lead_is(&["by"])
            && (2..=4).any(|n| self.start >= n && self.parser.one_of(self.start - n, CHANGES));
        self.lead_is(&["by", "until", "till", "before", "after"])
            && self.closed()
            && !three
            && !amount
    }
}
