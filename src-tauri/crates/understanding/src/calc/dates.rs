//! Answers questions about dates: days between, days until, weekdays, dates some days away.

use adjutant_text::message::Text;
use jiff::civil::Date;
use jiff::{ToSpan, Unit, Zoned};

use super::{Calculation, CalculationKind, NoResult};
use crate::time::{self, Policy, TimeExpression, Value};

type CalculationResult = Option<Result<Calculation, NoResult>>;

/// Answers a question about dates. Returns `None` if the text is not one, or if it names a day that the time grammar
/// does not know ("until my trip"), which is a question about the person's own data.
pub(super) fn calculate(text: &Text<'_>, now: &Zoned, policy: &Policy) -> CalculationResult {
    let question = DateQuestion {
        text,
        words: text.tokens.iter().map(|t| t.word.as_str()).collect(),
        now,
        policy,
    };
    question
        .distance()
        .or_else(|| question.weekday())
        .or_else(|| question.away())
}

struct DateQuestion<'a> {
    text: &'a Text<'a>,
    words: Vec<&'a str>,
    now: &'a Zoned,
    policy: &'a Policy,
}

impl DateQuestion<'_> {
    /// "how many days until June 3", "weeks between May 1 and July 9".
    fn distance(&self) -> CalculationResult {
        let (unit, after_unit) = self.unit_asked()?;
        let relation = (after_unit..self.words.len()).find(|&at| {
            matches!(
                self.words[at],
                "until" | "till" | "to" | "before" | "since" | "between" | "from" | "til"
            )
        })?;
        let filler = self.words[after_unit..relation].iter().all(|w| {
            matches!(
                *w,
                "are"
                    | "there"
                    | "is"
                    | "it"
                    | "do"
                    | "we"
                    | "i"
                    | "have"
                    | "left"
                    | "remaining"
                    | "go"
                    | "has"
                    | "been"
                    | "more"
                    | "the"
                    | "exactly"
                    | ","
                    | "passed"
            )
        });
        if !filler {
            return None;
        }
        let (start, end) = match self.words[relation] {
            "between" => self.two(relation + 1, "and")?,
            "from" => self
                .two(relation + 1, "to")
                .or_else(|| self.two(relation + 1, "until"))?,
            "since" => {
                let past = Policy {
                    prefer: time::Direction::Past,
                    ..self.policy.clone()
                };
                let found = self.whole_with(relation + 1, self.words.len(), &past)?;
                (self.day(&found)?, self.now.date())
            }
            _ => (
                self.now.date(),
                self.day(&self.whole(relation + 1, self.words.len())?)?,
            ),
        };
        let value = difference(start, end, unit)?;
        let order = self.policy.date_order();
        Some(Ok(Calculation {
            kind: CalculationKind::Date,
            expression: format!("{} to {}", order.long(start), order.long(end)),
            value,
            note: None,
        }))
    }

    /// Returns the unit that is asked for, and the index of the word after it.
    fn unit_asked(&self) -> Option<(DateUnit, usize)> {
        let mut at = self.skip_asking();
        for lead in [
            &["how", "many"][..],
            &["the", "number", "of"],
            &["number", "of"],
            &["count", "the"],
            &["count"],
        ] {
            if self.words[at..].starts_with(lead) {
                at += lead.len();
                break;
            }
        }
        if self.words[at..].starts_with(&["how", "long"]) {
            return Some((DateUnit::Days, at + 2));
        }
        let unit = match *self.words.get(at)? {
            "days" | "day" => DateUnit::Days,
            "weeks" | "week" => DateUnit::Weeks,
            "months" | "month" => DateUnit::Months,
            "years" | "year" => DateUnit::Years,
            _ => return None,
        };
        Some((unit, at + 1))
    }

    /// "what day is July 4", "what day of the week was May 1 1990", "what is today's date".
    fn weekday(&self) -> CalculationResult {
        let mut at = self.skip_asking();
        let rest = &self.words[at..];
        let today = [
            &["date"][..],
            &["the", "date"],
            &["today", "'s", "date"],
            &["the", "date", "today"],
            &["day", "is", "it"],
            &["date", "is", "it"],
            &["what", "day", "is", "it"],
            &["what", "date", "is", "it"],
            &["what", "day", "is", "today"],
            &["what", "is", "today", "'s", "date"],
            &["what", "day", "is", "it", "today"],
            &["what", "is", "the", "date", "today"],
            &["today", "'s", "date", "today"],
            &["what", "day", "of", "the", "week", "is", "it"],
            &["what", "is", "the", "date"],
        ];
        let bare: Vec<&str> = rest
            .iter()
            .copied()
            .filter(|w| !matches!(*w, "?" | "." | "!" | "please" | "now" | "right"))
            .collect();
        let asks = self
            .words
            .first()
            .is_some_and(|w| matches!(*w, "what" | "tell" | "give" | "which" | "today"));
        if asks && today.contains(&bare.as_slice()) {
            return Some(Ok(self.day_result("today", self.now.date())));
        }
        if rest.starts_with(&["what", "is", "the", "date"]) {
            // "What's the date next Friday?"
            let from = at + 4 + usize::from(matches!(rest.get(4), Some(&"on" | &"of" | &"for")));
            let found = self.whole(from, self.end())?;
            let day = self.day(&found)?;
            return Some(Ok(self.day_result(self.text.slice(from..self.end()), day)));
        }
        let on = usize::from(rest.first() == Some(&"on"));
        if !matches!(rest.get(on), Some(&"what" | &"which")) {
            return None;
        }
        at += 1 + on;
        at += usize::from(matches!(self.words.get(at), Some(&"week")));
        if !matches!(self.words.get(at), Some(&"day" | &"weekday" | &"date")) {
            return None;
        }
        at += 1;
        if self.words[at.min(self.words.len())..].starts_with(&["of", "the", "week"]) {
            at += 3;
        }
        if !matches!(
            self.words.get(at),
            Some(&"is" | &"was" | &"will" | &"does" | &"did" | &"would")
        ) {
            return None;
        }
        at += 1;
        let mut end = self.end();
        let this_year = self.words[at..end.max(at)].ends_with(&["this", "year"]);
        end -= if this_year { 2 } else { 0 };
        while end > at && matches!(self.words[end - 1], "be" | "on" | "fall" | "it" | "land") {
            end -= 1;
        }
        at += usize::from(matches!(self.words.get(at), Some(&"it" | &"be")));
        let found = self.whole(at, end)?;
        let day = self.day(&found)?;
        if this_year && day.year() != self.now.year() {
            return None;
        }
        Some(Ok(self.day_result(self.text.slice(at..end), day)))
    }

    /// "90 days from now", "what is 3 weeks after June 3".
    fn away(&self) -> CalculationResult {
        let mut at = self.skip_asking();
        for lead in [
            &["what", "is"][..],
            &["the", "date"],
            &["what", "date", "is"],
            &["date"],
            &["when", "is"],
        ] {
            if self.words[at.min(self.words.len())..].starts_with(lead) {
                at += lead.len();
            }
        }
        let rest = &self.words[at.min(self.words.len())..];
        let counted = rest
            .first()
            .is_some_and(|w| w.starts_with(|ch: char| ch.is_ascii_digit()))
            || rest
                .first()
                .is_some_and(|w| *w == "a" || adjutant_text::number::cardinal(w).is_some());
        let away = rest
            .iter()
            .any(|w| matches!(*w, "from" | "after" | "before" | "ago"));
        if !counted || !away {
            return None;
        }
        let end = self.end();
        let found = self.whole(at, end)?;
        let day = self.day(&found)?;
        Some(Ok(self.day_result(self.text.slice(at..end), day)))
    }

    fn skip_asking(&self) -> usize {
        let mut at = adjutant_text::message::core_start(self.text, 0);
        for lead in [
            &["tell", "me"][..],
            &["calculate"],
            &["give", "me"],
            &["know"],
        ] {
            if self.words[at.min(self.words.len())..].starts_with(lead) {
                at += lead.len();
            }
        }
        at.min(self.words.len())
    }

    /// Returns the end of the words before closing marks and politeness.
    fn end(&self) -> usize {
        let mut end = self.words.len();
        while end > 0 && matches!(self.words[end - 1], "?" | "." | "!" | "please" | "thanks") {
            end -= 1;
        }
        end
    }

    fn two(&self, from: usize, join: &str) -> Option<(Date, Date)> {
        let end = self.end();
        (from + 1..end)
            .filter(|&at| self.words[at] == join)
            .find_map(|at| {
                let first = self.day(&self.whole(from, at)?)?;
                let second = self.day(&self.whole(at + 1, end)?)?;
                // "Between March 3 and April 18", said on March 11: both in this year.
                let said = &self.words[from..at];
                let year = said
                    .iter()
                    .any(|word| word.len() == 4 && word.parse::<u16>().is_ok());
                let earlier = first.checked_sub(1_i64.years()).ok();
                let first = earlier
                    .filter(|earlier| !year && first > second && *earlier <= second)
                    .unwrap_or(first);
                Some((first, second))
            })
    }

    fn whole(&self, from: usize, to: usize) -> Option<TimeExpression> {
        self.whole_with(from, to, self.policy)
    }

    /// Returns the time expression that covers the words `from..to`, if there is exactly one.
    fn whole_with(&self, from: usize, to: usize, policy: &Policy) -> Option<TimeExpression> {
        let to = to.min(self.end());
        let phrase = self.text.slice(from.min(to)..to).trim();
        let mut all = time::find(phrase, self.now, policy);
        let found = (all.len() == 1).then(|| all.remove(0))?;
        let before = phrase.get(..found.cut().start)?.trim().to_lowercase();
        let after = phrase.get(found.span.end..)?.trim();
        (matches!(before.as_str(), "" | "the" | "this" | "is") && after.is_empty()).then_some(found)
    }

    fn day(&self, found: &TimeExpression) -> Option<Date> {
        match &found.value {
            Value::Duration(_) | Value::Set { .. } => None,
            value => Some(value.stretch(self.now)?.0.date()),
        }
    }

    fn day_result(&self, said: &str, day: Date) -> Calculation {
        let days = difference(self.now.date(), day, DateUnit::Days);
        Calculation {
            kind: CalculationKind::Date,
            expression: said.to_owned(),
            value: self.policy.date_order().long(day),
            note: days.filter(|_| day != self.now.date()).map(|days| {
                if day > self.now.date() {
                    format!("in {days}")
                } else {
                    format!("{} ago", days.trim_start_matches('-'))
                }
            }),
        }
    }
}

#[derive(Clone, Copy, PartialEq)]
enum DateUnit {
    Days,
    Weeks,
    Months,
    Years,
}

fn difference(start: Date, end: Date, unit: DateUnit) -> Option<String> {
    let days = start.until((Unit::Day, end)).ok()?.get_days();
    let parts: Vec<(i32, &str)> = match unit {
        DateUnit::Days => vec![(days, "day")],
        DateUnit::Weeks => vec![(days / 7, "week"), (days % 7, "day")],
        DateUnit::Months => {
            let span = start.until((Unit::Month, end)).ok()?;
            vec![(span.get_months(), "month"), (span.get_days(), "day")]
        }
        DateUnit::Years => {
            let span = start.until((Unit::Year, end)).ok()?;
            vec![
                (i32::from(span.get_years()), "year"),
                (span.get_months(), "month"),
                (span.get_days(), "day"),
            ]
        }
    };
    let said: Vec<String> = parts
        .iter()
        .enumerate()
        .filter(|(at, (count, _))| *at == 0 || *count != 0)
        .map(|(_, (count, name))| {
            format!("{count} {name}{}", if count.abs() == 1 { "" } else { "s" })
        })
        .collect();
    Some(said.join(" and "))
}
