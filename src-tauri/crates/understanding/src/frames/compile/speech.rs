//! Turns reported speech into what a person would write: "telling her that she should call" becomes "Please call."

mod addressee;
#[cfg(test)]
mod tests;

use addressee::{is_name, low, mended, turned};

/// Subjects of one word, which swap places with their verb in a question.
const SUBJECTS: &str = "you i we it they he she this that there";

/// Classes of verbs that introduce a clause, with the text before and after the clause.
const FRAMES: &[(&str, &str, &str)] = &[
    ("thank", "Thank you for ", "."),
    ("congratulate", "Congratulations on ", "!"),
    ("wish", "I wish you ", "!"),
    ("apologize", "I apologize for ", "."),
    ("remember", "Please remember to ", "."),
    ("recall", "This is a reminder of ", "."),
    ("invite", "I would like to invite you to ", "."),
];

/// Duties that become polite requests.
const DUTIES: &[&str] = &[
    "you should ",
    "you need to ",
    "you have to ",
    "you must ",
    "you are to ",
    "you ought to ",
];

/// Words that begin an indirect question, which is asked as it stands.
const ASKED: &str = "what when where who which how why whether about whose";

/// Verbs that swap places with "you", "I" or "it" in a question.
const AUXILIARY: &str = "can could will would shall are is am should were was may might must";

/// Words that begin a message to somebody that no verb introduces.
const STARTS: &str = "i im i'm i'll ive i've i'd we we're we'll we've it's it there can could will would are is do does did \
    have has what what's when where how why who thanks thank happy sorry congrats congratulations yes no ok \
    okay you let's hi";

/// More such words, which leave out "I" or begin another sentence: "cant make it", "running late".
const STARTS_BARE: &str = "can't cant cannot won't wont don't dont didn't didnt haven't havent not never still already almost nearly \
    running stuck leaving heading coming going gonna getting got arriving landed landing boarding home tied \
    missed forgot need might may should shall must see looking hope love miss call please pls thx ty cheers \
    hey hello ok sounds great perfect good nope yep yeah sure yup done let he's she's they're he she they that's \
    thats theres there's here's heres nothing everything everyone nobody somebody someone";

/// Words that begin a time, a condition or a subject instead of a message.
const OPENS: &str = "when if once after before until till unless while as at on in by for with from to every each about \
    regarding re concerning and or but because since";

/// Verbs that make a sentence: "the game starts at 8", unlike "the report".
const SAYS: &str = "is isn't isnt are aren't arent was were will won't wont works starts begins ends has hasn't have can can't cant \
    cannot could should needs comes leaves arrives got went fits suits didn't didnt doesn't doesnt wants goes takes";

/// Words that begin a statement of the person.
const TELLS: &str =
    "i i'm im i'll i've ive we we're we'll we've he he's she she's they they're it it's the my our";

/// Verbs with which such a statement wishes for something: "I'd like two please".
const WISHES: &str = "want need would take have like";

/// Base forms of verbs that look like the forms that follow "have".
const BASE_FORMS: &str = "read need feed speed breed bleed succeed proceed exceed heed weed";

/// Verb forms that follow "have".
const PARTICIPLES: &str = "been seen got gotten had made sent given written spoken forgotten heard met found received decided read \
    done gone taken left lost paid booked";

/// The recipient of a mail, which decides which pronouns may mean them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Addressee {
    /// One person, who may be meant by "he" or "she".
    One,
    /// One person, referred to as "him".
    Him,
    /// One person, referred to as "her".
    Her,
    /// Several people.
    Several,
}

/// Returns the text of a mail that says `said`, introduced by a verb of class `how`; `None` if it cannot be put into
/// words.
pub(super) fn letter(how: &str, said: &str, to: Addressee) -> Option<String> {
    let said = said.trim().trim_matches([',', ';', ':']).trim();
    let (statement, asks) = match said.strip_suffix('?') {
        Some(before) => (before.trim_end(), true),
        None => (said, false),
    };
    let bare = statement.trim_end_matches(['.', '!', ' ']);
    if bare.is_empty() {
        return None;
    }
    if let Some((_, before, behind)) = FRAMES.iter().find(|(name, _, _)| *name == how) {
        let turned = turned(bare, to, true);
        return Some(format!("{before}{turned}{behind}"));
    }
    // "Tell Sarah and cancel lunch": what follows the joint is another request.
    if among("and then", &first_word(bare)) {
        return None;
    }
    // "About" introduces the subject, not the message.
    if how != "ask" && among("about regarding concerning", &first_word(bare)) {
        return None;
    }
    if let Some(favour) = bare.strip_prefix("to ") {
        return Some(please(&turned(favour, to, true)));
    }
    if how == "said"
        && let Some(answer) = bare.strip_prefix("a ")
        && answer.split_whitespace().count() <= 2
    {
        // "Reply with a yes" can be written; the wording of "a polite no" is for somebody else.
        return among("yes no thanks", answer)
            .then(|| ended(&capitalised(answer), '.'))
            .or_else(|| (answer == "thank you").then(|| "Thank you.".to_owned()));
    }
    match how {
        "free" if !begins_speech(bare) => None,
        "bid" => Some(please(&turned(bare, to, true))),
        "ask" => request_sentence(&turned(bare, to, true)),
        _ => Some(statement_sentence(statement, asks, to)),
    }
}

/// Reports whether words after a person are a message to them although nothing introduces it: they begin like a
/// sentence, or contain its verb.
fn begins_speech(text: &str) -> bool {
    let first = low(&first_word(text));
    let first = first.trim_end_matches([',', '.', '!']);
    if text.to_lowercase().starts_with("on my way") {
        return true;
    }
    let second = low(text.split_whitespace().nth(1).unwrap_or(""));
    let asks = among(AUXILIARY, &second) || among("do does did have has", &second);
    if first == "when" && !asks {
        return false;
    }
    let opens = among(OPENS, first) && !among(STARTS, first);
    let verb = || {
        let words = text.split_whitespace().skip(1).take(5);
        let mut small = words.filter(|word| word.starts_with(char::is_lowercase));
        small.any(|word| among(SAYS, low(word).trim_end_matches([',', '.', '!', '?'])))
    };
    !opens && (among(STARTS, first) || among(STARTS_BARE, first) || verb())
}

/// Returns the sentence for something that somebody is told.
fn statement_sentence(said: &str, asks: bool, to: Addressee) -> String {
    let first = first_word(said);
    // "Tell Ana I'm late please" asks this program; the "please" of "saying yes please" is for Ana.
    let said = [" please", " pls"]
        .iter()
        .find_map(|tail| said.strip_suffix(tail))
        .filter(|_| {
            among(TELLS, low(&first).trim_end_matches(',')) && !among(WISHES, &next_word(said))
        })
        .unwrap_or(said);
    let text = clauses(said.trim_end_matches(','), to);
    let low = text.to_lowercase();
    if let Some(duty) = DUTIES.iter().find(|duty| low.starts_with(**duty)) {
        return please(text[duty.len()..].trim_end_matches(['.', '!', ' ']));
    }
    let next = next_word(said);
    let begins = among(AUXILIARY, &first) || among("do does did have has", &first);
    // "Are you there", typed without a question mark.
    let turned_round = begins && among(SUBJECTS, &next);
    let question = turned_round || asks && (begins || first == "any" || among(ASKED, &first));
    ended(&capitalised(&text), if question { '?' } else { '.' })
}

/// Turns clauses joined by "and that". Once a clause names somebody, later pronouns may mean them and stay unchanged.
fn clauses(said: &str, to: Addressee) -> String {
    let mut named = false;
    let turned = said.split(" and that ").map(|clause| {
        let clause = match named {
            true => mended(clause),
            false => turned(clause, to, false),
        };
        named |= clause.split_whitespace().any(is_name);
        clause
    });
    turned.collect::<Vec<_>>().join(" and ")
}

/// Returns the sentence for something that somebody is asked: to do, for something, whether, what.
fn request_sentence(text: &str) -> Option<String> {
    let (first, rest) = text.split_once(' ').unwrap_or((text, ""));
    let first = first.to_lowercase();
    Some(match first.as_str() {
        "if" | "whether" => question(rest),
        "for" if !rest.is_empty() => format!("Could you send me {rest}?"),
        word if among(ASKED, word) => format!("Could you tell me {text}?"),
        "the" | "a" | "an" | "his" | "her" | "their" | "your" | "some" | "any" => {
            format!("Could you tell me {text}?")
        }
        _ => return None,
    })
}

/// Turns a statement into a question: "you can come on Friday" becomes "Can you come on Friday?"
fn question(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    let subject = words
        .first()
        .map(|word| word.to_lowercase())
        .unwrap_or_default();
    let verb = words
        .get(1)
        .map(|word| word.to_lowercase())
        .unwrap_or_default();
    if !among(SUBJECTS, &subject) || words.len() < 3 {
        return format!("Could you tell me if {text}?");
    }
    let name = if subject == "i" {
        "I"
    } else {
        subject.as_str()
    };
    let rest = words[2..].join(" ");
    let third = words[2].to_lowercase();
    let perfect = |word: &str| word.ends_with("ed") || among(PARTICIPLES, word);
    let has = matches!(verb.as_str(), "have" | "has");
    if among(AUXILIARY, &verb) || has && perfect(&third) {
        return format!("{} {name} {rest}?", capitalised(&verb));
    }
    if subject != "you" {
        return format!("Could you tell me if {text}?");
    }
    if perfect(&verb) && !among(BASE_FORMS, &verb) && !has {
        return format!("Have you {verb} {rest}?");
    }
    format!("Do you {verb} {rest}?")
}

/// Returns a polite request.
fn please(text: &str) -> String {
    let mut text = text.trim();
    for tail in [" please", " pls"] {
        text = text
            .strip_suffix(tail)
            .unwrap_or(text)
            .trim_end_matches(',');
    }
    ended(&format!("Please {text}"), '.')
}

/// Adds a closing mark unless there is one.
fn ended(text: &str, mark: char) -> String {
    if text.ends_with(['.', '!', '?', '…', ':', ')']) {
        return text.to_owned();
    }
    format!("{text}{mark}")
}

/// Capitalises the first letter.
fn capitalised(text: &str) -> String {
    super::words::capitalised(text)
}

fn next_word(text: &str) -> String {
    text.split_whitespace().nth(1).unwrap_or("").to_lowercase()
}

fn first_word(text: &str) -> String {
    text.split_whitespace().next().unwrap_or("").to_lowercase()
}

/// Reports whether a list contains a word.
fn among(list: &str, word: &str) -> bool {
    list.split_whitespace().any(|one| one == word)
}
