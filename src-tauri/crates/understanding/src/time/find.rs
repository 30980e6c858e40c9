//! Walks over a text, tries the grammar wherever an expression can begin, and turns what was said into values.

use super::accept;
use super::calendar;
use super::first;
use super::lexicon::Unit;
use super::model::{Moment, Stretch};
use super::parse::set::Freq;
use super::parse::{ParsedExpression, Parser};
use super::resolve::{self, Context};
use super::settle;
use super::token::tokenize;
use super::{Direction, Grain, Note, Policy, Relation, TimeExpression, Value, YEAR_MAX, YEAR_MIN};
use jiff::civil::{DateTime, Time};
use jiff::tz::{AmbiguousOffset, TimeZone};
use jiff::{Span, Zoned};
use std::ops::Range;

/// Maximum number of rules to try over a whole text; the rest is not read. Far more than any text by people needs.
const TEXT_STEPS_MAX: u32 = 100_000;

/// Prepositions before an expression and how they bind it; longer ones first.
const LEADS: &[(&str, Relation)] = &[
    ("no later than", Relation::By),
    ("not later than", Relation::By),
    ("on or before", Relation::By),
    ("on or after", Relation::From),
    ("earlier than", Relation::Before),
    ("later than", Relation::After),
    ("prior to", Relation::Before),
    ("up until", Relation::Until),
    ("up to", Relation::Until),
    ("starting from", Relation::From),
    ("starting on", Relation::From),
    ("starting at", Relation::From),
    ("beginning on", Relation::From),
    ("as of", Relation::From),
    ("ever since", Relation::Since),
    ("on", Relation::At),
    ("at", Relation::At),
    ("in", Relation::At),
    ("during", Relation::At),
    ("within", Relation::At),
    ("over", Relation::At),
    ("of", Relation::At),
    ("by", Relation::By),
    ("before", Relation::Before),
    ("until", Relation::Until),
    ("till", Relation::Until),
    ("til", Relation::Until),
    ("through", Relation::Until),
    ("thru", Relation::Until),
    ("since", Relation::Since),
    ("after", Relation::After),
    ("following", Relation::After),
    ("from", Relation::From),
    ("starting", Relation::From),
    ("beginning", Relation::From),
    ("for", Relation::For),
    ("to", Relation::To),
    ("around", Relation::Around),
    ("about", Relation::Around),
];

/// Returns every expression of `text`, in order and without overlaps. Reads times in the zone of `now`. Never fails;
/// reads only the beginning of a text longer than [`super::TEXT_BYTES_MAX`].
pub fn find(text: &str, now: &Zoned, policy: &Policy) -> Vec<TimeExpression> {
    let tokens = tokenize(text);
    let context = Context::new(now, policy);
    let parser = Parser::new(&tokens.list, &tokens.lower, &context);
    let mut found = Vec::new();
    let mut steps = 0;
    let mut i = 0;
    while i < tokens.list.len() && steps < TEXT_STEPS_MAX {
        if !accept::may_begin(&parser, i) {
            i += 1;
            continue;
        }
        let lead = lead_before(
            &parser,
            i,
            found.last().map_or(0, |f: &TimeExpression| f.span.end),
        );
        let past = lead.as_ref().is_some_and(|l| l.1 == Relation::Since);
        context
            .prefer
            .set(if past { Direction::Past } else { policy.prefer });
        parser.broken.set(0);
        let read = parser.expression(i);
        steps += parser.steps_taken() + 1;
        let next = read.and_then(|(said, end)| {
            let good = end > i
                && end >= parser.broken.get()
                && accept::accept(&parser, text, &said, i, end, lead.as_ref());
            good.then(|| build(&parser, said, i, end, lead))
                .flatten()
                .map(|f| (f, end))
        });
        match next {
            Some((one, end)) => {
                found.push(one);
                i = end;
            }
            None => i = parser.broken.get().max(i + 1),
        }
    }
    found
}

/// Returns the most specific expression: several parts win over one, then the longer wins, then the earlier.
pub fn find_main(text: &str, now: &Zoned, policy: &Policy) -> Option<TimeExpression> {
    let mut best: Option<TimeExpression> = None;
    for one in find(text, now, policy) {
        if best.as_ref().is_none_or(|b| one.weight > b.weight) {
            best = Some(one);
        }
    }
    best
}

/// The preposition directly before token `i`: its bytes, its relation and its text.
pub(super) type Lead = (Range<usize>, Relation, &'static str);

fn lead_before(parser: &Parser<'_>, i: usize, after: usize) -> Option<Lead> {
    for (words, relation) in LEADS {
        let n = words.split(' ').count();
        if i < n || parser.phrase(i - n, words) != Some(i) {
            continue;
        }
        let range = parser.token(i - n)?.start..parser.token(i - 1)?.end;
        return (range.start >= after).then_some((range, *relation, *words));
    }
    if i > 0 && parser.is_sign(i - 1, '@') {
        let t = parser.token(i - 1)?;
        return Some((t.start..t.end, Relation::At, "at"));
    }
    None
}

fn build(
    parser: &Parser<'_>,
    said: ParsedExpression,
    start: usize,
    end: usize,
    lead: Option<Lead>,
) -> Option<TimeExpression> {
    let span = parser.token(start)?.start..parser.token(end - 1)?.end;
    let relation = lead.as_ref().map_or(Relation::At, |l| l.1);
    let mut found = TimeExpression {
        weight: (end - start) as u32,
        span,
        lead: lead.map(|l| l.0),
        relation,
        value: Value::Date(parser.context.today),
        grain: Grain::Day,
        clock: None,
        has_day: false,
        notes: Vec::new(),
    };
    match said {
        ParsedExpression::Moment(moment) => of_moment(parser.context, &mut found, moment)?,
        ParsedExpression::Between(first, second) => {
            of_between(parser.context, &mut found, *first, *second)?
        }
        ParsedExpression::Length(amount) => {
            if amount.vague {
                found
                    .notes
                    .push(Note::Vague(amount.parts().first()?.0 as u32));
            }
            found.grain = calendar::unit_grain(amount.smallest());
            found.value = Value::Duration(calendar::length(&amount)?);
        }
        ParsedExpression::Set(rule) => {
            found.weight += 60;
            if let Some(times) = rule.times_per_period {
                found.notes.push(Note::TimesPerPeriod(times));
            }
            if rule.repaired {
                found.notes.push(Note::Repaired);
            }
            found.grain = match rule.freq {
                Freq::Secondly => Grain::Second,
                Freq::Minutely => Grain::Minute,
                Freq::Hourly => Grain::Hour,
                Freq::Daily => Grain::Day,
                Freq::Weekly => Grain::Week,
                Freq::Monthly => Grain::Month,
                Freq::Yearly => Grain::Year,
            };
            found.clock = rule
                .clocks
                .first()
                .and_then(|c| first::time_of(parser.context, &rule, c));
            found.value = first::value(parser.context, &rule)?;
        }
    }
    // Before anything but a length, "for" means "on".
    if found.relation == Relation::For && !matches!(found.value, Value::Duration(_)) {
        found.relation = Relation::At;
    }
    Some(found)
}

fn of_moment(context: &Context<'_>, found: &mut TimeExpression, moment: Moment) -> Option<()> {
    let stretch = resolve::moment(context, &moment)?;
    found.weight += 20 * u32::from(moment.composition.pieces)
        + if moment.clock.is_some() || moment.day.is_some() {
            10
        } else {
            0
        };
    found.has_day = moment.day.is_some();
    found.grain = stretch.grain;
    found.notes.extend(moment.notes.iter().cloned());
    if moment.composition.repaired {
        found.notes.push(Note::Repaired);
    }
    let zone = resolve::zone(context, &moment);
    if let Some(zone) = &moment.zone {
        found.notes.push(Note::Zone(zone.name.clone()));
    }
    if !found.has_day && moment.clock.is_some() {
        found.notes.push(Note::DayAssumed);
    }
    if let Some(day) = &moment.day {
        found
            .notes
            .extend(resolve::mismatch(context, day, &stretch));
    }
    if let Some(clock) = &moment.clock {
        let (start, other) = settle::clock_start(context, &moment, clock)?;
        found.clock = Time::new(start.hour(), start.minute(), start.second(), 0).ok();
        if let Some(other) = other {
            found.notes.push(Note::HourAssumed(zoned(
                context,
                &zone,
                other,
                &mut Vec::new(),
            )?));
        }
    }
    let ranged = moment.clock_to.is_some() || moment.length.is_some();
    found.value = if stretch.grain < Grain::Part
        && !ranged
        && (stretch.exact.is_some() || stretch.start == stretch.end)
    {
        Value::Instant(match stretch.exact {
            Some(at) => at.to_zoned(context.now.time_zone().clone()),
            None => zoned(context, &zone, stretch.start, &mut found.notes)?,
        })
    } else if stretch.grain == Grain::Day && !ranged && is_one_day(&stretch) {
        Value::Date(stretch.start.date())
    } else {
        let start = zoned(context, &zone, stretch.start, &mut found.notes)?;
        let end = zoned(context, &zone, stretch.end, &mut Vec::new())?;
        Value::Interval { start, end }
    };
    Some(())
}

/// Returns the start of a stretch of months or days that has begun and is not over: "from May to September", said in
/// July.
fn running(context: &Context<'_>, first: &Moment, second: &Moment, a: &Stretch) -> Option<Stretch> {
    let day = first.day.filter(|d| {
        d.month.is_some() && d.year.is_none() && d.which.is_none() && first.clock.is_none()
    })?;
    let until = second
        .day
        .filter(|d| d.month.is_some() && d.year.is_none() && d.which.is_none())?;
    if context.prefer.get() == Direction::Past || a.start <= context.at {
        return None;
    }
    let year = Some(a.start.year() - 1);
    let begun = resolve::day(context, &super::model::Day { year, ..day })?;
    let wraps = (until.month, until.day) < (day.month, day.day);
    let over = super::model::Day {
        year: year.map(|y| y + i16::from(wraps)),
        ..until
    };
    let end = resolve::day(context, &over)?.end;
    (begun.start <= context.at && context.at < end).then_some(begun)
}

/// Returns whether the stretch is exactly one whole day; "the rest of today" is not.
fn is_one_day(stretch: &Stretch) -> bool {
    stretch.start.time() == Time::midnight()
        && stretch.end.time() == Time::midnight()
        && calendar::add_days(stretch.start.date(), 1) == Some(stretch.end.date())
}

fn of_between(
    context: &Context<'_>,
    found: &mut TimeExpression,
    first: Moment,
    mut second: Moment,
) -> Option<()> {
    // "between June 3 and now" looks back.
    let to_now = second
        .day
        .and_then(|d| d.within)
        .is_some_and(|w| w.grain == Grain::Second);
    if to_now {
        context.prefer.set(Direction::Past);
    }
    let mut a = resolve::moment(context, &first)?;
    if let Some(running) = running(context, &first, &second, &a) {
        a = running;
    }
    let zone = resolve::zone(context, &first);
    let start = match a.exact {
        Some(at) => at.to_zoned(context.now.time_zone().clone()),
        None => zoned(context, &zone, a.start, &mut found.notes)?,
    };
    if second.day.is_none() && (second.clock.is_some() || second.part.is_some()) {
        second.day = Some(super::model::Day {
            within: calendar::day(a.start.date()),
            ..Default::default()
        });
    }
    // Resolve the end from the start on, so that it is the first one after it.
    let local = start.with_time_zone(zone.clone());
    let later = Context::new(&local, context.policy);
    later.prefer.set(Direction::Future);
    let relative = second
        .day
        .is_some_and(|d| d.within.is_some() || d.which.is_some());
    let b = if relative {
        resolve::moment(context, &second)?
    } else {
        resolve::moment(&later, &second)?
    };
    let mut last = if b.grain < Grain::Part {
        b.start
    } else {
        b.end
    };
    if last <= a.start && second.clock.is_some() {
        last = last.checked_add(Span::new().days(1)).ok()?;
    }
    let end = zoned(
        context,
        &resolve::zone(context, &second),
        last,
        &mut Vec::new(),
    )?;
    if end <= start {
        return None;
    }
    if let Some(zone) = first.zone {
        found.notes.push(Note::Zone(zone.name));
    }
    found.weight += 40 + 10 * u32::from(first.composition.pieces + second.composition.pieces);
    found.has_day = first.day.is_some();
    found.clock = first
        .clock
        .and(Time::new(start.hour(), start.minute(), 0, 0).ok());
    found.grain = a.grain.min(b.grain);
    found.value = Value::Interval { start, end };
    Some(())
}

/// Converts a local time to an instant in the zone of now. Moves a time that does not exist forward, uses the first of
/// a time that happens twice, and notes both. Returns `None` outside the range of years.
pub(super) fn zoned(
    context: &Context<'_>,
    zone: &TimeZone,
    at: DateTime,
    notes: &mut Vec<Note>,
) -> Option<Zoned> {
    if !(YEAR_MIN..=YEAR_MAX).contains(&at.year()) {
        return None;
    }
    let home = context.now.time_zone();
    let ambiguous = zone.to_ambiguous_zoned(at);
    match ambiguous.offset() {
        AmbiguousOffset::Unambiguous { .. } => {}
        AmbiguousOffset::Gap { .. } => notes.push(Note::Gap(at)),
        AmbiguousOffset::Fold { .. } => {
            let second = zone.to_ambiguous_zoned(at).later().ok()?;
            notes.push(Note::Overlap(second.with_time_zone(home.clone())));
        }
    }
    Some(ambiguous.compatible().ok()?.with_time_zone(home.clone()))
}

impl Parser<'_> {
    /// Returns whether token `i` is a unit of at least a day.
    pub(super) fn is_long_unit(&self, i: usize) -> bool {
        self.token(i)
            .is_some_and(|t| t.lex.unit.is_some_and(|u| u >= Unit::Day))
    }
}
