//! Where things are kept, and small words that stand between a thing and what is said about it.

use std::sync::LazyLock;

use super::lexicon::Noun;
use super::table::Table;

/// Words between a thing and what is said about it that say nothing themselves.
pub(super) static GLUE: LazyLock<Table<()>> = LazyLock::new(|| {
    Table::new(&[(
        "do i have | did i have | will i have | have i got | have i | i have | i have got | i got | we have | are there | is there | was there | were there | there are | there is | do we have | did i get | did i receive | have i received | have i had | i received | i get | that i have | that i got | that i received | which i have | which i received | that i had | i had | that i have received | i have received | that are | that is | which are | which is | that were | that was | which was | which were | who is | that have been | that has been | which have been | that have | do i need to do | i need to do | to do | do i have to do | i have to do | have to do | in total | altogether | of mine | in all | all together | that i need to do | that i still have | do i still have | still | so | set up | i have set up | i set up | that i have set up | going on | coming up | up | lined up | that are on | on the agenda | on my agenda | scheduled | planned | booked | that are scheduled | that is scheduled | which are scheduled | that i scheduled | i scheduled | i have scheduled | that is happening | that are happening | happening | taking place | that take place | that takes place | received | that were received | that came | that came in | that arrived | which came in | came in | arrived | come in | i can attend | occurring | that i am attending | i am attending | am i attending | i am in | left | are left | is left | are left for | remaining | are remaining | that i am in | that start | that starts | which start | which starts | starting | that begin | beginning | that occur | that is set | that are set | waiting | waiting for me | was sent | were sent | that were sent | that was sent | sent | dated | which was sent | that have come in | i have coming up | do i have coming up | do i have scheduled | do i have planned | i have planned | i have on | do i have on | on today s agenda | are on | is on | are in | is in | will be | that i missed | did i miss | i missed | that will be | did i change | have i changed | i changed | did i edit | i edited | have i edited | did i modify | i modified | did i work on | i worked on | were changed | that changed | changed | that were changed | held | falling | that fall | that falls | which fall",
        (),
    )])
});

/// Where things are kept; says the kind and sometimes the folder.
pub(super) static PLACES: LazyLock<Table<(Option<Noun>, Option<&'static str>)>> = LazyLock::new(
    || {
        Table::new(&[
            (
                "on my calendar | in my calendar | from my calendar | off my calendar | on the calendar | in the calendar | from the calendar | off the calendar | to my calendar | to the calendar | on my schedule | in my schedule | from my schedule | off my schedule | from my diary | in my diary | on my diary | to my diary | to my schedule | to my agenda | from my agenda | into my calendar | in our calendar | from calendar | on calendar | in my planner | off my plate",
                (Some(Noun::Event), None),
            ),
            (
                "on my to do list | from my to do list | in my to do list | off my to do list | on my task list | from my task list | in my task list | off my task list | on my list | from my list | off my list | in my list | on the list | from the list | off the list | on my tasks | in my tasks | from my tasks | on the to do list | from the to do list | on my to do | from my to do | on my plate | off my tasks | from the task list | on the task list | from my list of tasks | in the list",
                (Some(Noun::Task), None),
            ),
            (
                "in my inbox | from my inbox | in the inbox | from the inbox | in inbox | inside my inbox | within my inbox",
                (Some(Noun::Mail), Some("inbox")),
            ),
            (
                "in my sent folder | in sent | from my sent folder | in my sent mail | in my sent items | from sent | in the sent folder | in my sent emails",
                (Some(Noun::Mail), Some("sent")),
            ),
            (
                "in my archive | in the archive | from the archive | from my archive | in archive | among the archived",
                (Some(Noun::Mail), Some("archive")),
            ),
            (
                "in my trash | in the trash | from the trash | in the bin | from trash | in trash | in my deleted items | from my trash",
                (Some(Noun::Mail), Some("trash")),
            ),
            (
                "in my spam | in spam | from spam | in the spam folder | in my spam folder | in my junk | in junk | in the junk folder | from my spam folder | from the spam folder | in my junk folder",
                (Some(Noun::Mail), Some("junk")),
            ),
            (
                "in my drafts | in drafts | from my drafts | in the drafts folder | in my drafts folder | from drafts",
                (Some(Noun::Mail), Some("drafts")),
            ),
            (
                "in my outbox | in the outbox",
                (Some(Noun::Mail), Some("outbox")),
            ),
            (
                "in my mailbox | from my mailbox | in my mail | in my email | in my emails | from my email | in the mail",
                (Some(Noun::Mail), None),
            ),
            (
                "in my notes | from my notes | in the notes | in notes",
                (Some(Noun::Note), None),
            ),
            (
                "in my contacts | from my contacts | in my address book | from my address book | in the address book | in contacts",
                (Some(Noun::Contact), None),
            ),
            (
                "in my files | in my folder | in my folders | in my documents | on my computer | on my disk | in my documents folder | in files",
                (Some(Noun::File), None),
            ),
        ])
    },
);
