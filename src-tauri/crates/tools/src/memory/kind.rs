//! Guesses the kind of a fact if nobody said it.

use adjutant_domain::filter::{Field, Filter, Match};
use adjutant_domain::outcome::Stop;
use adjutant_domain::ports::Cx;
use adjutant_text::words;

use crate::effect::failed;

/// Words that tell what the person likes or wants.
const PREFERENCE: [&str; 19] = [
    "prefer",
    "prefers",
    "preference",
    "preferred",
    "like",
    "likes",
    "dislike",
    "love",
    "hate",
    "favorite",
    "favourite",
    "rather",
    "never",
    "always",
    "avoid",
    "allergic",
    "vegetarian",
    "vegan",
    "no",
];
/// Words that tell how often something recurs.
const ROUTINE: [&str; 13] = [
    "every",
    "each",
    "daily",
    "weekly",
    "monthly",
    "yearly",
    "mondays",
    "tuesdays",
    "wednesdays",
    "thursdays",
    "fridays",
    "saturdays",
    "sundays",
];
/// Words for people that are not names.
const RELATIVES: [&str; 26] = [
    "mom",
    "mum",
    "mother",
    "dad",
    "father",
    "parents",
    "wife",
    "husband",
    "partner",
    "sister",
    "brother",
    "son",
    "daughter",
    "kids",
    "children",
    "aunt",
    "uncle",
    "cousin",
    "grandma",
    "grandpa",
    "boss",
    "manager",
    "colleague",
    "friend",
    "neighbour",
    "neighbor",
];

/// Returns `person`, `routine`, `preference` or `fact`, judging by the words and the address book.
pub(super) async fn kind_of(key: &str, value: &str, cx: &Cx) -> Result<&'static str, Stop> {
    let said = format!("{key} {value}").replace('’', "'");
    let all = words(&said.replace("'s", ""));
    let holds = |known: &[&str]| all.iter().any(|word| known.contains(&word.as_str()));
    if holds(&ROUTINE) {
        return Ok("routine");
    }
    if holds(&RELATIVES) || names_somebody(key, cx).await? {
        return Ok("person");
    }
    Ok(if holds(&PREFERENCE) {
        "preference"
    } else {
        "fact"
    })
}

/// Returns whether a capitalised word is a name in the address book.
async fn names_somebody(key: &str, cx: &Cx) -> Result<bool, Stop> {
    for word in key.split_whitespace() {
        let name = word.trim_end_matches("'s").trim_end_matches("’s");
        if !name.chars().next().is_some_and(char::is_uppercase) || name.chars().count() < 2 {
            continue;
        }
        let filter = Filter::all()
            .words_in(Field::Names, Match::Beginnings, Some(name))
            .at_most(Some(1));
        if !cx
            .records
            .contacts(&filter)
            .await
            .map_err(failed)?
            .is_empty()
        {
            return Ok(true);
        }
    }
    Ok(false)
}
