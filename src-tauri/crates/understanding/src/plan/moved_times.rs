//! Times in requests that move things, where “to” and “by” say something else.

use adjutant_text::message::Text;

use super::lexicon;
use super::said::{Form, Piece, policy};
use crate::time::{self, Found};
use adjutant_domain::reading::Utterance;

/// Whether something is moved, so that "to" stands before the new time.
pub(super) fn is_move(read: &Text<'_>) -> bool {
    read.words().any(|word| {
        let base = lexicon::base(word);
        matches!(
            base.as_str(),
            "move"
                | "reschedule"
                | "resched"
                | "shift"
                | "push"
                | "postpone"
                | "delay"
                | "change"
                | "bring"
                | "switch"
                | "rebook"
                | "bump"
                | "defer"
                | "moved"
                | "extend"
                | "lengthen"
                | "prolong"
                | "shorten"
        )
    })
}

/// Whether the time of something is changed.
pub(super) fn is_change(read: &Text<'_>) -> bool {
    is_move(read)
        || read
            .words()
            .any(|word| matches!(word, "end" | "start" | "begin" | "make" | "finish"))
}

/// "It should last 40 minutes", "the stand-up needs to be half an hour earlier": whether what ought to be stands in front.
pub(super) fn ought(found: &Found, masked: &str) -> bool {
    let before = masked
        .get(..found.span.start)
        .unwrap_or("")
        .trim_end()
        .to_ascii_lowercase();
    let mut words = before.rsplit(|ch: char| !ch.is_ascii_alphabetic());
    let last = words.next().unwrap_or("");
    let modal = |word: &str| {
        matches!(
            word,
            "should" | "must" | "will" | "to" | "could" | "ll" | "would"
        )
    };
    let text = masked.get(found.span.clone()).unwrap_or("");
    let lasts = text.starts_with("last ") && modal(last);
    let is = matches!(last, "be" | "start" | "begin" | "end")
        && (words.next().is_some_and(modal)
            || before.contains("could ")
            || before.contains("can "));
    lasts || is
}

/// "Half an hour earlier", where something is moved, is by how much, not half an hour ago.
pub(super) fn by_a_length(found: &mut Found, masked: &str, utterance: &Utterance<'_>) {
    let text = masked.get(found.span.clone()).unwrap_or("");
    let Some(short) = [" earlier", " later", " sooner"]
        .iter()
        .find_map(|end| text.strip_suffix(end))
        .filter(|_| matches!(found.value, time::Value::Instant(_) | time::Value::Date(_)))
    else {
        return;
    };
    let read = format!("by {short}");
    let length = time::find(&read, utterance.now, &policy(utterance.settings))
        .into_iter()
        .find(|length| matches!(length.value, time::Value::Duration(_)));
    if let Some(length) = length.filter(|length| length.span == (3..read.len())) {
        let end = found.span.start + short.len();
        *found = Found {
            span: found.span.start..end,
            lead: found.lead.clone(),
            relation: time::Relation::At,
            ..length
        };
    }
}

/// "Parents evening on 20 January at 7": a part of the day behind a capital is a name, where the time is said outright.
pub(super) fn named_part(found: &mut Found, masked: &str) {
    let text = masked.get(found.span.clone()).unwrap_or("");
    let Some(cut) = ["evening on ", "night on ", "morning on ", "day on "]
        .iter()
        .find(|start| {
            text.get(..start.len())
                .is_some_and(|head| head.eq_ignore_ascii_case(start))
        })
        .map(|start| start.len())
    else {
        return;
    };
    let before = masked
        .get(..found.span.start)
        .unwrap_or("")
        .split_whitespace()
        .next_back()
        .unwrap_or("");
    if found.clock.is_some() && before.starts_with(char::is_uppercase) {
        let start = found.span.start + cut;
        found.lead = Some(start - 3..start - 1);
        found.span.start = start;
    }
}

/// "Over the weekend", of what has come already: the last one, unless it is the weekend.
pub(super) fn last_weekend(found: &mut Found, masked: &str, now: &jiff::Zoned) {
    use jiff::ToSpan;
    let text = masked.get(found.span.clone()).unwrap_or("").to_lowercase();
    if matches!(text.as_str(), "the weekend" | "weekend" | "this weekend")
        && let time::Value::Interval { start, end } = &mut found.value
        && *start > *now
        && let (Ok(from), Ok(to)) = (start.checked_sub(7.days()), end.checked_sub(7.days()))
    {
        (*start, *end) = (from, to);
    }
}

/// "In the last week", "over the past month": the days up to now, where "last week" alone is the week before this one.
pub(super) fn rolling(found: &mut Found, masked: &str, now: &jiff::Zoned) {
    use jiff::ToSpan;
    let text = masked.get(found.span.clone()).unwrap_or("").to_lowercase();
    let text = text
        .strip_prefix("the ")
        .map_or_else(|| text.strip_prefix("past ").map(|_| text.as_str()), Some);
    // "In the next week" is the coming seven days, where "next week" alone begins on its first day.
    let whole = masked.get(found.span.clone()).unwrap_or("").to_lowercase();
    let article = whole.starts_with("the ")
        || masked
            .get(..found.span.start)
            .is_some_and(|before| before.to_lowercase().trim_end().ends_with(" the"));
    let within = article
        || found
            .lead
            .clone()
            .and_then(|lead| masked.get(lead))
            .is_some_and(|lead| lead.to_lowercase().ends_with(" the"));
    let ahead = match whole.trim_start_matches("the ") {
        "next week" | "coming week" => Some(7.days()),
        "next month" | "coming month" => Some(1.month()),
        _ => None,
    };
    if let (true, Some(ahead), time::Value::Interval { .. }) = (within, ahead, &found.value)
        && let Ok(end) = now
            .checked_add(ahead)
            .and_then(|end| end.start_of_day())
            .and_then(|end| end.checked_add(1.day()))
    {
        found.value = time::Value::Interval {
            start: now.clone(),
            end,
        };
        return;
    }
    // "The next 3 days" begin now: what is on later today is in them.
    if let (Some(_), time::Value::Interval { start, .. }) = (
        coming(masked.get(found.span.clone()).unwrap_or("")),
        &mut found.value,
    ) {
        if *start > *now {
            start.clone_from(now);
        }
        return;
    }
    let span = match text {
        Some("past week" | "last week") => 1.week(),
        Some("past month" | "last month") => 1.month(),
        Some("past year" | "last year") => 1.year(),
        Some("past day" | "last day") => 1.day(),
        _ => return,
    };
    if let (time::Value::Interval { .. } | time::Value::Date(_), Ok(start)) =
        (&found.value, now.checked_sub(span))
    {
        found.value = time::Value::Interval {
            start,
            end: now.clone(),
        };
    }
}

/// "Next 3 days", "the coming two weeks": a number of them, counted from now.
fn coming(text: &str) -> Option<()> {
    let low = text.to_lowercase();
    let low = low.strip_prefix("the ").unwrap_or(&low);
    let rest = low
        .strip_prefix("next ")
        .or_else(|| low.strip_prefix("coming "))
        .or_else(|| low.strip_prefix("following "))?;
    let mut words = rest.split_whitespace();
    let (number, unit) = (words.next()?, words.next()?);
    let counted = number.bytes().all(|byte| byte.is_ascii_digit())
        || super::compared::number_word(number).is_some()
        || matches!(number, "few" | "couple");
    (counted
        && matches!(
            unit,
            "day" | "days" | "week" | "weeks" | "month" | "months" | "of"
        ))
    .then_some(())
}

/// "Who am I meeting first on Monday": the first of that day, not a first Monday.
pub(super) fn first_of_day(found: &mut Found, masked: &str, utterance: &Utterance<'_>) {
    let text = masked.get(found.span.clone()).unwrap_or("");
    let low = text.to_lowercase();
    let Some(cut) = ["first on ", "last on "]
        .iter()
        .find(|start| low.starts_with(*start))
        .map(|start| start.len())
    else {
        return;
    };
    let read = time::find(
        text.get(cut..).unwrap_or(""),
        utterance.now,
        &policy(utterance.settings),
    )
    .into_iter()
    .next();
    if let Some(read) = read.filter(|read| read.span == (0..text.len() - cut)) {
        let start = found.span.start + cut;
        *found = Found {
            span: start..found.span.end,
            lead: Some(start - 3..start - 1),
            ..read
        };
    }
}

/// "Friday's first meeting": the ordinal belongs to the meeting, not to a date.
pub(super) fn owner_of_ordinal(found: &mut Found, masked: &str, utterance: &Utterance<'_>) {
    let text = masked.get(found.span.clone()).unwrap_or("");
    let Some(cut) = text.find("'s ").or_else(|| text.find("\u{2019}s ")) else {
        return;
    };
    let rest = text
        .get(cut..)
        .unwrap_or("")
        .split_whitespace()
        .nth(1)
        .unwrap_or("");
    let ordinal = matches!(
        rest.to_lowercase().as_str(),
        "first"
            | "second"
            | "third"
            | "fourth"
            | "fifth"
            | "sixth"
            | "seventh"
            | "eighth"
            | "ninth"
            | "tenth"
            | "last"
    );
    if !ordinal {
        return;
    }
    let read = time::find(
        text.get(..cut).unwrap_or(""),
        utterance.now,
        &policy(utterance.settings),
    )
    .into_iter()
    .next();
    if let Some(read) = read.filter(|read| read.span == (0..cut)) {
        *found = Found {
            span: found.span.start..found.span.start + cut,
            lead: found.lead.clone(),
            ..read
        };
    }
}

/// "Make the review last two hours": how long it shall be, not the two hours before now.
pub(super) fn lasting(found: &mut Found, masked: &str, utterance: &Utterance<'_>) {
    let text = masked.get(found.span.clone()).unwrap_or("");
    let before = masked.get(..found.span.start).unwrap_or("").trim_end();
    let Some(rest) = text.strip_prefix("last ").filter(|_| {
        !before.is_empty()
            && ![
                "the", "in", "over", "for", "within", "during", "from", "since", "of", "these",
            ]
            .iter()
            .any(|word| before.ends_with(word))
    }) else {
        return;
    };
    let read = format!("for {rest}");
    let length = time::find(&read, utterance.now, &policy(utterance.settings))
        .into_iter()
        .find(|length| matches!(length.value, time::Value::Duration(_)));
    if let Some(length) = length.filter(|length| length.span.end == read.len()) {
        *found = Found {
            span: found.span.end - rest.len()..found.span.end,
            lead: None,
            relation: time::Relation::At,
            ..length
        };
    }
}

/// "Clear my afternoon": the one of today.
pub(super) fn own_part(pieces: &mut [Piece], times: &mut Vec<Found>, utterance: &Utterance<'_>) {
    for at in 1..pieces.len() {
        let cleared = pieces.iter().take(at).any(|piece| {
            matches!(
                piece.word.as_str(),
                "clear" | "free" | "wipe" | "empty" | "block"
            )
        });
        let part = match pieces[at].word.as_str() {
            "day" => "today",
            "morning" => "this morning",
            "afternoon" => "this afternoon",
            "evening" => "this evening",
            _ => continue,
        };
        let ends = pieces.get(at + 1).is_none_or(|next| {
            next.form == Form::Mark
                || matches!(next.word.as_str(), "please" | "and" | "thanks" | "for")
        });
        if !cleared || !ends || pieces[at].form != Form::Word || pieces[at - 1].word != "my" {
            continue;
        }
        let found = time::find(part, utterance.now, &policy(utterance.settings))
            .into_iter()
            .next();
        if let Some(mut found) = found {
            found.span = pieces[at].span.clone();
            found.lead = None;
            pieces[at].form = Form::Time(times.len());
            times.push(found);
        }
    }
}

/// "From tomorrow's standup": the day belongs to what follows, and the preposition to the verb.
pub(super) fn owned(pieces: &mut [Piece], times: &mut [Found], source: &str) {
    for at in 1..pieces.len() {
        let Form::Time(index) = pieces[at].form else {
            continue;
        };
        let owns = source
            .get(pieces[at].span.clone())
            .is_some_and(|text| text.ends_with("'s") || text.ends_with("’s"))
            || pieces.get(at + 1).is_some_and(|next| next.word == "'s");
        if !owns || pieces[at - 1].leads != Some(index) {
            continue;
        }
        if let Some(found) = times.get_mut(index)
            && matches!(found.relation, time::Relation::From | time::Relation::To)
        {
            found.relation = time::Relation::At;
            found.lead = None;
            pieces[at - 1].leads = None;
        }
    }
}

/// "What time does it start tomorrow": the verb is no part of the time.
pub(super) fn started(found: &mut Found, masked: &str, utterance: &Utterance<'_>) {
    let text = masked.get(found.span.clone()).unwrap_or("");
    let Some(rest) = ["start ", "end ", "begin ", "finish "]
        .iter()
        .find_map(|verb| {
            text.get(..verb.len())
                .filter(|head| head.eq_ignore_ascii_case(verb))
                .and_then(|_| text.get(verb.len()..))
        })
    else {
        return;
    };
    if rest.starts_with("of ") {
        return;
    }
    let read = time::find(rest, utterance.now, &policy(utterance.settings))
        .into_iter()
        .next();
    if let Some(read) = read.filter(|read| read.span.end == rest.len()) {
        let start = found.span.end - rest.len();
        *found = Found {
            span: start + read.span.start..found.span.end,
            lead: read
                .lead
                .clone()
                .map(|lead| start + lead.start..start + lead.end),
            ..read
        };
    }
}
