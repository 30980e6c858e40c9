//! Requests that change or take away what there is.

use super::after;
use super::clause::{Parse, Read, Unread, Why};
use super::command::command_at;
use super::cursor::Cursor;
use super::filler;
use super::guest_list::taken_off;
pub(super) use super::guest_list::{add_guest, invite, put_on, remove_guest};
use super::lexicon::{Noun, State, Verb};
use super::model::{Act, Det, Request, Sel, Who};
use super::noun::{Rules, phrase};
use super::people::{self, Place};
use super::said::Form;
use super::table::phrases;
use super::value;
use crate::time::Value;

/// Things of one list ("cancel A, B and C").
const LIST_MAX: usize = 20;

pub(super) fn missing(what: &'static str) -> Unread {
    Unread {
        span: None,
        why: Why::What(what),
    }
}

/// Reads what the verb applies to, or what was spoken of before.
pub(super) fn target(
    parse: &Parse<'_, '_>,
    cursor: &mut Cursor<'_, '_>,
    default: Option<Noun>,
    rules: Rules,
) -> Result<Sel, Unread> {
    phrase(cursor, default, rules).ok_or_else(|| {
        if cursor.is_done() {
            missing("what")
        } else {
            parse.words(cursor)
        }
    })
}

/// Delete, cancel, remove.
pub(super) fn delete<'s, 'a>(
    parse: &mut Parse<'s, 'a>,
    cursor: &mut Cursor<'s, 'a>,
    verb: Verb,
) -> Read {
    // "Drop Kim a line" deletes nothing.
    let mut line = *cursor;
    if !people::list(&mut line, Place::Maybe).is_empty() && line.eat(super::mail::MAILS) {
        return super::mail::send(parse, cursor, Verb::Send);
    }
    if taken_off(parse, cursor)
        || remove_guest(parse, cursor)
        || remove_mark(parse, cursor)?
        || clear_time(parse, cursor)
    {
        return Ok(());
    }
    let default = (verb == Verb::Cancel).then_some(Noun::Event);
    cursor.eat(&["of"]);
    let mut kind = default;
    let mut said = false;
    let mut before = *cursor;
    let made = parse.requests.len();
    for _ in 0..LIST_MAX {
        let mut sel = target(parse, cursor, kind, Rules::default())?;
        if sel
            .title
            .as_ref()
            .is_some_and(|words| words.text.eq_ignore_ascii_case("nothing"))
        {
            return Err(parse.words(&before));
        }
        if sel.noun.is_none()
            || sel.noun == Some(Noun::Any)
                && !sel.from.is_empty()
                && sel.from.iter().all(|who| matches!(who, Who::Address(_)))
        {
            sel.noun = guess_kind(parse, &sel);
        }
        // "Archive the thread about parking and delete the one about the gym".
        let one = cursor.said.pieces[before.at..cursor.at]
            .iter()
            .any(|piece| matches!(piece.word.as_str(), "one" | "ones"));
        let own = sel.title.is_some()
            || sel.about.is_some()
            || !sel.from.is_empty()
            || !sel.with.is_empty();
        if sel.noun == Some(Noun::Any)
            && one
            && own
            && sel.pron.is_none()
            && let Some(last) = parse.requests.last().filter(|last| last.sel.said)
        {
            sel.noun = last.sel.noun;
            if sel.from.is_empty() {
                sel.from.clone_from(&last.sel.from);
            }
            if sel.with.is_empty() {
                sel.with.clone_from(&last.sel.with);
            }
        }
        // "Throw out everything from Groupon": what comes from somebody is mail.
        if sel.noun == Some(Noun::Any)
            && !sel.from.is_empty()
            && sel.with.is_empty()
            && sel.place.is_none()
        {
            sel.noun = Some(Noun::Mail);
        }
        // "Clear everything after 3pm": what stands at a time of day is in the calendar.
        let clears = cursor.said.pieces[..before.at]
            .last()
            .is_some_and(|verb| matches!(verb.word.as_str(), "clear" | "wipe"));
        if clears && sel.noun == Some(Noun::Any) && guess_kind(parse, &sel) == Some(Noun::Event) {
            sel.noun = Some(Noun::Event);
        }
        // "Clear Friday except the stand-up": all the others of it.
        sel.all |= sel.noun == Some(Noun::Event)
            && !sel.except.is_empty()
            && !sel.when.is_empty()
            && sel.title.is_none()
            && sel.about.is_none()
            && sel.pick.is_none()
            && sel.pron.is_none();
        // "Cancel any meeting with Omar": whichever there are.
        sel.all |= sel.det == Det::Any && sel.pron.is_none() && sel.pick.is_none();
        // "Cancel yoga for the rest of the month": each time in it.
        sel.all |= sel.noun == Some(Noun::Event)
            && sel.pick.is_none()
            && sel.pron.is_none()
            && sel.det == Det::None
            && sel.with.is_empty()
            && sel.when.iter().any(|index| {
                parse.said.times.get(*index).is_some_and(|found| {
                    matches!(found.value, Value::Interval { .. })
                        && (found.relation == crate::time::Relation::For
                            || parse
                                .said
                                .source
                                .get(found.span.clone())
                                .is_some_and(|text| text.to_lowercase().contains("rest of")))
                        && found.grain >= crate::time::Grain::Week
                })
            });
        // A further thing without a kind of its own is no further thing ("from Ana and the universe").
        if said && !sel.said && sel.pron.is_none() {
            *cursor = before;
            return Ok(());
        }
        // "Cancel lunch, the standup and the review tomorrow": the day holds for all of them, where no other was said.
        let day = sel
            .when
            .iter()
            .any(|index| (parse.said.times.get(*index)).is_some_and(|found| found.has_day));
        if day && said {
            let times = &parse.said.times;
            let dated = |index: &usize| times.get(*index).is_some_and(|found| found.has_day);
            let mut unclear = false;
            let earlier = parse.requests.iter_mut().skip(made).rev();
            for last in earlier
                .take_while(|last| last.act == Act::Delete && !last.sel.when.iter().any(dated))
            {
                if last.sel.when.is_empty() {
                    last.sel.when.clone_from(&sel.when);
                } else {
                    // "The 2pm and the 4pm on Friday": whether both are on that day was not said.
                    unclear = true;
                }
            }
            if unclear {
                return Err(parse.words(&before));
            }
        }
        // "My first and last meeting on Monday": what is said of the last holds for both.
        if sel.pick.is_some()
            && let Some(last) = parse.requests.last_mut().filter(|last| {
                last.act == Act::Delete
                    && last.span == (0..0)
                    && last.sel.pick.is_some()
                    && !last.sel.said
                    && last.sel.title.is_none()
            })
        {
            last.sel = Sel {
                pick: last.sel.pick,
                ..sel.clone()
            };
        }
        said = sel.said;
        kind = sel.noun.or(kind);
        parse.push(Request::new(Act::Delete, sel));
        let mut ahead = *cursor;
        if !ahead.eat_any(phrases!(", and | , | and | and also | as well as | plus"))
            || command_at(cursor, ahead.at - cursor.at)
            || filler::only_closers(&ahead)
        {
            break;
        }
        if ahead
            .sees_any(phrases!("then | if | tell | let | send | notify"))
            .is_some()
            || phrase(&mut { ahead }, kind, Rules::default()).is_none()
        {
            break;
        }
        before = *cursor;
        *cursor = ahead;
    }
    Ok(())
}

/// The kind of a thing named without a noun, from what the message is about.
fn guess_kind(parse: &Parse<'_, '_>, sel: &Sel) -> Option<Noun> {
    use adjutant_domain::route::Domain;
    if sel.pron.is_some() {
        return None;
    }
    if !sel.from.is_empty() || !sel.to.is_empty() || sel.folder.is_some() {
        return Some(Noun::Mail);
    }
    if !sel.with.is_empty() || !sel.when.is_empty() && sel.title.is_none() && !sel.due {
        return Some(Noun::Event);
    }
    match parse.domains {
        [Domain::Task] => Some(Noun::Task),
        [Domain::Calendar] => Some(Noun::Event),
        [Domain::Note] => Some(Noun::Note),
        [Domain::Email] => Some(Noun::Mail),
        _ if sel.due || sel.states.contains(&State::Overdue) => Some(Noun::Task),
        _ => None,
    }
}

/// "Remove the star from …", "remove the label X from …", "remove the due date from …".
fn remove_mark<'s, 'a>(
    parse: &mut Parse<'s, 'a>,
    cursor: &mut Cursor<'s, 'a>,
) -> Result<bool, Unread> {
    let mut ahead = *cursor;
    if ahead.eat(&["the star from", "the flag from", "star from", "stars from"]) {
        let sel = target(parse, &mut ahead, Some(Noun::Mail), Rules::default())?;
        parse.push(Request::new(Act::Star(false), sel));
        *cursor = ahead;
        return Ok(true);
    }
    if ahead.eat(&["the label", "the tag", "label", "tag"])
        && let Some(label) = value::text(&mut ahead, &["from"])
        && ahead.eat(&["from", "label from", "tag from"])
    {
        let sel = target(parse, &mut ahead, Some(Noun::Mail), Rules::default())?;
        let mut request = Request::new(Act::Unlabel, sel);
        request.vals.details = vec![label.text];
        parse.push(request);
        *cursor = ahead;
        return Ok(true);
    }
    Ok(false)
}

/// "Clear my calendar tomorrow", "clear my afternoon".
fn clear_time<'s, 'a>(parse: &mut Parse<'s, 'a>, cursor: &mut Cursor<'s, 'a>) -> bool {
    let mut ahead = *cursor;
    let inbox = ahead.eat_any(phrases!(
        "my inbox | the inbox | out my inbox | my entire inbox | my whole inbox"
    ));
    let tasks = !inbox
        && ahead.eat_any(phrases!(
            "my to do list | my task list | the to do list | my whole to do list | my entire to do list | my list of tasks"
        ));
    if !inbox
        && !tasks
        && !ahead.eat_any(phrases!(
            "my calendar | my schedule | the calendar | my agenda | my diary | my whole calendar | \
        my entire calendar | my entire schedule | my whole schedule"
        ))
    {
        let mut time = *cursor;
        time.eat(&["my", "all of", "the whole of", "out"]);
        let whole_day = time
            .sees_time()
            .and_then(|(index, _)| time.said.times.get(index))
            .is_some_and(|found| !matches!(found.value, Value::Instant(_) | Value::Duration(_)));
        let said = cursor
            .at
            .checked_sub(1)
            .and_then(|at| cursor.said.pieces.get(at))
            .is_some_and(|verb| {
                matches!(
                    verb.word.as_str(),
                    "clear" | "out" | "wipe" | "up" | "for" | "from"
                )
            });
        if !(whole_day && said && noun_free(&time)) {
            return false;
        }
        ahead = time;
    }
    let mut sel = Sel::of(if tasks {
        Noun::Task
    } else if inbox {
        Noun::Mail
    } else {
        Noun::Event
    });
    if inbox {
        sel.folder = Some("inbox");
    }
    sel.all = true;
    sel.plural = true;
    ahead.eat(&["for", "on"]);
    after::modifiers(&mut ahead, &mut sel, Rules::default());
    parse.push(Request::new(Act::Delete, sel));
    *cursor = ahead;
    true
}

/// Whether nothing but the time is said.
fn noun_free(cursor: &Cursor<'_, '_>) -> bool {
    let mut rest = *cursor;
    rest.time();
    !rest.is_content(0)
}

/// The rest of the clause, word for word, without politeness.
pub(super) fn rest(cursor: &mut Cursor<'_, '_>) -> Option<super::model::Words> {
    cursor.eat(&[":"]);
    if let Some(words) = cursor.quote() {
        return Some(words);
    }
    let start = cursor.at;
    while let Some(piece) = cursor.peek(0) {
        let first = cursor.at == start;
        if !first && filler::only_closers(cursor) {
            break;
        }
        if !first
            && (matches!(piece.word.as_str(), "and" | "then") || piece.word == ",")
            && (command_at(cursor, 1)
                || cursor.word(0) == ","
                    && cursor.sees(&[", if", ", and then", ", then"]).is_some())
        {
            break;
        }
        let last = piece.ends;
        if last && piece.form == Form::Mark {
            break;
        }
        cursor.at += 1;
        if last {
            break;
        }
    }
    cursor.words(start..cursor.at)
}
