//! Conditions on mail: "Nadia hasn't emailed me since Monday", "I haven't heard from Ana in a week".

use super::condition::{Half, auxiliary, me, resolve_they};
use super::elapsed::since;
use super::joints::ABOUT;
use super::table::phrases;

use super::clause::Parse;
use super::cursor::Cursor;
use super::lexicon::Noun;
use super::model::{Sel, Test};
use super::noun::Rules;
use super::people::{self, Place};

/// "Nadia hasn't emailed me since Monday", "I haven't heard from Ana in a week", "I haven't replied to Bob".
pub(super) fn mailed(parse: &Parse<'_, '_>, cursor: &mut Cursor<'_, '_>) -> Option<Half> {
    let mut ahead = *cursor;
    let mut sel = Sel::of(Noun::Mail);
    let mut open = false;
    let denied;
    if me(&mut ahead) {
        denied = auxiliary(&mut ahead).unwrap_or(false);
        if got_mail(&mut ahead) || ahead.eat_any(phrases!("heard from | heard back from | received an email from | received any emails from | \
        received anything from | received a reply from | received a response from | \
        gotten an email from | got an email from | get an email from | received a message from | \
        gotten a reply from | got a reply from | hear from | hear back from | received emails from | \
        had an email from | had any emails from | received mail from | got any emails from | \
        gotten any emails from")) {
            sel.from = people::list(&mut ahead, Place::Sure);
        } else if ahead.eat_any(phrases!("emailed | written to | sent an email to | sent any emails to | sent anything to | contacted | \
        messaged | sent a message to | mailed | reached out to | replied to | written | answered | \
        responded to")) {
            sel.to = people::list(&mut ahead, Place::Sure);
            sel.mine = true;
        } else {
            return None;
        }
    } else {
        let nobody = ahead.eat(&["nobody", "no one", "noone"]);
        let anybody = !nobody && ahead.eat(&["anyone", "anybody", "someone", "somebody"]);
        let who = if nobody || anybody {
            None
        } else {
            Some(people::one(&mut ahead, Place::Sure)?)
        };
        denied = auxiliary(&mut ahead).unwrap_or(false) || nobody;
        if !ahead.eat_any(phrases!("emailed me | mailed me | mailed | mail me | texted me | emailed | written to me | written | written back | replied to me | replied | \
        responded | sent me an email | sent me anything | sent me any emails | sent me a message | \
        messaged me | contacted me | answered | responded to me | answered me | gotten back to me | \
        got back to me | sent an email | been in touch | sent anything | sent a reply | \
        sent me a reply | email me | reply | respond | send me an email | wrote to me | wrote me | \
        get back to me | reached out | sent me any email | answer"))
            && !sent_me(&mut ahead)
        {
            return None;
        }
        // Of anybody only what they write about or when narrows it; without that it would be any mail there is.
        if who.is_none() && ahead.sees_any(&ABOUT).is_none() && ahead.sees_time().is_none() {
            return None;
        }
        open = who.is_none();
        sel.from = who.into_iter().collect();
    }
    if sel.from.is_empty() && sel.to.is_empty() && !open {
        return None;
    }
    resolve_they(parse, &mut sel.from);
    resolve_they(parse, &mut sel.to);
    if sel.mine || !sel.from.is_empty() {
        let mut mail = ahead;
        mail.eat(&["to"]);
        if mail.eat(&["my", "the", "our"]) {
            mail.eat(&["last", "latest", "first"]);
            if mail.eat_any(phrases!(
                "email | mail | message | question | note | emails | mails | messages"
            )) {
                ahead = mail;
            }
        }
    }
    if ahead.sees_any(&ABOUT).is_some() {
        super::after::modifiers(
            &mut ahead,
            &mut sel,
            Rules {
                times_are_values: true,
                ..Rules::default()
            },
        );
    }
    let within = since(&mut ahead, &mut sel);
    *cursor = ahead;
    Some(Half {
        sel,
        test: Test::Exists(!denied),
        within,
    })
}

/// "Sent me any mail", "dropped me a new message", "send over an update".
pub(super) fn sent_me(cursor: &mut Cursor<'_, '_>) -> bool {
    let mut ahead = *cursor;
    if !ahead.eat(&[
        "sent", "send", "sends", "written", "wrote", "dropped", "shot", "left",
    ]) {
        return false;
    }
    ahead.eat(&["me", "us", "over"]);
    if !a_mail(&mut ahead) {
        return false;
    }
    ahead.eat(&["to me", "over", "back"]);
    *cursor = ahead;
    true
}

/// "Had any new mail from", "gotten a single message from".
pub(super) fn got_mail(cursor: &mut Cursor<'_, '_>) -> bool {
    let mut ahead = *cursor;
    let got = ahead.eat(&[
        "received", "gotten", "got", "get", "had", "receive", "have", "seen",
    ]) && a_mail(&mut ahead)
        && ahead.eat(&["from", "back from", "by"]);
    if got {
        *cursor = ahead;
    }
    got
}

/// "Any new mail", "a reply", "anything".
pub(super) fn a_mail(cursor: &mut Cursor<'_, '_>) -> bool {
    cursor.eat(&["an", "a", "any", "some", "another", "even one", "one", "no"]);
    cursor.eat(&["single", "new", "further", "more"]);
    cursor.eat_any(phrases!(
        "email | mail | message | e mail | reply | response | answer | note | anything | something | update"
    ))
}
