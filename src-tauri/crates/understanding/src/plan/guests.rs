//! Everyone of an event, whoever sent a mail.

use super::cursor::Cursor;
use super::lexicon;
use super::model::{Pron, Sel, Who};
use super::noun;
use super::people::Place;
use super::table::phrases;

/// "Everyone in the 3pm meeting", "the attendees of the first event on Monday", "whoever sent it".
pub(super) fn guests(cursor: &mut Cursor<'_, '_>, place: Place) -> Option<Who> {
    if place == Place::Known {
        return None;
    }
    let mut ahead = *cursor;
    if ahead.eat(&[
        "the sender",
        "whoever sent it",
        "the person who sent it",
        "its sender",
    ]) {
        let mut sel = Sel::of(lexicon::Noun::Mail);
        if ahead.eat(&["of"]) {
            sel = noun::phrase(
                &mut ahead,
                Some(lexicon::Noun::Mail),
                noun::Rules::default(),
            )?;
        } else {
            sel.pron = Some(Pron::It);
        }
        *cursor = ahead;
        return Some(Who::SenderOf(Box::new(sel)));
    }
    let everyone = ahead.eat_any(phrases!(
        "everyone invited | everybody invited | everyone involved | everybody involved | everyone who is invited | everyone who was invited | everyone concerned | everyone on the invite | each of the people | all of the people | every one of the people | each one of the people | each attendee | each participant | every attendee | each guest | every participant | each person | each of the attendees | each of the participants | each of the guests | each invitee | everyone | everybody | all the attendees | all attendees | the attendees | attendees | \
        all the participants | all participants | the participants | participants | the guests | \
        all the guests | all guests | guests | the invitees | all invitees | the people | \
        all the people | those | all of those | all those | all | people | anyone | whoever | \
        the attendee | the person | the participant | the others | the folks | the guys | all the folks | \
        the team | the whole team | the group | the whole group | the crew"
    ));
    if !everyone {
        return None;
    }
    // "Everyone I meet tomorrow".
    if ahead.eat_any(phrases!(
        "i meet with | i meet | i am meeting with | i am meeting | i will meet | i have a meeting with | i have meetings with | \
        i am seeing | i see"
    )) {
        let mut sel = Sel {
            plural: true,
            ..Sel::of(lexicon::Noun::Event)
        };
        sel.when.push(ahead.time()?);
        *cursor = ahead;
        return Some(Who::GuestsOf(Box::new(sel)));
    }
    let which = ahead.eat_any(phrases!("of | in | at | from | attending | on | who is attending | who are attending | who is in | \
        who are in | invited to | who is invited to | who are invited to | going to | who is going to | \
        who are going to | who is at | who is coming to | coming to | that is attending | \
        that are attending | for | who will be at | is in | is attending | joining | who is on | \
        i am meeting with in | that is in | taking part in"));
    let sel = if which {
        noun::phrase(
            &mut ahead,
            Some(lexicon::Noun::Event),
            noun::Rules {
                titled_is_value: true,
                ..noun::Rules::default()
            },
        )?
    } else if matches!(cursor.word(0), "everyone" | "everybody" | "each" | "every")
        || cursor.word(0) == "the"
        || cursor.word(0) == "all" && !cursor.word(1).is_empty()
    {
        if ahead.at - cursor.at == 1 && cursor.word(0) == "all"
            || matches!(
                ahead
                    .said
                    .slice(cursor.at..ahead.at)
                    .to_lowercase()
                    .as_str(),
                "the people"
                    | "the person"
                    | "the others"
                    | "the folks"
                    | "the guys"
                    | "the team"
                    | "the whole team"
                    | "the group"
                    | "the whole group"
                    | "the crew"
            )
        {
            return None;
        }
        Sel {
            pron: Some(Pron::That),
            ..Sel::of(lexicon::Noun::Event)
        }
    } else {
        return None;
    };
    if sel.noun != Some(lexicon::Noun::Event) {
        return None;
    }
    // "Everyone on the design team": people of a group, not of an event.
    let group = sel.title.as_ref().is_some_and(|words| {
        let last = words.text.rsplit(' ').next().unwrap_or("").to_lowercase();
        matches!(
            last.as_str(),
            "team"
                | "department"
                | "group"
                | "committee"
                | "staff"
                | "company"
                | "office"
                | "squad"
                | "board"
                | "list"
        )
    });
    if group && !sel.said && !sel.exact {
        return None;
    }
    *cursor = ahead;
    Some(Who::GuestsOf(Box::new(sel)))
}
