//! Which part of the grammar reads what stands behind a verb.

use super::alter;
use super::answer;
use super::clause::{Parse, Read};
use super::cursor::Cursor;
use super::find;
use super::lexicon::{NOUNS, Noun, Verb};
use super::mark;
use super::model::Act;
use super::said::Form;
use super::task;
use super::{attachment, change, create, keep, mail, swap};
use super::{resize, shift};

impl<'s, 'a> Parse<'s, 'a> {
    /// Words that are nouns here although they are verbs elsewhere: "emails from Bob", "reminders", "notes about X".
    pub(super) fn noun_is_meant(&self, cursor: &Cursor<'s, 'a>, verb: Verb, len: usize) -> bool {
        let Some(first) = cursor.peek(0) else {
            return false;
        };
        let Some(((noun, _), noun_len)) = NOUNS.at(&self.said.pieces[..cursor.end], cursor.at)
        else {
            return false;
        };
        if noun_len > len || first.word != first.base {
            return true;
        }
        let next = cursor.word(len);
        match (verb, noun) {
            (Verb::Mail, Noun::Mail) => {
                matches!(next, "from" | "about" | "to" | "in" | "")
                    && cursor
                        .peek(len)
                        .is_none_or(|piece| piece.form == Form::Word)
            }
            (Verb::Note, Noun::Note) => false,
            _ => false,
        }
    }

    pub(super) fn verb(&mut self, cursor: &mut Cursor<'s, 'a>, verb: Verb) -> Read {
        match verb {
            Verb::Delete | Verb::Cancel => change::delete(self, cursor, verb),
            Verb::Move | Verb::Advance | Verb::Delay => shift::shift(self, cursor, verb),
            Verb::Rename => alter::rename(self, cursor),
            Verb::Change => alter::change(self, cursor),
            Verb::Invite | Verb::Uninvite => change::invite(self, cursor, verb == Verb::Invite),
            Verb::Extend | Verb::Shorten => resize::resize(self, cursor, verb == Verb::Extend),
            Verb::Accept => mark::respond(self, cursor, "accepted"),
            Verb::Decline => mark::respond(self, cursor, "declined"),
            Verb::Tentative => mark::respond(self, cursor, "tentative"),
            Verb::Complete => mark::complete(self, cursor),
            Verb::Reopen => mark::simple(self, cursor, Act::Reopen, Noun::Task),
            Verb::Prioritise => mark::prioritise(self, cursor),
            Verb::Mark => mark::mark(self, cursor),
            Verb::Star => mark::simple(self, cursor, Act::Star(true), Noun::Mail),
            Verb::Unstar => mark::simple(self, cursor, Act::Star(false), Noun::Mail),
            Verb::Archive => mark::simple(self, cursor, Act::File("archive"), Noun::Mail),
            Verb::Label => mark::label(self, cursor),
            Verb::Create | Verb::Book | Verb::Meet => create::create(self, cursor, verb),
            Verb::Remind => task::remind(self, cursor),
            Verb::Show if self.gets_in(cursor) => create::create(self, cursor, Verb::Create),
            Verb::Show
                if cursor.said.pieces[cursor.at - 1].word == "get"
                    && change::remove_guest(self, cursor) =>
            {
                Ok(())
            }
            Verb::Show if mark::gives(cursor) => mark::give(self, cursor),
            Verb::Show | Verb::Find | Verb::Count | Verb::Read => find::show(self, cursor, verb),
            Verb::Send | Verb::Mail | Verb::Tell | Verb::Ask | Verb::Draft => {
                mail::send(self, cursor, verb)
            }
            Verb::Reply | Verb::ReplyAll => answer::reply(self, cursor, verb == Verb::ReplyAll),
            Verb::Forward => answer::forward(self, cursor),
            Verb::Note | Verb::Append => keep::note(self, cursor, verb),
            Verb::Remember => keep::remember(self, cursor),
            Verb::Forget => keep::forget(self, cursor),
            Verb::Compute => keep::compute(self, cursor),
            Verb::Swap => swap::swap(self, cursor),
            Verb::Replace => swap::replace(self, cursor),
            Verb::End => shift::ends(self, cursor),
            Verb::Thank => mail::thank(self, cursor),
            Verb::Save => {
                if let Some(request) = super::detail::detail_of(cursor) {
                    self.push(request);
                    return Ok(());
                }
                attachment::save(self, cursor)
            }
        }
    }
}
