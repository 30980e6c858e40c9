//! What a clause means, before it becomes calls of tools.

use std::ops::Range;

use super::lexicon::{Noun, State};

/// A piece of text from the message.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Words {
    /// The text, word for word.
    pub text: String,
    /// Bytes in the message, where it is a stretch of it.
    pub span: Option<(usize, usize)>,
    /// Stood in quotation marks.
    pub quoted: bool,
}

/// A person, as said.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Who {
    /// By name: as it goes into arguments, and the words said.
    Named {
        /// Full name where the address book has exactly one, else as said.
        name: String,
        /// As said.
        said: String,
        /// Whether the address book knows it.
        known: bool,
    },
    /// By mail address.
    Address(String),
    /// The person speaking.
    Me,
    /// Him, her, them.
    They,
    /// A group no one address stands for ("the design team").
    Group(String),
    /// Everyone who takes part in an event.
    GuestsOf(Box<Sel>),
    /// Whoever sent a mail.
    SenderOf(Box<Sel>),
}

/// Which of the things that fit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Pick {
    /// The first `n` in order.
    First(usize),
    /// The last `n` in order.
    Last(usize),
    /// The `n`-th from the start, 1 is the first.
    Nth(i64),
    /// The next one from now.
    Next(usize),
    /// The latest one.
    Latest(usize),
    /// The longest.
    Longest,
    /// The shortest.
    Shortest,
}

/// A pronoun in place of a thing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Pron {
    /// It, this, that.
    It,
    /// Them, those, these, both.
    Them,
    /// A kind named with "that", "this" or "the" and nothing else ("that meeting", "the email").
    That,
    /// "The second one": one of a list that was shown, by place.
    Place(i64),
    /// Both.
    Both,
}

/// How a thing was introduced.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Det {
    /// Nothing.
    #[default]
    None,
    /// A, an, new.
    A,
    /// The.
    The,
    /// My, our.
    My,
    /// This, that, these, those.
    That,
    /// No.
    No,
    /// Any, some.
    Any,
}

/// A selection of things.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Sel {
    /// Kind.
    pub noun: Option<Noun>,
    /// The kind the verb suggests, for what is named without one.
    pub guess: Option<Noun>,
    /// Whether a noun said the kind.
    pub said: bool,
    /// Times of day without a day hold on whatever day it is.
    pub any_day: bool,
    /// "From Thursday" is the day that it is moved away from, and not every day from then on.
    pub moved_from: bool,
    /// Several.
    pub plural: bool,
    /// How it was introduced.
    pub det: Det,
    /// Words of its title.
    pub title: Option<Words>,
    /// Its whole title, quoted.
    pub exact: bool,
    /// What it is about.
    pub about: Option<Words>,
    /// Sender.
    pub from: Vec<Who>,
    /// Recipient.
    pub to: Vec<Who>,
    /// Company.
    pub with: Vec<Who>,
    /// Times that narrow it; indices of time expressions.
    pub when: Vec<usize>,
    /// Times by which it is due.
    pub due: bool,
    /// Sent or received by the person in the past ("I sent").
    pub mine: bool,
    /// States.
    pub states: Vec<State>,
    /// States it must not have.
    pub not: Vec<State>,
    /// Which.
    pub pick: Option<Pick>,
    /// All of them, said in words.
    pub all: bool,
    /// Place.
    pub place: Option<Words>,
    /// Folder of mail or of files.
    pub folder: Option<&'static str>,
    /// Label or tag.
    pub label: Option<Words>,
    /// At least so many minutes.
    pub minutes_min: Option<i64>,
    /// At most so many minutes.
    pub minutes_max: Option<i64>,
    /// Older (`true`) or newer than a time expression says.
    pub age: Option<(usize, bool)>,
    /// Order of the list, where it was said ("by priority", "the oldest task").
    pub order: Option<&'static str>,
    /// Whole days that a remark spoke of; indices of time expressions.
    pub days: Vec<usize>,
    /// Introduced with "our".
    pub ours: bool,
    /// "Of the day", without saying which.
    pub today: bool,
    /// "Of the week", without saying which.
    pub week: bool,
    /// What is left out.
    pub except: Vec<Sel>,
    /// Stands for something said or shown before.
    pub pron: Option<Pron>,
    /// A file name or path.
    pub file: Option<String>,
    /// Pieces it was read from.
    pub span: Range<usize>,
}

impl Sel {
    /// Whether anything narrows it besides its kind.
    pub(super) fn is_narrowed(&self) -> bool {
        self.title.is_some()
            || self.about.is_some()
            || !self.from.is_empty()
            || !self.to.is_empty()
            || !self.with.is_empty()
            || !self.when.is_empty()
            || !self.states.is_empty()
            || !self.not.is_empty()
            || self.pick.is_some()
            || self.place.is_some()
            || self.folder.is_some()
            || self.label.is_some()
            || self.minutes_min.is_some()
            || self.minutes_max.is_some()
            || self.age.is_some()
            || self.file.is_some()
            || self.mine
    }

    /// A selection of a kind and nothing else.
    pub(super) fn of(noun: Noun) -> Self {
        Self {
            noun: Some(noun),
            ..Self::default()
        }
    }
}

/// Which question a reading request asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ask {
    /// Show them.
    List,
    /// How many.
    Count,
    /// Whether there are any.
    Any,
    /// When.
    When,
    /// Who.
    Who,
    /// Where.
    Where,
    /// The longest.
    Longest,
    /// The shortest.
    Shortest,
    /// How long altogether.
    Total,
    /// A mail address.
    Email,
    /// A telephone number.
    Phone,
}

/// What is to be done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Act {
    /// Take away.
    Delete,
    /// Put to another time.
    Move,
    /// Another title.
    Rename,
    /// Two events take each other's time.
    Swap,
    /// Another length.
    Resize,
    /// Another place.
    Relocate,
    /// More guests.
    AddPeople,
    /// Fewer guests.
    RemovePeople,
    /// Answer an invitation.
    Respond(&'static str),
    /// A new event.
    CreateEvent,
    /// A new task.
    CreateTask,
    /// A new note.
    CreateNote,
    /// More text in a note.
    AppendNote,
    /// Tick off.
    Complete,
    /// Take a tick back.
    Reopen,
    /// Another urgency.
    SetPriority,
    /// Another repetition.
    Repeat,
    /// Other or more text in a thing.
    Describe,
    /// A question over own data.
    Query(Ask),
    /// Open one.
    Read,
    /// Free time.
    Free,
    /// Whether the person is free.
    IsFree,
    /// Send a mail.
    Send,
    /// Write a mail without sending.
    Draft,
    /// Answer a mail.
    Reply,
    /// Answer a mail to all.
    ReplyAll,
    /// Pass a mail on.
    Forward,
    /// Move mail to a folder.
    File(&'static str),
    /// Mark as read or unread.
    MarkRead(bool),
    /// Star or not.
    Star(bool),
    /// Put a label on.
    Label,
    /// Take a label off.
    Unlabel,
    /// Keep in mind.
    Store,
    /// What is known.
    Recall,
    /// No longer keep in mind.
    Forget,
    /// A new contact.
    CreateContact,
    /// Another number or address of a contact.
    UpdateContact,
    /// Keep what hangs on a mail.
    Attachment,
    /// More text in the notes of a task.
    AddNotes,
    /// Look through files.
    SearchFiles,
    /// Arithmetic.
    Compute,
}

/// A value that goes into a call.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Value {
    /// Words.
    Words(Words),
    /// The title of something ("title it with the event's name").
    TitleOf(Box<Sel>),
}

/// The day before a time.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct DayBefore {
    /// The time; indices of time expressions.
    pub of: Vec<usize>,
    /// In the evening of it.
    pub evening: bool,
}

/// A time told by an event.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Beside {
    /// The event.
    pub of: Sel,
    /// So many minutes before its start or after its end.
    pub minutes: i64,
    /// After its end, else before its start.
    pub after: bool,
}

/// Values of a request.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Vals {
    /// New title.
    pub title: Option<Value>,
    /// Subject of a mail.
    pub subject: Option<Value>,
    /// Body of a mail or note.
    pub body: Option<Words>,
    /// Whether the body was worked out from indirect speech.
    pub body_derived: bool,
    /// Time expressions that say when.
    pub times: Vec<usize>,
    /// Minutes to shift by.
    pub shift: Option<i64>,
    /// Calendar months to shift by.
    pub shift_months: Option<i64>,
    /// The other thing, where two change places.
    pub other: Option<Box<Sel>>,
    /// Length in minutes.
    pub minutes: Option<i64>,
    /// Minutes to lengthen by.
    pub extend: Option<i64>,
    /// End.
    pub until: Option<usize>,
    /// Place.
    pub place: Option<Words>,
    /// People: guests or recipients.
    pub people: Vec<Who>,
    /// Carbon copies.
    pub cc: Vec<Who>,
    /// Blind copies.
    pub bcc: Vec<Who>,
    /// Priority.
    pub priority: Option<State>,
    /// Whole day.
    pub all_day: bool,
    /// Take the first free slot.
    pub free_slot: bool,
    /// A reminder rather than a task.
    pub reminder: bool,
    /// Key of a memory.
    pub key: Option<String>,
    /// Due on the day before another time.
    pub day_before: Option<DayBefore>,
    /// When it is, told by another event.
    pub beside: Option<Beside>,
    /// Other values: telephone numbers, addresses.
    pub details: Vec<String>,
    /// Files to attach.
    pub attach: Vec<String>,
    /// "By" or "due": the time is a deadline.
    pub question: Option<&'static str>,
}

/// Something a step waits for.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Test {
    /// There is one (`true`) or there is none (`false`).
    Exists(bool),
    /// How many there are, compared.
    Count(std::cmp::Ordering, i64),
    /// The person is free (`true`) or not.
    Free(bool),
    /// What is found is like this (`true`) or is not.
    Like(Box<Sel>, bool),
}

/// A condition: what to read, and what must hold.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Cond {
    /// What is read.
    pub sel: Sel,
    /// What must hold.
    pub test: Test,
    /// Holds when another condition before does not ("otherwise").
    pub negated: bool,
    /// Minutes that must have passed since the last one, instead of times.
    pub within_minutes: Option<i64>,
    /// The words of it.
    pub span: Option<(usize, usize)>,
}

/// One request.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Request {
    /// What.
    pub act: Act,
    /// To what.
    pub sel: Sel,
    /// With which values.
    pub vals: Vals,
    /// Only if; index of a condition.
    pub cond: Option<(usize, bool)>,
    /// Pieces it was read from.
    pub span: Range<usize>,
}

impl Request {
    /// A request without values.
    pub(super) fn new(act: Act, sel: Sel) -> Self {
        Self {
            act,
            sel,
            vals: Vals::default(),
            cond: None,
            span: 0..0,
        }
    }
}
