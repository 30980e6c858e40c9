//! The words the grammar knows: verbs, nouns, states and what joins them. Adding a word is adding it to a line.

use std::collections::HashSet;
use std::sync::LazyLock;

use adjutant_text::message::{Vocabulary, lemma};

use super::joints::{ABOUT, SAYING, TITLED};
pub(super) use super::states::{STATES, State};
use super::table::Table;

/// What a verb asks for, before its object decides which tool that is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Verb {
    /// Take away for good.
    Delete,
    /// Take out of the calendar.
    Cancel,
    /// Put to another time.
    Move,
    /// To an earlier time.
    Advance,
    /// To a later time.
    Delay,
    /// Change something that follows.
    Change,
    /// Give another name.
    Rename,
    /// Make something new; the noun says what.
    Create,
    /// Make something new in the calendar.
    Book,
    /// Guests.
    Invite,
    /// Take guests out.
    Uninvite,
    /// Longer.
    Extend,
    /// Shorter.
    Shorten,
    /// Say yes to an invitation.
    Accept,
    /// Say no to an invitation.
    Decline,
    /// Say maybe to an invitation.
    Tentative,
    /// Tick off.
    Complete,
    /// Take back a tick.
    Reopen,
    /// Show or find.
    Show,
    /// Look for by words.
    Find,
    /// Open one.
    Read,
    /// How many.
    Count,
    /// Send something.
    Send,
    /// Send a mail to somebody named next.
    Mail,
    /// Say something to somebody named next.
    Tell,
    /// Ask somebody something.
    Ask,
    /// Write without sending.
    Draft,
    /// Answer a mail.
    Reply,
    /// Answer all.
    ReplyAll,
    /// Pass a mail on.
    Forward,
    /// File a mail away.
    Archive,
    /// Mark as something.
    Mark,
    /// Star.
    Star,
    /// Take the star off.
    Unstar,
    /// Put a label on.
    Label,
    /// Write a note.
    Note,
    /// Add to a note.
    Append,
    /// Keep in mind.
    Remember,
    /// No longer keep in mind.
    Forget,
    /// Remind me.
    Remind,
    /// Make urgent.
    Prioritise,
    /// Work something out.
    Compute,
    /// Meet somebody: an event.
    Meet,
    /// Two things change places.
    Swap,
    /// One guest for another.
    Replace,
    /// Let something end then.
    End,
    /// Thank somebody.
    Thank,
    /// Keep what hangs on a mail.
    Save,
}

/// Kinds of things.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Noun {
    /// Calendar.
    Event,
    /// Mail.
    Mail,
    /// Tasks.
    Task,
    /// Tasks that ring.
    Reminder,
    /// Notes.
    Note,
    /// Memories.
    Memory,
    /// Address book.
    Contact,
    /// Files.
    File,
    /// Free time.
    Slot,
    /// "one", "thing", "everything": the kind comes from elsewhere.
    Any,
}

/// How a noun says what it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Use {
    /// Only the kind ("meeting").
    Plain,
    /// The kind, and the title of something new ("call").
    Soft,
    /// The kind, and a word of the title ("lunch").
    Titled,
}

/// Verbs, with the phrases that mean them.
pub(super) static VERBS: LazyLock<Table<Verb>> = LazyLock::new(|| {
    use Verb::{
        Accept, Advance, Append, Archive, Ask, Book, Cancel, Change, Complete, Compute, Count,
        Create, Decline, Delay, Delete, Draft, End, Extend, Find, Forget, Forward, Invite, Label,
        Mail, Mark, Meet, Move, Note, Prioritise, Read, Remember, Remind, Rename, Reopen, Replace,
        Reply, ReplyAll, Save, Send, Shorten, Show, Star, Swap, Tell, Tentative, Thank, Uninvite,
        Unstar,
    };
    Table::new(&[
        (
            "delete | remove | erase | free up | free me up for | free me up from | free me from | get me out of | drop | scrap | trash | bin | discard | get rid of | getting rid of | get rid | clear | clear out | clear off | wipe | wipe out | throw away | throw out | dump | toss | purge | eliminate | ditch | take off | take out | strike | clean out | dispose of | do away with",
            Delete,
        ),
        (
            "cancel | call off | scratch | abort | nix | axe | calling off",
            Cancel,
        ),
        (
            "move | reschedule | resched | re schedule | shift | change the time of | change the date of | change the start time of | change the start of | change the day of | change the start date of | change the due date of | change the deadline of | change the deadline for | change the due date for | change the time for | change the date for | set the time of | update the time of | update the date of | switch | rebook | bump | slide",
            Move,
        ),
        (
            "bring forward | bring up | move up | pull forward | pull ahead | advance | move forward to | bring ahead | prepone | push up | move earlier | expedite",
            Advance,
        ),
        (
            "postpone | push back | push out | push | delay | put off | put back | defer | move back | set back | push off | hold off on | snooze | shift back | kick back",
            Delay,
        ),
        (
            "change | update | edit | modify | set | make | adjust | alter | amend | correct | turn",
            Change,
        ),
        (
            "rename | retitle | rename the title of | change the name of | change the title of | change the subject of | update the name of | update the title of | edit the name of | edit the title of | change the name for | change the title for | set the title of | set the name of | modify the name of | modify the title of",
            Rename,
        ),
        (
            "add | create | put | stick | pop | whack | jam | new | enter | insert | set up | make me | put in | put down | log | start | generate | register | setup | give me a new",
            Create,
        ),
        (
            "schedule | book | arrange | organize | organise | plan | pencil in | pencil | block | block off | block out | reserve | slot in | slot | fit in | squeeze in | hold | get in the calendar | lock in | lock down | throw in | mark off time for",
            Book,
        ),
        ("invite | include", Invite),
        ("uninvite | disinvite", Uninvite),
        (
            "extend | lengthen | prolong | make longer | stretch | stretch out",
            Extend,
        ),
        (
            "shorten | cut short | cut | cut down | trim | trim down | reduce",
            Shorten,
        ),
        (
            "accept | say yes to | rsvp yes to | mark me as attending | mark me as going to | put me down as attending | put me down as coming to | confirm my attendance at | confirm my attendance for",
            Accept,
        ),
        (
            "decline | say no to | rsvp no to | mark me as not attending | mark me as not going to | put me down as not attending | turn down | refuse | reject",
            Decline,
        ),
        (
            "tentatively accept | say maybe to | rsvp maybe to | put me down as a maybe for | put me down as maybe for | mark me as maybe for | mark me as a maybe for | mark me as tentative for | put me as maybe for",
            Tentative,
        ),
        (
            "complete | finish | check off | tick off | cross off | tick | close | mark off | check | close out | finish off",
            Complete,
        ),
        (
            "reopen | uncheck | untick | mark as not done | uncomplete",
            Reopen,
        ),
        (
            "show | list | display | give | give me | tell me | get | get me | pull up | bring me | view | see | fetch | let me see | let me know | run through | go over | go through | run me through | walk me through | retrieve | summarize | summarise | show me | list out | let me have | look at | have a look at | take a look at | what about | how about",
            Show,
        ),
        (
            "find | search | search for | look for | look up | locate | dig up | dig out | look in | look inside | have a look in | take a look in | hunt for | track down | browse | look through | search through | look into | find me",
            Find,
        ),
        (
            "read | open | read out | read me | open up | read aloud | read to me | show me the text of | show me the content of",
            Read,
        ),
        ("count", Count),
        (
            "compose and send | write and send | draft and send | prepare and send | send | send out | shoot | fire off | drop | send over | send off",
            Send,
        ),
        (
            "email | mail | e mail | message | write to | write | text | ping | drop a line to | contact | write an email to",
            Mail,
        ),
        (
            "tell | let know | notify | inform | say to | remind them | update them",
            Tell,
        ),
        ("ask | ask for | inquire | enquire", Ask),
        (
            "draft | compose | save a draft | start a draft | make a draft | write a draft | create a draft | write up | prepare | draft up | write a draft of",
            Draft,
        ),
        (
            "reply | respond | answer | write back | get back to | reply to | respond to | reply back | send a reply to | send a response to | send an answer to | write a reply to | write a response to | send a reply | send a response | reply back to | write back to",
            Reply,
        ),
        (
            "write back to everyone | write back to everybody | write back to all | reply all | reply to all | reply to everyone | reply to everybody | respond to everyone | respond to everybody | answer everyone | answer everybody | respond to all | answer all | reply all to",
            ReplyAll,
        ),
        (
            "forward | fwd | pass | pass on | pass along | send on | relay | share | forward on | resend",
            Forward,
        ),
        ("archive | file away | put away", Archive),
        ("mark | flag as", Mark),
        ("star | flag | pin", Star),
        ("unstar | unflag | unpin", Unstar),
        ("label | tag | categorize | categorise", Label),
        (
            "note | note down | jot down | jot | write down | take this down | write this down | get this down | put this in writing | take a note | make a note | take note | make note | write a note | write me a note | take down | save a note | leave a note | leave myself a note | create a note | add a note | new note | start a note | make me a note | take a memo | write a memo | write note | create note | add note | take notes | record",
            Note,
        ),
        ("append", Append),
        (
            "remember | keep in mind | memorize | memorise | bear in mind | make a mental note | commit to memory | save to memory | do not forget | never forget | for future reference | for the record | just so you know | keep a record that | keep a record of | store",
            Remember,
        ),
        ("forget | forget about | unlearn | stop remembering", Forget),
        (
            "remind | remind me | give me a reminder | set a reminder | set reminder | set an alarm | set me a reminder | set up a reminder | create a reminder | add a reminder | make a reminder | do not let me forget | wake me | alert me | ping me | nudge me | notify me | new reminder | put a reminder | schedule a reminder | put in a reminder | set me up a reminder | remember me | send me a reminder | set alarm | i need a reminder | i want a reminder | need a reminder | create reminder | add reminder",
            Remind,
        ),
        (
            "prioritize | prioritise | deprioritize | deprioritise | raise the priority of | increase the priority of | bump up the priority of | \
            lower the priority of | reduce the priority of | decrease the priority of",
            Prioritise,
        ),
        (
            "calculate | compute | work out | convert | figure out | evaluate",
            Compute,
        ),
        (
            "meet | meet with | see | catch up with | sit down with",
            Meet,
        ),
        (
            "swap | swap around | exchange | interchange | trade | switch around | swap over",
            Swap,
        ),
        ("replace | substitute", Replace),
        ("end | wrap up", End),
        ("thank", Thank),
        ("save | download", Save),
    ])
});

/// Nouns for things there are tools for.
pub(super) static NOUNS: LazyLock<Table<(Noun, Use)>> = LazyLock::new(|| {
    use Noun::{Any, Contact, Event, File, Mail, Memory, Note, Reminder, Slot, Task};
    use Use::{Plain, Soft, Titled};
    Table::new(&[
        (
            "event | thing on my agenda | thing on my calendar | thing in my calendar | thing on my schedule | item on my agenda | meeting | appointment | calendar event | calendar entry | calendar item | calendar appointment | calendar meeting | engagement | booking | invite | invitation | calendar invite | meeting invite | calendar invitation | commitment | meeting request | agenda item | calendar | plans",
            (Event, Plain),
        ),
        (
            "call | phone call | video call | zoom call | zoom | zoom meeting | video meeting | chat | session | conversation with | get together | video chat | conference call | skype call",
            (Event, Soft),
        ),
        (
            "lunch | dinner | breakfast | brunch | book club | supper | coffee | drinks | interview | stand up | standup | sync | sync up | catch up | catchup | one on one | review | workshop | party | gathering | conference | class | lesson | training | seminar | webinar | lecture | presentation | demo | retro | retrospective | kickoff | kick off | briefing | debrief | checkup | check up | check in | haircut | flight | trip | vacation | holiday | birthday | anniversary | wedding | concert | game | match | practice | rehearsal | exam | visit | huddle | town hall | all hands | offsite | discussion | forum | summit | meetup | hangout | therapy | yoga | gym | walkthrough | inspection | tour | hearing | negotiation | brainstorm | date night | barbecue | bbq | picnic | deadline | day off | focus time | orientation | graduation | course",
            (Event, Titled),
        ),
        (
            "email | mail | message | thread | email thread | email message | email chain | mail message | correspondence | voicemail",
            (Mail, Plain),
        ),
        ("newsletter", (Mail, Titled)),
        ("draft", (Mail, Plain)),
        (
            "task | to do | to do item | action item | chore | to do task | thing to do | things to do | todo item | checklist item | assignment | errand",
            (Task, Plain),
        ),
        ("reminder", (Reminder, Plain)),
        ("alarm | timer", (Reminder, Titled)),
        ("note | memo | jotting", (Note, Plain)),
        ("memory", (Memory, Plain)),
        ("contact | address book entry", (Contact, Plain)),
        (
            "file | document | doc | pdf | spreadsheet | folder | text file | pdf file | csv",
            (File, Plain),
        ),
        (
            "gap between my meetings | gap between meetings | free time between my meetings | break between my meetings | free slot | slot | time slot | free time | availability | opening | open slot | available slot | gap | available time | free window | open time | free hour",
            (Slot, Plain),
        ),
        (
            "one | ones | thing | item | stuff | everything | anything | something | entry",
            (Any, Plain),
        ),
    ])
});

/// Words that carry no meaning of their own in a request.
static FUNCTION: LazyLock<HashSet<&'static str>> = LazyLock::new(|| {
    "a an the my our your his her their its this that these those some any all every each both no not \
     i you he she it we they me him us them mine ours yours theirs myself \
     of to in on at by for from with about into onto off over under up down out and or but if so then \
     be am is are was were been do does did have has had can could will would shall should may might must \
     since because while although though until \
     what which who whom whose when where why how please just also too than as there here let \
     's - , . ; : ! ? ( ) \" ' & /"
        .split_whitespace()
        .collect()
});

/// Whether a word is one of those that hold a sentence together.
pub(super) fn is_function(word: &str) -> bool {
    FUNCTION.contains(word)
}

/// Words that only serve to be found as base forms.
const FURTHER: &str = "have be do get receive need want send meet talk speak hear write attend last take come \
    happen remain earlier later titled called named done task busy free open sent read due left met week day hour minute month \
    reply wait see catch look attachment calendar inbox list subject title body name time date";

static VOCABULARY: LazyLock<(HashSet<&'static str>, Vocabulary, Vec<&'static str>)> =
    LazyLock::new(|| {
        let mut words: HashSet<&'static str> = HashSet::new();
        words.extend(VERBS.words());
        words.extend(NOUNS.words());
        words.extend(STATES.words());
        words.extend(FURTHER.split_whitespace());
        for list in [&TITLED, &ABOUT, &SAYING] {
            words.extend(list.words());
        }
        let mut typos = Vocabulary::default();
        let mut numbered = Vec::new();
        for word in TYPED.split_whitespace() {
            typos.add(word, u32::try_from(numbered.len()).unwrap_or(u32::MAX));
            numbered.push(word);
        }
        (words, typos, numbered)
    });

/// Words in which typing mistakes are repaired: the ones a request hangs on.
const TYPED: &str = "delete remove cancel reschedule postpone delay rename schedule create forward archive remind \
    reminder meeting appointment email emails message calendar complete finish invite overdue unread remember forget \
    meetings messages events appointments reminders tasks event";

/// Words and names of their own that are one slip away from one of [`TYPED`].
const REAL: &str = "archie emil cancer cancers chancel compete competes crate crates crease cremate crete deplete even \
evens finnish forge forged forger forges invitee invitees massage massages melting remainder remainders remand remote rewind \
scheduler undead unreal unready";

/// The base form of a folded word where the lexicon knows one; typing mistakes in the main words repaired.
pub(super) fn base(word: &str) -> String {
    let (known, typos, numbered) = &*VOCABULARY;
    let single = |form: &str| SINGLE.get(form).copied();
    if is_function(word) || SINGLE.contains(word) {
        return word.to_owned();
    }
    // A plural is its noun, even where a longer phrase has the plural itself.
    if word.ends_with('s')
        && let Some(found) = lemma::base_form(word, single)
    {
        return found.to_owned();
    }
    if known.contains(word) {
        return word.to_owned();
    }
    if let Some(found) = lemma::base_form(word, |form| known.get(form).copied()) {
        return found.to_owned();
    }
    if REAL.split(' ').any(|real| real == word) {
        return word.to_owned();
    }
    typos
        .correct(word)
        .and_then(|at| numbered.get(at as usize))
        .map_or_else(
            || word.to_owned(),
            |fixed| lemma::base_form(fixed, single).unwrap_or(fixed).to_owned(),
        )
}

/// Words that are a phrase by themselves.
static SINGLE: LazyLock<HashSet<&'static str>> = LazyLock::new(|| {
    VERBS
        .singles()
        .chain(NOUNS.singles())
        .chain(STATES.singles())
        .collect()
});

/// Whether the lexicon has the word itself.
pub(super) fn is_known(word: &str) -> bool {
    VOCABULARY.0.contains(word) || is_function(word)
}

/// The verb whose participle or gerund this word is ("deleted", "moving"), for verbs that act on things.
pub(super) fn verb_of(word: &str) -> Option<&'static str> {
    static ACTING: LazyLock<HashSet<&'static str>> = LazyLock::new(|| {
        "delete remove erase drop scrap trash cancel move reschedule shift postpone delay push rename retitle change update \
         schedule book add create invite extend shorten accept decline complete finish send forward archive mark star flag \
         label tag clear wipe purge put set reopen advance draft bump defer discard bin eliminate arrange organize edit modify"
            .split_whitespace()
            .collect()
    });
    if !(word.ends_with("ed") || word.ends_with("ing") || matches!(word, "sent")) {
        return None;
    }
    lemma::base_form(word, |form| ACTING.get(form).copied())
}
