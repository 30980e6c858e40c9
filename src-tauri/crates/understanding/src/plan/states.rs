//! What things are like: words that narrow by state.

use std::sync::LazyLock;

use super::table::Table;

/// What a thing is like.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum State {
    /// Not read.
    Unread,
    /// Read.
    Read,
    /// Starred.
    Starred,
    /// Past its due date.
    Overdue,
    /// Done.
    Done,
    /// Not done.
    Open,
    /// High priority.
    High,
    /// Medium priority.
    Medium,
    /// Low priority.
    Low,
    /// Repeats.
    Recurring,
    /// Lasts whole days.
    AllDay,
    /// With an attachment.
    Attachment,
    /// Still to come.
    Future,
    /// Over.
    Past,
    /// Not answered.
    Unanswered,
    /// Answered.
    Answered,
    /// In the folder of sent mail.
    Sent,
    /// Drafts.
    Draft,
    /// Archived.
    Archived,
    /// Overlaps another.
    Clashing,
    /// Without a due date.
    Undated,
}

/// Adjectives.
pub(super) static STATES: LazyLock<Table<State>> = LazyLock::new(|| {
    use State::{
        AllDay, Answered, Archived, Attachment, Clashing, Done, Draft, Future, High, Low, Medium,
        Open, Overdue, Past, Read, Recurring, Sent, Starred, Unanswered, Undated, Unread,
    };
    Table::new(&[
        (
            "have i not read | have not i read | unread | not read | unopened | new unread | i have not read",
            Unread,
        ),
        (
            "already read | i have read | that i have read | which i have read | that i have already read | which i have already read | that i already read | \
            that are read | that were read",
            Read,
        ),
        ("starred | flagged", Starred),
        ("overdue | past due | behind schedule", Overdue),
        (
            "done | completed | finished | complete | ticked off | checked off",
            Done,
        ),
        (
            "open | pending | outstanding | incomplete | unfinished | not done | not completed | left to do | undone | not finished | to be done | uncompleted",
            Open,
        ),
        (
            "high priority | urgent | important | top priority | highest priority | most important | most urgent",
            High,
        ),
        (
            "medium priority | normal priority | regular priority",
            Medium,
        ),
        ("low priority | unimportant | lowest priority", Low),
        ("recurring | repeating | repeated", Recurring),
        ("all day | full day | whole day", AllDay),
        (
            "with attachments | with an attachment | with attachment | that have attachments | that have an attachment | have attachments | have an attachment | has attachments | has an attachment | with files attached | with a file attached",
            Attachment,
        ),
        (
            "future | upcoming | coming | forthcoming | remaining",
            Future,
        ),
        ("past | previous | prior | old", Past),
        (
            "unanswered | not replied to | not answered | unreplied | i have not answered | i have not replied to | i have not responded to | i have yet to answer | i still have to answer | i still need to answer | have i not answered | have not i answered | have i not replied to | have not i replied to | have i yet to answer | waiting for a reply",
            Unanswered,
        ),
        ("answered | replied to", Answered),
        ("sent", Sent),
        ("draft", Draft),
        ("archived", Archived),
        (
            "overlapping | conflicting | clashing | double booked | that overlap | that clash | that conflict | which overlap | which clash | which conflict | overlap | clash | conflict",
            Clashing,
        ),
        (
            "without a due date | have no due date | has no due date | that have no due date | that has no due date | have no deadline | that have no deadline | with no due date | without due date | without a deadline | undated",
            Undated,
        ),
    ])
});
