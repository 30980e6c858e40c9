//! What kind of answer a question wants, and whether a text holds one: a place, a time, a length, an amount.

use adjutant_text::words;

use super::common::{is_nearly_one_of, is_one_of};

/// What kind of answer a question wants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    /// A number or a code.
    Figure,
    /// How many.
    Count,
    /// How much: money or a quantity.
    Amount,
    /// How hot.
    Temperature,
    /// How long, or until when.
    Length,
    /// A day or a time of day.
    Time,
    /// Where something is.
    Place,
    /// Who.
    Person,
}

/// Words of a question by which it asks for a place and which the answer only names.
const PLACE: &str = "address location place where located whereabouts";
const TEMPERATURE: &str = "temperature hot degrees";
const AMOUNT: &str =
    "price prices cost costs fee fees amount discount budget premium percentage rate";
const FIGURE: &str = "code pin number password passcode combination figure";

const UNITS_OF_TIME: &str = "second seconds minute minutes min mins hour hours hr hrs h day days night nights week weeks weekend weekends \
    month months year years";
const NUMBER_WORDS: &str = "a an one two three four five six seven eight nine ten eleven twelve fifteen twenty thirty forty fifty sixty half \
    few several couple dozen";
const MONTHS: &str = "January February March April May June July August September October November December Jan Feb Mar Apr Jun Jul Aug \
    Sep Sept Oct Nov Dec";
const DAYS: &str = "monday tuesday wednesday thursday friday saturday sunday mondays tuesdays wednesdays thursdays fridays saturdays \
    sundays today tomorrow yesterday tonight noon midnight";
const SHORT_DAYS: &str = "Mon Tue Tues Wed Thu Thur Thurs Fri Sat Sun";
const PREPOSITIONS: &str = "in inside into under underneath beneath below at on onto upon behind beside besides near by above over opposite \
    between next against outside around along through within";
/// Words after a preposition that make no place of it: "in time", "on it", "at least".
const NO_PLACE: &str = "time it them that this these those which whom what case fact general least most last first once all advance \
    touch person total order addition particular hand way behalf progress about am pm morning afternoon evening night week weekend \
    month year minute minutes hour hours day days today tomorrow yesterday noon midnight spring summer autumn winter me you him her us \
    card mail email phone sale doubt average";
const DETERMINERS: &str = "the a an my our your his her their its this that each every some any";
const STREETS: &str =
    "street st road rd avenue ave lane ln square drive way court boulevard place terrace";
const MONEY: &str =
    "dollar dollars euro euros pound pounds cent cents usd eur gbp chf percent bucks";

impl Shape {
    /// Returns the kinds of answers for which a question asks by its words, in their order.
    pub(super) fn asked(question: &str) -> Vec<Self> {
        let said = words(question);
        let mut shapes = Vec::new();
        for (at, word) in said.iter().enumerate() {
            let next = said.get(at + 1).map_or("", String::as_str);
            let shape = match (word.as_str(), next) {
                ("how", "long") | ("until" | "till" | "til", "when") => Self::Length,
                ("how", "hot" | "cold" | "warm") => Self::Temperature,
                ("how", "much") => Self::Amount,
                ("how", "many") => Self::Count,
                ("what" | "which", "time" | "day" | "date") => Self::Time,
                ("when", _) if at == 0 || !is_one_of(&said[at - 1], "until till til") => Self::Time,
                ("who" | "whose" | "whom", _) => Self::Person,
                (word, _) if is_nearly_one_of(word, PLACE) => Self::Place,
                (word, _) if is_one_of(word, TEMPERATURE) => Self::Temperature,
                (word, _) if is_one_of(word, AMOUNT) => Self::Amount,
                (word, _) if is_one_of(word, FIGURE) => Self::Figure,
                _ => continue,
            };
            if !shapes.contains(&shape) {
                shapes.push(shape);
            }
        }
        shapes
    }

    /// Whether a word only says which kind of answer is wanted.
    pub(super) fn is_named_by(word: &str) -> bool {
        is_nearly_one_of(word, PLACE) || is_one_of(word, TEMPERATURE)
    }

    /// Returns how well a text holds such an answer: 0 not at all, 1 certainly.
    pub(super) fn held(self, text: &str) -> f32 {
        let tokens: Vec<&str> = text
            .split_whitespace()
            .map(|token| {
                token.trim_matches(|letter: char| {
                    !letter.is_alphanumeric()
                        && !matches!(letter, '$' | '€' | '£' | '%' | '°' | '+')
                })
            })
            .filter(|token| !token.is_empty())
            .collect();
        let any =
            |test: &dyn Fn(&[&str], usize) -> bool| (0..tokens.len()).any(|at| test(&tokens, at));
        let digits = || any(&|tokens, at| has_digit(tokens[at]));
        let certain = match self {
            Self::Figure => digits(),
            Self::Count => digits() || any(&is_number_word),
            Self::Amount => any(&is_amount),
            Self::Temperature => any(&is_temperature),
            Self::Length => any(&is_length) || any(&is_range),
            Self::Time => any(&is_time),
            Self::Place => any(&is_place),
            Self::Person => any(&is_name),
        };
        let perhaps = match self {
            Self::Amount => digits(),
            _ => false,
        };
        match (certain, perhaps) {
            (true, _) => 1.0,
            (false, true) => 0.5,
            (false, false) => 0.0,
        }
    }
}

fn has_digit(token: &str) -> bool {
    token.contains(|letter: char| letter.is_ascii_digit())
}

fn at_lower(tokens: &[&str], at: usize) -> String {
    tokens
        .get(at)
        .map(|token| token.to_lowercase())
        .unwrap_or_default()
}

fn before(tokens: &[&str], at: usize) -> String {
    at.checked_sub(1)
        .map_or_else(String::new, |before| at_lower(tokens, before))
}

fn is_number_word(tokens: &[&str], at: usize) -> bool {
    let word = at_lower(tokens, at);
    is_one_of(&word, NUMBER_WORDS) && !is_one_of(&word, "a an")
}

/// "$40", "12 %", "250 g", "612 dollars".
fn is_amount(tokens: &[&str], at: usize) -> bool {
    let token = tokens[at];
    if !has_digit(token) {
        return false;
    }
    let next = at_lower(tokens, at + 1);
    let unit = is_one_of(&next, MONEY)
        || is_one_of(
            &next,
            "$ € £ % g kg mg ml l cl oz lb lbs cup cups litre litres liter liters km miles m cm",
        );
    let letters: String = token.chars().filter(|c| c.is_alphabetic()).collect();
    token.contains(['$', '€', '£', '%'])
        || unit
        || is_one_of(&letters.to_lowercase(), "g kg mg ml l k usd eur")
        || is_decimal(token)
}

/// "64.50"
fn is_decimal(token: &str) -> bool {
    let Some((whole, cents)) = token.rsplit_once('.') else {
        return false;
    };
    let digits = |text: &str| text.chars().all(|c| c.is_ascii_digit() || c == ',');
    cents.len() == 2 && digits(cents) && whole.ends_with(|c: char| c.is_ascii_digit())
}

/// "180 degrees", "350°F", "180 C"
fn is_temperature(tokens: &[&str], at: usize) -> bool {
    let token = tokens[at].to_lowercase();
    if !has_digit(&token) {
        return false;
    }
    let next = at_lower(tokens, at + 1);
    let number = token.trim_end_matches(['c', 'f']);
    token.contains('°')
        || next.starts_with('°')
        || is_one_of(&next, "degree degrees celsius fahrenheit c f")
        || (number.len() < token.len() && number.chars().all(|c| c.is_ascii_digit()))
}

/// "40 minutes", "two more weeks", "35min", "an hour"
fn is_length(tokens: &[&str], at: usize) -> bool {
    let token = at_lower(tokens, at);
    let attached = token.trim_start_matches(|letter: char| letter.is_ascii_digit());
    if attached.len() < token.len() && is_one_of(attached, UNITS_OF_TIME) {
        return true;
    }
    let number = has_digit(&token) || is_one_of(&token, NUMBER_WORDS);
    let unit = |at: usize| is_one_of(&at_lower(tokens, at), UNITS_OF_TIME);
    number && (unit(at + 1) || unit(at + 2) || at_lower(tokens, at + 1).contains("-minute"))
}

/// "until March 31", "from the 2nd to the 4th", "10:00–11:00"
fn is_range(tokens: &[&str], at: usize) -> bool {
    let token = at_lower(tokens, at);
    let near = |mut range: std::ops::Range<usize>| {
        range.any(|at| at < tokens.len() && is_time(tokens, at))
    };
    let dashed = token.split_once(['–', '-']).is_some_and(|(from, to)| {
        (from.contains(':') || to.contains(':')) && has_digit(from) && has_digit(to)
    });
    let until = is_one_of(&token, "until till through") && near(at + 1..at + 4);
    let to =
        token == "to" && near(at.saturating_sub(3)..at) && has_digit(&at_lower(tokens, at + 1));
    dashed || until || to
}

/// "Friday", "March 12", "the 15th", "at three", "7:15 am", "2026-04-15"
fn is_time(tokens: &[&str], at: usize) -> bool {
    let token = tokens[at];
    let lower = token.to_lowercase();
    if is_one_of(token, MONTHS) || is_one_of(&lower, DAYS) || is_one_of(token, SHORT_DAYS) {
        return true;
    }
    let (last, next) = (before(tokens, at), at_lower(tokens, at + 1));
    let after = is_one_of(&last, "at by until till from before around between");
    if after && is_one_of(&lower, NUMBER_WORDS) && !is_one_of(&lower, "a an few several couple") {
        return !is_one_of(&next, UNITS_OF_TIME);
    }
    if !lower.starts_with(|letter: char| letter.is_ascii_digit()) {
        return false;
    }
    let digits = lower.chars().take_while(char::is_ascii_digit).count();
    let rest = &lower[digits..];
    let clock = rest
        .strip_prefix(':')
        .is_some_and(|minutes| minutes.starts_with(|letter: char| letter.is_ascii_digit()));
    let half = is_one_of(rest, "am pm st nd rd th") || rest.starts_with('–') && rest.contains(':');
    let date = lower.matches('-').count() == 2 && digits == 4 || rest.starts_with('/');
    let hour = digits <= 2
        && rest.is_empty()
        && (is_one_of(&next, "am pm a.m p.m o'clock")
            || after && next.is_empty()
            || after && !is_one_of(&next, UNITS_OF_TIME) && is_one_of(&last, "at"));
    clock || half || date || hour
}

/// "under the blue pot", "12 Orchard Lane"
fn is_place(tokens: &[&str], at: usize) -> bool {
    let token = tokens[at].to_lowercase();
    if has_digit(&token) && is_one_of(&at_lower(tokens, at + 2), STREETS) {
        return tokens[at + 1].starts_with(char::is_uppercase);
    }
    if !is_one_of(&token, PREPOSITIONS) {
        return false;
    }
    let mut next = at + 1;
    if is_one_of(&at_lower(tokens, next), "of to") {
        next += 1;
    }
    let bare = next;
    while is_one_of(&at_lower(tokens, next), DETERMINERS) {
        next += 1;
    }
    let thing = at_lower(tokens, next);
    let named = !thing.is_empty()
        && !thing.starts_with(|letter: char| letter.is_ascii_digit())
        && !is_one_of(&thing, NO_PLACE)
        && !is_one_of(&thing, NUMBER_WORDS)
        && !is_time(tokens, next)
        && !is_range(tokens, next);
    // "By card" and "through search" are no places; "by the door" and "through the gate" are.
    let loose = is_one_of(&token, "by over through within against around along");
    named && (!loose || next > bare)
}

/// A capitalised word that does not begin the text, or a mail address.
fn is_name(tokens: &[&str], at: usize) -> bool {
    let token = tokens[at];
    let capital = |token: &str| token.starts_with(char::is_uppercase) && token.len() > 1;
    let two = tokens.get(at + 1).is_some_and(|next| capital(next));
    token.contains('@') || capital(token) && (at > 0 || two) && !is_time(tokens, at)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_question_says_what_kind_of_answer_it_wants() {
        for (question, shapes) in [
            ("Where is the spare fuse?", vec![Shape::Place]),
            (
                "How long does the stew simmer, and how hot?",
                vec![Shape::Length, Shape::Temperature],
            ),
            (
                "how much is the mooring and until when",
                vec![Shape::Amount, Shape::Length],
            ),
            ("adress of the depot", vec![Shape::Place]),
            ("who painted the hall", vec![Shape::Person]),
            ("the oars", vec![]),
        ] {
            assert_eq!(Shape::asked(question), shapes, "{question}");
        }
    }

    #[test]
    fn a_text_holds_the_answer_or_does_not() {
        for (shape, yes, no) in [
            (
                Shape::Place,
                "The fuse is behind the green door.",
                "The fuse broke on Friday at 10.",
            ),
            (
                Shape::Place,
                "The depot is 4 Harbour Road.",
                "It will be done in time.",
            ),
            (
                Shape::Length,
                "Simmer two more hours.",
                "Simmer with 200 g of peas.",
            ),
            (
                Shape::Length,
                "It is open until May 3.",
                "It opens on May 3.",
            ),
            (Shape::Temperature, "Simmer at 90 °C.", "Simmer 90 minutes."),
            (Shape::Time, "The ferry leaves at nine.", "You may go home."),
            (Shape::Time, "It arrives on the 4th.", "It weighs 4 kg."),
            (Shape::Amount, "The mooring is $90.", "The mooring is long."),
            (
                Shape::Figure,
                "The code is 7B41.",
                "The code is on the door.",
            ),
            (Shape::Person, "Ask Nils Berg.", "Ask somebody."),
            (Shape::Count, "There are two boats.", "There are boats."),
        ] {
            assert!(shape.held(yes) > 0.9, "{shape:?} in {yes}");
            assert!(shape.held(no) < 0.1, "{shape:?} not in {no}");
        }
        assert!(Shape::Amount.held("Box 40, office") < Shape::Amount.held("office,64.50"));
    }
}
