//! Filters: which rows of one kind to list, in which order, and which part of them. Storage turns them into queries.
//!
//! Tools, `show` and the window all list rows through filters, so one place defines what can be asked for, what comes
//! first and how the rows are counted.

use jiff::Timestamp;

use crate::ids::RecordId;
use crate::record::{Folder, OutboxState, Priority, Writer};

/// A half-open time range. A bound that is `None` is open.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Window {
    /// Start, inclusive.
    pub from: Option<Timestamp>,
    /// End, exclusive.
    pub to: Option<Timestamp>,
}

impl Window {
    /// Returns whether `at` lies inside.
    #[must_use]
    pub fn holds(&self, at: Timestamp) -> bool {
        self.from.is_none_or(|from| at >= from) && self.to.is_none_or(|to| at < to)
    }

    /// Returns whether both ends are open.
    #[must_use]
    pub fn is_open(&self) -> bool {
        *self == Self::default()
    }
}

/// A list: the rows that pass every test, ordered, from an offset, up to a limit.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Filter {
    /// Tests a row must pass, all of them. Storage refuses a test that does not apply to the kind, see [`Test`].
    pub tests: Vec<Test>,
    /// Order of the rows.
    pub order: Order,
    /// Number of matching rows to skip.
    pub offset: usize,
    /// Maximum number of rows; `None` for all.
    pub limit: Option<usize>,
}

/// One condition on a row. Each variant names the kinds it applies to; storage refuses it for others.
#[derive(Clone, Debug, PartialEq)]
pub enum Test {
    /// The row is one of these. All kinds.
    Ids(Vec<RecordId>),
    /// Words occur in a field. All kinds; [`Field`] says which fields a kind has.
    Words {
        /// Where to look.
        field: Field,
        /// The words. If there are none, every row passes, except where [`Match`] says otherwise.
        text: String,
        /// How to compare them.
        how: Match,
    },
    /// A mail's subject or a memory's key equals this text, ignoring case and surrounding space; or the title of a task
    /// or note has exactly these words, ignoring accents and punctuation.
    Called(String),
    /// Any of these people takes part, named by a full address or by words of a name. Mail, outbox, events.
    With(Role, Vec<String>),
    /// A time of the row lies in a range.
    Within(Time, Window),
    /// The row has a flag (`true`) or lacks it (`false`).
    Is(RowFlag, bool),
    /// A task is past its due date, or is not. Tasks.
    Overdue {
        /// Due instants before this are past.
        now: Timestamp,
        /// Due days that begin before this are past.
        today: Timestamp,
        /// `true` for overdue tasks, `false` for the others.
        is: bool,
    },
    /// The priority is this one. Tasks.
    Priority(Priority),
    /// The state is one of these. Outbox.
    States(Vec<OutboxState>),
    /// The folder is one of these. Mail; without this test, storage leaves out trash and junk.
    Folders(Vec<Folder>),
    /// The sender is of this kind, judging by the header of the source. Mail.
    WrittenBy(Writer),
    /// The row has this label. Mail, notes.
    Label(String),
    /// The event is in the calendar with this name. Events.
    Calendar(String),
    /// The event has this iCalendar UID: a series and its exceptions. Events.
    Uid(String),
}

/// Field in which words are looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Field {
    /// Any text of the row.
    Anywhere,
    /// Title or subject. Tasks, notes, mail, outbox.
    Title,
    /// Name, nicknames, relation and addresses of a contact; name and address of a mail's sender.
    Names,
    /// Organisation of a contact.
    Organisation,
}

/// How words are compared. Case, accents and English plurals never matter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Match {
    /// All words occur.
    All,
    /// All words occur as people type them: "dont" matches "don't", and a long enough prefix matches its word. Without
    /// any words, no row matches. Tasks, notes, contacts.
    Loose,
    /// All words occur, and any prefix matches its word; an address must match in full. Contacts.
    Beginnings,
    /// Some of the words occur; best matches first. Memories.
    Ranked,
}

/// Role of a person in a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Sender of a mail; guest or organizer of an event.
    From,
    /// Recipient of a mail.
    To,
    /// Sender or recipient of a mail.
    Either,
}

/// Time of a row that a range applies to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Time {
    /// Start to end of an event, which must overlap the range.
    Happens,
    /// When a task is due. A task without a due date is in no range.
    Due,
    /// When a task was completed.
    Completed,
    /// The date of a mail.
    Dated,
    /// When a note or an outgoing mail last changed.
    Changed,
}

/// A yes-or-no property of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RowFlag {
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
    /// The person answered a mail, or approved an answer to it.
    Answered,
    /// A memory still holds.
    Current,
    /// A memory came from foreign text, so it is kept but not used.
    SetAside,
}

/// Order of a list. Rows that compare equal keep the natural order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Order {
    /// The kind's usual order. Tasks: open before done, then by due date (none last), then by priority. Events and
    /// mail: earliest first. Notes, memories and outgoing mail: latest change first; memories with ranked words: best
    /// first. Contacts: by name.
    #[default]
    Natural,
    /// Earliest first, by due date or reminder, start, or date. Rows without one come last.
    Earliest,
    /// Latest first. Rows without a time come last.
    Latest,
    /// Oldest first, by creation. Tasks, notes.
    Oldest,
    /// Newest first, by creation. Tasks, notes.
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
    /// Creates a filter for every row in the natural order.
    #[must_use]
    pub fn all() -> Self {
        Self::default()
    }

    /// Creates a filter for the memories that answers may use: those that hold and are not set aside.
    #[must_use]
    pub fn used_memories() -> Self {
        Self::all()
            .is(RowFlag::Current, Some(true))
            .is(RowFlag::SetAside, Some(false))
    }

    /// Adds a test.
    #[must_use]
    pub fn and(mut self, test: Test) -> Self {
        self.tests.push(test);
        self
    }

    /// Adds a test if there is one.
    #[must_use]
    pub fn maybe(mut self, test: Option<Test>) -> Self {
        self.tests.extend(test);
        self
    }

    /// Requires all of these words, anywhere in the row; `None` adds no test.
    #[must_use]
    pub fn words(self, text: Option<&str>) -> Self {
        self.words_in(Field::Anywhere, Match::All, text)
    }

    /// Requires these words in a field; `None` adds no test.
    #[must_use]
    pub fn words_in(self, field: Field, how: Match, text: Option<&str>) -> Self {
        self.maybe(text.map(|text| Test::Words {
            field,
            text: text.to_owned(),
            how,
        }))
    }

    /// Requires any of these people; an empty list adds no test.
    #[must_use]
    pub fn with(self, role: Role, who: Vec<String>) -> Self {
        self.maybe((!who.is_empty()).then_some(Test::With(role, who)))
    }

    /// Requires a time in a range; an open range adds no test.
    #[must_use]
    pub fn within(self, time: Time, window: Window) -> Self {
        self.maybe((!window.is_open()).then_some(Test::Within(time, window)))
    }

    /// Requires some of these words and lists the best matches first. Memories.
    #[must_use]
    pub fn best(self, text: &str) -> Self {
        self.words_in(Field::Anywhere, Match::Ranked, Some(text))
    }

    /// Requires a flag or its absence; `None` adds no test.
    #[must_use]
    pub fn is(self, flag: RowFlag, wanted: Option<bool>) -> Self {
        self.maybe(wanted.map(|wanted| Test::Is(flag, wanted)))
    }

    /// Sets the order.
    #[must_use]
    pub fn ordered(self, order: Order) -> Self {
        Self { order, ..self }
    }

    /// Sets the maximum number of rows; `None` for all.
    #[must_use]
    pub fn at_most(self, limit: Option<usize>) -> Self {
        Self { limit, ..self }
    }

    /// Sets the number of matching rows to skip.
    #[must_use]
    pub fn after(self, offset: usize) -> Self {
        Self { offset, ..self }
    }

    /// Returns whether the filter contains this test.
    #[must_use]
    pub fn has(&self, wanted: &Test) -> bool {
        self.tests.contains(wanted)
    }

    /// Returns the range required of a time; open if there is no such test.
    #[must_use]
    pub fn window(&self, time: Time) -> Window {
        let of = |test: &Test| match test {
            Test::Within(of, window) if *of == time => Some(*window),
            _ => None,
        };
        self.tests.iter().find_map(of).unwrap_or_default()
    }

    /// Removes the tests on when an event happens.
    #[must_use]
    pub fn anytime(mut self) -> Self {
        self.tests
            .retain(|test| !matches!(test, Test::Within(Time::Happens, _)));
        self
    }

    /// Applies offset and limit to rows already filtered and ordered.
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
            .is(RowFlag::Done, None);
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
