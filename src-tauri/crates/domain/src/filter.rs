//! Which rows of one kind, in which order, and which part of them: plain data that storage turns into a query.
//!
//! Tools, `show` and the window ask for lists in this one way, so what can be asked for, what comes first and how many
//! there are is decided in one place.

use jiff::Timestamp;

use crate::ids::RecordId;
use crate::record::{Folder, OutboxState, Priority, Writer};

/// A half-open range of time; `None` is open.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Window {
    /// From here on.
    pub from: Option<Timestamp>,
    /// Up to here, exclusive.
    pub to: Option<Timestamp>,
}

impl Window {
    /// Whether a point in time lies inside.
    #[must_use]
    pub fn holds(&self, at: Timestamp) -> bool {
        self.from.is_none_or(|from| at >= from) && self.to.is_none_or(|to| at < to)
    }

    /// Whether it bounds nothing at all.
    #[must_use]
    pub fn is_open(&self) -> bool {
        *self == Self::default()
    }
}

/// A list: the rows that pass every test, in an order, from an offset on, at most so many.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Filter {
    /// All of them hold. A test that a kind of row does not know is refused, see [`Test`].
    pub tests: Vec<Test>,
    /// Order.
    pub order: Order,
    /// So many rows that fit are passed over.
    pub offset: usize,
    /// At most so many; `None` all.
    pub limit: Option<usize>,
}

/// One condition on a row. Each says for which kinds it stands; storage refuses it for others.
#[derive(Clone, Debug, PartialEq)]
pub enum Test {
    /// One of these rows. All kinds.
    Ids(Vec<RecordId>),
    /// Words that occur in a field. All kinds; which fields a kind has says [`Field`].
    Words {
        /// Where.
        field: Field,
        /// The words; no words at all, and every row fits.
        text: String,
        /// How they are compared.
        how: Match,
    },
    /// The subject (mail) or key (memory) is exactly this; case and surrounding space do not matter. The title of a task
    /// or note is these words, whatever their accents and punctuation.
    Called(String),
    /// Any of these takes part: an address exactly, or a name word by word. Mail, outbox, events.
    With(Role, Vec<String>),
    /// In a range of time.
    Within(Time, Window),
    /// Has a mark, or has it not.
    Is(Mark, bool),
    /// Past its due date, or not. Tasks.
    Overdue {
        /// Instants before this are past.
        now: Timestamp,
        /// Days that begin before this are past.
        today: Timestamp,
        /// Wanted, or unwanted.
        is: bool,
    },
    /// Of this priority. Tasks.
    Priority(Priority),
    /// In one of these states. Outbox.
    States(Vec<OutboxState>),
    /// In one of these folders. Mail; without this test, trash and junk are left out.
    Folders(Vec<Folder>),
    /// Written by such a sender, as far as the head of the source tells. Mail.
    WrittenBy(Writer),
    /// With this label. Mail, notes.
    Label(String),
    /// In the calendar of this name. Events.
    Calendar(String),
    /// Of this iCalendar UID: a series and its exceptions. Events.
    Uid(String),
}

/// Where words are looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Field {
    /// Everywhere in the row.
    Anywhere,
    /// Title or subject. Tasks, notes, mail, outbox.
    Title,
    /// Name, nicknames, relation and addresses of a contact; name and address of the sender of a mail.
    Names,
    /// Where a contact works.
    Organisation,
}

/// How words are compared; case, accents and English plurals never matter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Match {
    /// All occur.
    All,
    /// All occur as people say them: "dont" is "don't", and the beginning of a word stands for it where it is long enough.
    /// No words at all, and no row fits. Tasks, notes, contacts.
    Loose,
    /// All occur, and any beginning stands for its word; an address must be the whole address. Contacts.
    Beginnings,
    /// Some occur, best first. Memories.
    Ranked,
}

/// What somebody has to do with a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Sender of a mail; guest or organizer of an event.
    From,
    /// Recipient of a mail.
    To,
    /// Sender or recipient of a mail.
    Either,
}

/// Times of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Time {
    /// From start to end of an event, which has to touch the range.
    Happens,
    /// When a task is due; without a due date it lies in no range.
    Due,
    /// When a task was completed.
    Completed,
    /// The date of a mail.
    Dated,
    /// When a note or an outgoing mail was last changed.
    Changed,
}

/// What a row is or has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    /// A task is completed.
    Done,
    /// A task has a due date.
    HasDue,
    /// A task repeats.
    Repeats,
    /// A mail was read.
    Read,
    /// A mail is starred.
    Starred,
    /// A mail has attachments.
    HasAttachment,
    /// The person answered a mail, or approved an answer.
    Answered,
    /// A memory still holds.
    Current,
    /// A memory is kept without being used, because it was read in text of others.
    SetAside,
}

/// What comes first. Rows that are alike keep the natural order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Order {
    /// Tasks: open before done, then by due date (none last), then by priority. Events and mail: earliest first. Notes,
    /// memories and outgoing mail: latest change first; memories with ranked words: best first. Contacts: by name.
    #[default]
    Natural,
    /// Earliest first: due date or reminder, start, or date. What has none comes last.
    Earliest,
    /// Latest first. What has none comes last.
    Latest,
    /// Oldest first. Tasks, notes.
    Oldest,
    /// Newest first. Tasks, notes.
    Newest,
    /// Earliest change first. Notes, memories, outgoing mail.
    ChangedFirst,
    /// Least urgent first. Tasks.
    LeastUrgent,
    /// Most urgent first. Tasks.
    MostUrgent,
    /// Smallest first. Mail, outgoing mail.
    Smallest,
    /// Largest first. Mail, outgoing mail.
    Largest,
    /// By title, or by key. Tasks, notes, memories.
    Title,
}

impl Filter {
    /// Every row, in the natural order.
    #[must_use]
    pub fn all() -> Self {
        Self::default()
    }

    /// Memories that answers may use: they hold, and are not set aside.
    #[must_use]
    pub fn used_memories() -> Self {
        Self::all()
            .is(Mark::Current, Some(true))
            .is(Mark::SetAside, Some(false))
    }

    /// Only rows that pass this test as well.
    #[must_use]
    pub fn and(mut self, test: Test) -> Self {
        self.tests.push(test);
        self
    }

    /// Only rows that pass this test as well, where there is one.
    #[must_use]
    pub fn maybe(mut self, test: Option<Test>) -> Self {
        self.tests.extend(test);
        self
    }

    /// Only rows in which all of these words occur.
    #[must_use]
    pub fn words(self, text: Option<&str>) -> Self {
        self.words_in(Field::Anywhere, Match::All, text)
    }

    /// Only rows with these words in one field.
    #[must_use]
    pub fn words_in(self, field: Field, how: Match, text: Option<&str>) -> Self {
        self.maybe(text.map(|text| Test::Words {
            field,
            text: text.to_owned(),
            how,
        }))
    }

    /// Only rows in which any of these takes part; nobody: every row.
    #[must_use]
    pub fn with(self, role: Role, who: Vec<String>) -> Self {
        self.maybe((!who.is_empty()).then_some(Test::With(role, who)))
    }

    /// Only rows in a range of time; an open one holds every row.
    #[must_use]
    pub fn within(self, time: Time, window: Window) -> Self {
        self.maybe((!window.is_open()).then_some(Test::Within(time, window)))
    }

    /// Memories that hold some of these words, best first.
    #[must_use]
    pub fn best(self, text: &str) -> Self {
        self.words_in(Field::Anywhere, Match::Ranked, Some(text))
    }

    /// Only rows that have a mark, or have it not; `None`: every row.
    #[must_use]
    pub fn is(self, mark: Mark, wanted: Option<bool>) -> Self {
        self.maybe(wanted.map(|wanted| Test::Is(mark, wanted)))
    }

    /// Lists in this order instead of the usual one of the kind.
    #[must_use]
    pub fn ordered(self, order: Order) -> Self {
        Self { order, ..self }
    }

    /// At most so many; `None`: all.
    #[must_use]
    pub fn at_most(self, limit: Option<usize>) -> Self {
        Self { limit, ..self }
    }

    /// Only what comes after the first so many.
    #[must_use]
    pub fn after(self, offset: usize) -> Self {
        Self { offset, ..self }
    }

    /// Whether a test is among its tests.
    #[must_use]
    pub fn has(&self, wanted: &Test) -> bool {
        self.tests.contains(wanted)
    }

    /// The range of time its rows lie in; open where it says nothing.
    #[must_use]
    pub fn window(&self, time: Time) -> Window {
        let of = |test: &Test| match test {
            Test::Within(of, window) if *of == time => Some(*window),
            _ => None,
        };
        self.tests.iter().find_map(of).unwrap_or_default()
    }

    /// The same at any time.
    #[must_use]
    pub fn anytime(mut self) -> Self {
        self.tests
            .retain(|test| !matches!(test, Test::Within(Time::Happens, _)));
        self
    }

    /// The part of rows that were found and are in order which it asks for.
    #[must_use]
    pub fn part<R>(&self, rows: Vec<R>) -> Vec<R> {
        let limit = self.limit.unwrap_or(usize::MAX);
        rows.into_iter().skip(self.offset).take(limit).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_asked_for_adds_no_test() {
        let filter = Filter::all()
            .words(None)
            .with(Role::From, Vec::new())
            .within(Time::Due, Window::default())
            .is(Mark::Done, None);
        assert_eq!(filter, Filter::default());
        assert_eq!(filter.window(Time::Due), Window::default());
    }

    #[test]
    fn a_part_begins_at_the_offset() {
        let filter = Filter::all().after(1).at_most(Some(2));
        assert_eq!(filter.part(vec![1, 2, 3, 4]), [2, 3]);
        assert_eq!(filter.part(vec![1]), Vec::<i32>::new());
    }
}
