//! Names that hold words which are no part of any name: what a grammar that reads names freely took too much of.

use super::lexicon::{NOUNS, Noun, STATES, Use};
use super::said::{Form, Piece};

/// Words that narrow, compare, join or assert, and so are no part of the name of a thing that is looked for.
const NO_NAME: &[&str] = &[
    "since",
    "until",
    "till",
    "than",
    "without",
    "except",
    "same",
    "due",
    "never",
    "not",
    "who",
    "which",
    "whose",
    "whether",
    "i",
    "we",
    "you",
    "is",
    "are",
    "was",
    "were",
    "has",
    "have",
    "had",
    "either",
    "neither",
    "both",
    "else",
    "touched",
    "news",
    "whatever",
    "whichever",
    "came",
    "another",
    "stays",
    "remains",
    "being",
    "most",
    "fewest",
    "nobody",
    "somebody",
    "someone",
    "anybody",
    "spam",
    "junk",
    "news",
];

/// A word that does not belong to what a thing is looked for by.
pub(super) fn not_of_filter(rest: &[Piece], first: &Piece) -> bool {
    let here = word(rest, 0);
    let next = rest.get(1);
    let bounds = matches!(here, "before" | "after" | "until" | "by" | "past")
        && next.is_some_and(|next| {
            matches!(next.form, Form::Number | Form::Time(_))
                || matches!(next.word.as_str(), "my" | "the" | "noon" | "lunch")
        });
    let all = here == "all" && !matches!(word(rest, 1), "hands" | "stars" | "-")
        || matches!(here, "anything" | "everything" | "something")
            && !rest[0].capital
            && std::ptr::eq(&raw const rest[0], first)
            && rest.len() > 1;
    // "All morning meetings": when they are, and not what they are called.
    let part = rest.len() == 1
        && std::ptr::eq(&raw const rest[0], first)
        && matches!(here, "morning" | "afternoon" | "evening" | "night");
    // "Tomorrows 3pm".
    let day = matches!(here, "tomorrows" | "todays" | "tonights" | "yesterdays");
    if part || day {
        return true;
    }
    // "Every Monday standup": which ones, not what they are called.
    let every = matches!(here, "every" | "each");
    // "The website low priority", "the mail 'X'": another part of the request.
    let state = STATES.at(rest, 0).is_some_and(|(_, len)| len > 1);
    let quoted = matches!(rest[0].form, Form::Quote(_));
    // A verb or a bare "question" names nothing.
    let verb = rest.len() == 1
        && std::ptr::eq(&raw const rest[0], first)
        && matches!(
            here,
            "start"
                | "starts"
                | "begin"
                | "arrive"
                | "arrived"
                | "happen"
                | "question"
                | "reply"
                | "duplicate"
        );
    // "The last email": which one, also behind a slip of the pen.
    let which = matches!(
        here,
        "last" | "latest" | "newest" | "oldest" | "earliest" | "longest" | "shortest"
    ) && !rest[0].capital
        && rest.len() <= 2;
    verb || state || quoted || bounds || all || every || which || NO_NAME.contains(&here)
}

/// A word that does not belong to the title of a new event.
pub(super) fn not_of_event(rest: &[Piece], first: &Piece) -> bool {
    let here = word(rest, 0);
    let beside = matches!(here, "before" | "after") && matches!(word(rest, 1), "my" | "our");
    // "2 to 4 … for writing": a time of day that was not read as one.
    let hour = std::ptr::eq(&raw const rest[0], first)
        && rest[0].form == Form::Number
        && !rest[0].word.contains(':')
        && matches!(word(rest, 1), "" | "to" | "till" | "until" | "-");
    // "Back-to-back meetings": several, of which only one would be made.
    let several = NOUNS.at(rest, 0).is_some_and(|((noun, used), len)| {
        noun == Noun::Event
            && used == Use::Plain
            && rest
                .get(len - 1)
                .is_some_and(|last| last.word != last.base && last.word.ends_with('s'))
    });
    let other = rest.len() == 1
        && NOUNS
            .at(rest, 0)
            .is_some_and(|((noun, _), _)| noun == Noun::Task);
    let slots = here == "free"
        && (matches!(
            word(rest, 1),
            "hours" | "hour" | "minutes" | "slots" | "slot" | "time"
        ) || matches!(rest.get(1).map(|next| next.form), Some(Form::Time(_))));
    // "The workshop mail's date": what is written elsewhere.
    let owned = NOUNS.at(rest, 0).is_some_and(|((noun, used), len)| {
        noun == Noun::Mail && used == Use::Plain && word(rest, len) == "'s"
    });
    slots
        || owned
        || several
        || other
        || beside
        || hour
        || matches!(here, "every" | "each" | "same" | "whenever")
}

/// A word that does not belong to the title of a new task.
pub(super) fn not_of_task(rest: &[Piece], first: &Piece) -> bool {
    let here = word(rest, 0);
    let begins = std::ptr::eq(&raw const rest[0], first);
    // "I need to not forget the photos": what to do, not what it is called.
    if begins && here == "not" && word(rest, 1) == "forget" {
        return true;
    }
    let things = NOUNS.at(rest, 1).is_some() || NOUNS.at(rest, 2).is_some();
    // "An hour before my flight": when to be reminded, not of what.
    let ahead = begins
        && rest
            .iter()
            .take(4)
            .any(|piece| matches!(piece.word.as_str(), "before" | "after"))
        && (matches!(rest[0].form, Form::Time(_) | Form::Number)
            || matches!(here, "an" | "a" | "half")
            || here == "the"
                && matches!(
                    word(rest, 1),
                    "day" | "evening" | "night" | "morning" | "week" | "hour"
                ));
    let all = rest.len() == 1 && matches!(here, "all" | "each" | "both" | "respectively");
    let second = matches!(here, "called" | "named" | "titled" | "another") && !begins;
    let before =
        matches!(rest[0].form, Form::Time(_)) && matches!(word(rest, 1), "before" | "after");
    // "From Tom's last email", "… if I haven't by 5", "about this".
    let source = begins && (here == "from" || here == "out" && word(rest, 1) == "of")
        || here == "if" && matches!(word(rest, 1), "i" | "he" | "she" | "they" | "we")
        || begins && rest.len() <= 2 && matches!(here, "this" | "that" | "it");
    source
        || ahead
        || all
        || second
        || before
        || begins && matches!(here, "each" | "every" | "all" | "any") && things
}

/// "Tell Dave why": what is to be said was not said.
pub(super) fn only_asks(rest: &[Piece], first: &Piece) -> bool {
    std::ptr::eq(&raw const rest[0], first)
        && matches!(
            word(rest, 0),
            "why" | "how" | "when" | "where" | "who" | "what" | "about"
        )
        && rest.iter().skip(1).all(|piece| piece.form == Form::Mark)
}

/// "… that it's fine, and archive the oldest from Will", "… that it's off, then cancel it": a request behind what is to be said.
pub(super) fn asks_more(rest: &[Piece], _first: &Piece) -> bool {
    // "Hi and delete her mail": nobody else deletes it.
    let verb_at = 1 + usize::from(matches!(word(rest, 1), "then" | "also"));
    let mail = word(rest, 0) == "and"
        && matches!(
            word(rest, verb_at),
            "archive" | "delete" | "star" | "unstar" | "trash"
        )
        && matches!(
            word(rest, verb_at + 1),
            "her" | "his" | "their" | "the" | "that" | "all"
        )
        && NOUNS
            .at(rest, verb_at + 2)
            .is_some_and(|((noun, _), _)| noun == Noun::Mail);
    if mail {
        return true;
    }
    if word(rest, 0) != "," {
        return false;
    }
    let joints = rest
        .iter()
        .skip(1)
        .take_while(|piece| matches!(piece.word.as_str(), "and" | "then" | "also"))
        .count();
    let verb = matches!(
        word(rest, 1 + joints),
        "archive" | "delete" | "cancel" | "forward" | "star" | "unstar" | "trash" | "reschedule"
    );
    joints > 0
        && verb
        && matches!(
            word(rest, 2 + joints),
            "it" | "them" | "the" | "that" | "this" | "all" | "my" | "both"
        )
}

/// "Tell Bob before Friday that lunch is off": when it is to be told is no part of what is said.
pub(super) fn timed_that(rest: &[Piece], first: &Piece) -> bool {
    let timed = |piece: &Piece| piece.leads.is_some() || matches!(piece.form, Form::Time(_));
    let len = rest.iter().take_while(|piece| timed(piece)).count();
    std::ptr::eq(&raw const rest[0], first)
        && len > 0
        && word(rest, len) == "that"
        && rest.len() > len + 2
}

/// "… when she's back and Tom whether he's seen it": what somebody else is to be told or asked.
pub(super) fn says_to_another(rest: &[Piece], _first: &Piece) -> bool {
    word(rest, 0) == "and"
        && rest
            .get(1)
            .is_some_and(|name| name.capital && name.form == Form::Word && name.word != "i")
        && matches!(word(rest, 2), "whether" | "if" | "that" | "to")
}

/// "Tom's number, and when do I meet him": two questions that were read as one.
pub(super) fn two_questions(rest: &[Piece], _first: &Piece) -> bool {
    // "My next meeting with …" is looked up where meetings are.
    let thing = matches!(
        word(rest, 0),
        "next" | "last" | "first" | "latest" | "upcoming"
    ) && NOUNS.at(rest, 1).is_some_and(|((noun, _), _)| {
        matches!(noun, Noun::Event | Noun::Mail | Noun::Task | Noun::Note)
    });
    thing
        || matches!(word(rest, 0), "and" | ",")
            && rest.iter().skip(1).take(2).any(|next| {
                matches!(
                    next.word.as_str(),
                    "what" | "when" | "who" | "where" | "which" | "how" | "why"
                )
            })
}

/// "My plate is KX 22 and that I park on level 3": two facts that were read as one.
pub(super) fn two_facts(rest: &[Piece], _first: &Piece) -> bool {
    word(rest, 0) == "and"
        && word(rest, 1) == "that"
        && matches!(word(rest, 2), "i" | "my" | "the" | "we" | "our")
        || word(rest, 0) == "and"
            && matches!(word(rest, 1), "my" | "our")
            && rest
                .iter()
                .skip(2)
                .any(|next| matches!(next.word.as_str(), "is" | "are"))
}

/// "A task for every item": something else is to be made, and not written down.
pub(super) fn of_other_kind(rest: &[Piece], first: &Piece) -> bool {
    std::ptr::eq(&raw const rest[0], first)
        && matches!(word(rest, 0), "a" | "an")
        && NOUNS.at(rest, 1).is_some_and(|((noun, used), _)| {
            used == Use::Plain && matches!(noun, Noun::Task | Noun::Event | Noun::Reminder)
        })
}

/// The folded word of a piece, or nothing for whole expressions.
pub(super) fn word(pieces: &[Piece], at: usize) -> &str {
    pieces
        .get(at)
        .filter(|piece| piece.is_plain())
        .map_or("", |piece| piece.word.as_str())
}
