//! Folders of mail as what a request is about: "show my inbox", "what's in the trash", "open the sent folder".

use std::sync::LazyLock;

use super::cursor::Cursor;
use super::filler;
use super::lexicon::{Noun, State};
use super::model::{Act, Det, Request, Sel};
use super::places::PLACES;
use super::said::Piece;
use super::table::{Table, phrases};

static FOLDERS: LazyLock<Table<&'static str>> = LazyLock::new(|| {
    Table::new(&[
        (
            "inbox | inbox folder | mail inbox | email inbox | in box",
            "inbox",
        ),
        (
            "trash | trash folder | trash can | bin | recycle bin | deleted items | deleted items folder | garbage",
            "trash",
        ),
        (
            "archive | archives | archive folder | mail archive | email archive | archived folder",
            "archive",
        ),
        ("drafts | drafts folder | draft folder", "drafts"),
        ("outbox | outbox folder | out box", "outbox"),
        (
            "sent folder | sent items | sent mail folder | sent mails folder | sent items folder | sent box",
            "sent",
        ),
        (
            "spam | spam folder | junk | junk folder | junk mail | spam mail | junk mail folder",
            "junk",
        ),
    ])
});

/// A folder as the whole thing: everything in it. `default` is the kind the verb suggests.
pub(super) fn folder(cursor: &mut Cursor<'_, '_>, sel: &mut Sel, default: Option<Noun>) -> bool {
    let Some((folder, len)) = cursor.sees_in(&FOLDERS) else {
        return false;
    };
    let mut behind = *cursor;
    behind.at += len;
    // "The archive project meeting", "my inbox rules note"; "archive it" is no folder, "cancel the spam" no mail.
    let whole = match sel.det {
        Det::The | Det::My | Det::That => !behind.is_content(0) && behind.word(0) != "'s",
        Det::None => filler::only_closers(&behind),
        _ => false,
    };
    if !whole || matches!(default, Some(Noun::Event | Noun::Note | Noun::File)) {
        return false;
    }
    // "Check my inbox for mails from Ana": whose they are follows.
    let mut looked_for = behind;
    if looked_for.eat(&["for"]) {
        looked_for.eat_any(phrases!("any | all | the | some | all the"));
        if looked_for.eat_any(phrases!(
            "mail | mails | email | emails | message | messages | anything | something | everything"
        )) {
            behind = looked_for;
        }
    }
    *cursor = behind;
    sel.noun = Some(Noun::Mail);
    sel.said = true;
    sel.folder = Some(folder);
    sel.plural = true;
    sel.all = true;
    true
}

/// "Anything new in my inbox", "any unread in the archive": the word that was taken for a title says what the mails are like.
pub(super) fn like(sel: &mut Sel) {
    let state = sel
        .title
        .as_ref()
        .filter(|words| !words.quoted)
        .and_then(|words| match words.text.to_lowercase().as_str() {
            "unread" | "new" | "unopened" | "new unread" => Some(State::Unread),
            "starred" | "flagged" => Some(State::Starred),
            "unanswered" => Some(State::Unanswered),
            _ => None,
        });
    if let Some(state) = state {
        sel.title = None;
        sel.states.push(state);
        sel.plural = true;
    }
}

/// "Go through my inbox and delete the newsletters": the ones in that folder.
pub(super) fn carry(requests: &mut [Request]) {
    for at in 1..requests.len() {
        let before = &requests[at - 1];
        let Some(folder) = before
            .sel
            .folder
            .filter(|_| matches!(before.act, Act::Query(_)))
        else {
            continue;
        };
        let made = &mut requests[at];
        let acts = !matches!(made.act, Act::Query(_) | Act::Read | Act::Send | Act::Draft);
        if acts && made.sel.noun == Some(Noun::Mail) && made.sel.pron.is_none() && !made.sel.mine {
            made.sel.folder.get_or_insert(folder);
        }
    }
}

/// Whether the pieces name a place where mail lies.
pub(super) fn holds_mail(pieces: &[Piece]) -> bool {
    (0..pieces.len()).any(|at| {
        PLACES
            .at(pieces, at)
            .is_some_and(|((noun, _), _)| noun == Some(Noun::Mail))
    })
}
