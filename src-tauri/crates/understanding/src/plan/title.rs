//! The noun of a phrase with the words of a title around it.

use super::command::command_at;
use super::cursor::Cursor;
use super::lexicon::{self, NOUNS, Noun, STATES, Use};
use super::model::{Sel, Words};
use super::named::kind_and_name;
use super::people::{self, Place};
use super::said::Form;
use crate::time::{Grain, Value};
use std::ops::Range;

/// Endings of the files that hold tables.
pub(super) const SPREADSHEETS: &str = "*.{xlsx,xls,ods,csv}";

/// Pieces of one title.
pub(super) const TITLE_MAX: usize = 24;

/// Words that never belong to a title in front of or behind a noun.
pub(super) const STOPS: &[&str] = &[
    "called",
    "named",
    "titled",
    "entitled",
    "regarding",
    "concerning",
    "mentioning",
    "mention",
    "mentions",
    "ends",
    "starts",
    "begins",
    "finishes",
    "containing",
    "discussing",
    "saying",
    "sent",
    "received",
    "got",
    "starting",
    "beginning",
    "ending",
    "scheduled",
    "planned",
    "booked",
    "due",
    "marked",
    "flagged",
    "tagged",
    "labelled",
    "labeled",
    "assigned",
    "except",
    "excluding",
    "thanks",
    "asap",
    "anymore",
    "instead",
    "longer",
    "shorter",
    "older",
    "newer",
    "please",
    "happening",
    "taking",
    "lasting",
    "later",
    "earlier",
    "stating",
    "forwarded",
    "need",
    "needs",
    "want",
    "wants",
    "get",
    "received",
    "having",
    "involving",
    "including",
    "until",
    "unless",
    "because",
    "since",
    "mean",
    "again",
    "overdue",
    "instead",
    "according",
    "between",
    "during",
    "regardless",
    "whose",
    "arrived",
    "came",
    "remain",
    "remaining",
    "left",
    "coming",
    "happen",
    "read",
    "saved",
    "located",
    "held",
    "back",
    "forward",
    "up",
    "out",
    "off",
    "organized",
    "organised",
    "written",
    "only",
    "telling",
    "asking",
    "letting",
    "explaining",
    "thanking",
    "say",
    "says",
    "contain",
    "contains",
    "sorted",
    "ordered",
    "arranged",
    "ranked",
];

/// The noun with the words of a title around it.
pub(super) fn head(cursor: &mut Cursor<'_, '_>, sel: &mut Sel, default: Option<Noun>) -> bool {
    if let Some(words) = cursor.quote() {
        sel.exact = true;
        sel.title = Some(words);
        if let Some(((noun, _), len)) = cursor.sees_in(&NOUNS) {
            sel.noun = Some(noun);
            sel.said = noun != Noun::Any;
            sel.plural = is_plural(cursor, len);
            cursor.at += len;
        }
        return true;
    }
    if let Some(piece) = cursor.peek(0)
        && piece.form == Form::File
    {
        sel.file = Some(cursor.said.slice(cursor.at..cursor.at + 1).to_owned());
        sel.noun = Some(Noun::File);
        cursor.at += 1;
        cursor.eat(&["file", "document"]);
        return true;
    }
    let Some(range) = title_range(cursor) else {
        return false;
    };
    if kind_and_name(cursor, &range, default, sel) {
        return true;
    }
    // "Answer Kim's question about the parking": her mail.
    if default == Some(Noun::Mail)
        && !sel.from.is_empty()
        && range.len() == 1
        && matches!(
            cursor.said.pieces[range.start].base.as_str(),
            "question" | "query" | "enquiry" | "inquiry" | "request" | "note" | "text"
        )
    {
        sel.noun = Some(Noun::Mail);
        sel.said = true;
        cursor.at = range.end;
        return true;
    }
    let Some((noun, used, at, len)) = head_of(cursor, &range) else {
        // No noun: the words are the title of something of the verb's kind.
        sel.title = cursor.words(range.clone());
        sel.noun = default;
        cursor.at = range.end;
        return true;
    };
    let ends_run = at + len == range.end;
    // "The alarm code" is no alarm.
    let begins_run =
        at == range.start && !(noun == Noun::Reminder && cursor.said.pieces[at].base == "alarm");
    sel.plural = cursor
        .said
        .pieces
        .get(at + len - 1)
        .is_some_and(|piece| piece.word != piece.base && piece.word.ends_with('s'))
        || matches!(
            cursor.said.pieces.get(at).map(|piece| piece.word.as_str()),
            Some("everything" | "anything" | "stuff" | "ones")
        );
    sel.said = noun != Noun::Any;
    // "My drafts" are a folder, "Raj's roadmap draft" is what a mail is called.
    if noun == Noun::Mail
        && at == range.start
        && sel.from.is_empty()
        && cursor
            .said
            .pieces
            .get(at)
            .is_some_and(|piece| piece.base == "draft")
    {
        sel.folder = Some("drafts");
    }
    if noun == Noun::File
        && let Some(kind) = cursor.said.pieces[at..at + len]
            .iter()
            .find(|piece| matches!(piece.base.as_str(), "pdf" | "csv"))
    {
        sel.file = Some(format!("*.{}", kind.base));
    } else if noun == Noun::File
        && cursor.said.pieces[at..at + len]
            .iter()
            .any(|piece| piece.base == "spreadsheet")
    {
        sel.file = Some(SPREADSHEETS.to_owned());
    }
    if ends_run {
        sel.noun = Some(noun);
        let title = range.start..at;
        sel.title = match used {
            Use::Titled => titled(cursor, range.start..range.end, sel.plural),
            _ => cursor.words(title),
        };
        cursor.at = range.end;
    } else if begins_run && used == Use::Plain {
        sel.noun = Some(noun);
        cursor.at = at + len;
        if let Some(words) = cursor.words(at + len..range.end) {
            sel.title = Some(words);
            cursor.at = range.end;
        }
    } else {
        sel.noun = default.filter(|kind| *kind != Noun::Any).or(Some(noun));
        sel.title = cursor.words(range.clone());
        cursor.at = range.end;
    }
    if sel.noun == Some(Noun::Any)
        && default.is_some()
        && sel.title.is_none()
        && matches!(
            cursor.said.pieces.get(at).map(|piece| piece.word.as_str()),
            Some(
                "thing"
                    | "things"
                    | "item"
                    | "items"
                    | "entry"
                    | "entries"
                    | "everything"
                    | "anything"
                    | "stuff"
            )
        )
    {
        sel.all |= sel.plural;
        sel.noun = default;
    }
    // "The file report.pdf".
    if sel.noun == Some(Noun::File)
        && let Some(piece) = cursor.peek(0).filter(|piece| piece.form == Form::File)
    {
        sel.file = cursor
            .said
            .source
            .get(piece.span.clone())
            .map(str::to_owned);
        cursor.at += 1;
    }
    // A quotation behind the noun names it: "the task 'buy milk'".
    if sel.title.is_none()
        && let Some(words) = cursor.quote()
    {
        sel.exact = true;
        sel.title = Some(words);
    }
    true
}

/// The title with its last word in the singular, so that "reviews" finds "review".
pub(super) fn titled(cursor: &Cursor<'_, '_>, range: Range<usize>, plural: bool) -> Option<Words> {
    let mut words = cursor.words(range.clone())?;
    if plural && let Some(last) = cursor.said.pieces.get(range.end - 1) {
        let cut = words.text.len().checked_sub(last.span.len())?;
        words.text = format!("{}{}", words.text.get(..cut)?, last.base);
    }
    Some(words)
}

pub(super) fn is_plural(cursor: &Cursor<'_, '_>, len: usize) -> bool {
    len.checked_sub(1)
        .and_then(|last| cursor.peek(last))
        .is_some_and(|piece| piece.word != piece.base && piece.word.ends_with('s'))
}

/// The noun that heads a run of words: the one it ends with, else the one it begins with, else any.
pub(super) fn head_of(
    cursor: &Cursor<'_, '_>,
    range: &Range<usize>,
) -> Option<(Noun, Use, usize, usize)> {
    let mut found = None;
    let mut at = range.start;
    while at < range.end {
        match NOUNS.at(&cursor.said.pieces[..range.end], at) {
            Some(((noun, used), len)) => {
                // "My note Garden plans": the first noun says what it is, the rest its name.
                let named = at == range.start
                    && used == Use::Plain
                    && matches!(noun, Noun::Task | Noun::Note | Noun::Contact)
                    && cursor
                        .said
                        .pieces
                        .get(at + len)
                        .is_some_and(|next| next.capital && at + len < range.end);
                if named {
                    return Some((noun, used, at, len));
                }
                if found.is_none() || at + len == range.end {
                    found = Some((noun, used, at, len));
                }
                at += len;
            }
            None => at += 1,
        }
    }
    found
}

/// The run of words that may be a title with its noun.
pub(super) fn title_range(cursor: &Cursor<'_, '_>) -> Option<Range<usize>> {
    let mut len = 0;
    // "The stand-up": a small word inside a noun ends it.
    let mut noun_end = 0;
    let mut after_noun = false;
    while len < TITLE_MAX {
        let Some(piece) = cursor.peek(len) else { break };
        if len > 0 && cursor.peek(len - 1).is_some_and(|last| last.ends) {
            break;
        }
        let at = cursor.at + len;
        if let Some((_, noun_len)) = NOUNS.at(&cursor.said.pieces[..cursor.end], at)
            && !(after_noun
                && piece.base != piece.word
                && cursor
                    .peek(len + noun_len)
                    .is_some_and(|next| next.form == Form::Mark))
        {
            len += noun_len;
            noun_end = len;
            after_noun = true;
            continue;
        }
        let fits = match piece.form {
            Form::Word | Form::Number | Form::Ordinal | Form::Mark => {
                word_fits(cursor, len, after_noun)
            }
            Form::Time(index) => time_fits(cursor, len, index, after_noun),
            _ => false,
        };
        if !fits {
            break;
        }
        after_noun = false;
        len += 1;
    }
    // A joint or preposition never ends a title.
    while len > noun_end
        && cursor
            .peek(len - 1)
            .is_some_and(|last| last.form == Form::Mark || lexicon::is_function(&last.word))
    {
        len -= 1;
    }
    (len > 0).then_some(cursor.at..cursor.at + len)
}

pub(super) fn word_fits(cursor: &Cursor<'_, '_>, len: usize, after_noun: bool) -> bool {
    let Some(piece) = cursor.peek(len) else {
        return false;
    };
    if piece.leads.is_some() {
        return false;
    }
    let word = piece.word.as_str();
    if cursor.is_content(len) {
        if STOPS.contains(&word) && !(piece.capital && len > 0) {
            return false;
        }
        // "Make lunch last two hours".
        if len > 0
            && matches!(word, "last" | "take" | "run" | "start" | "begin")
            && is_length(cursor, len + 1)
        {
            return false;
        }
        if after_noun {
            let mut ahead = *cursor;
            ahead.at += len;
            if ahead.sees_in(&STATES).is_some() || people::one(&mut ahead, Place::Known).is_some() {
                return false;
            }
        }
        return true;
    }
    if len == 0 || after_noun && !matches!(word, "-" | "&" | "/") {
        return false;
    }
    let next_content = cursor.is_content(len + 1);
    match word {
        "of" | "&" | "-" | "/" | "'s" | ":" => next_content && !(after_noun && word == "of"),
        "and" => next_content && !command_at(cursor, len + 1) && noun_later(cursor, len + 1),
        _ => false,
    }
}

/// Whether a length of time stands `ahead` places on.
fn is_length(cursor: &Cursor<'_, '_>, ahead: usize) -> bool {
    cursor.peek(ahead).is_some_and(|piece| match piece.form {
        Form::Time(index) => cursor
            .said
            .times
            .get(index)
            .is_some_and(|found| matches!(found.value, Value::Duration(_))),
        _ => false,
    })
}

/// Whether the run after "and" ends with a noun of its own, without naming one before.
pub(super) fn noun_later(cursor: &Cursor<'_, '_>, from: usize) -> bool {
    let mut at = from;
    while at < from + 6 && cursor.is_content(at) {
        if let Some((_, len)) = NOUNS.at(&cursor.said.pieces[..cursor.end], cursor.at + at) {
            return at > from || cursor.is_content(at + len);
        }
        at += 1;
    }
    false
}

pub(super) fn time_fits(
    cursor: &Cursor<'_, '_>,
    len: usize,
    index: usize,
    after_noun: bool,
) -> bool {
    let follows =
        cursor.is_content(len + 1) && cursor.peek(len + 1).is_none_or(|next| next.leads.is_none());
    let Some(found) = cursor.said.times.get(index) else {
        return false;
    };
    let namelike = matches!(found.value, Value::Set { .. } | Value::Duration(_))
        || matches!(
            found.grain,
            Grain::Quarter | Grain::Year | Grain::Decade | Grain::Month
        );
    // "An hour long" says how long, not what it is called.
    let measure = matches!(
        cursor.word(len + 1),
        "long" | "longer" | "shorter" | "earlier" | "later"
    );
    // "The email Quarterly report".
    let named = cursor
        .peek(len)
        .is_some_and(|piece| piece.capital && matches!(found.value, Value::Set { .. }));
    follows && (!after_noun || named) && namelike && !measure
}
