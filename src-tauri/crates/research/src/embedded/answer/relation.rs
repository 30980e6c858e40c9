//! Answers what a relation leads to: when, where, of which country, who.

use super::dates::life;
use super::nations::nations;
use super::{Extracted, Sheet, View, follow, ground, page_of};
use crate::embedded::leads;
use crate::embedded::orders::told;
use crate::embedded::topic::Topic;
use crate::lexicon::{names, plain_space};

/// Maximum sentences of a page that are searched for a place.
const SENTENCES_MAX: usize = 40;

/// Returns the property or the person that a question asks for; `None` for yes-or-no and "A or B" questions.
pub fn asked(view: &View<'_>, topic: &Topic) -> Option<Extracted> {
    let words = adjutant_text::words(view.question);
    if super::wants_yes_or_no(&words) || view.question.contains(" or ") {
        return None;
    }
    let has = |list: &[&str]| words.iter().any(|word| list.contains(&word.as_str()));
    let page = topic
        .names
        .iter()
        .rev()
        .find_map(|name| page_of(view, name))?;
    let target = follow(view, page, topic);
    let death = has(&["died", "death", "die", "dead"]);
    let birth = has(&["born", "birth", "birthday", "birthplace"]);
    let when = has(&["when", "date", "year", "birthday"]);
    let where_ = has(&["where", "place", "birthplace", "city", "town"]);
    let answer = if when && (birth || death) {
        let target = target?;
        let (born, died) = life(target.text);
        let day = if death { died } else { born }?;
        (day.text, target)
    } else if where_ && (birth || death) {
        let target = target?;
        (
            place(
                target,
                if death {
                    &["died", "death"]
                } else {
                    &["born", "birth"]
                },
            )?,
            target,
        )
    } else if has(&["nationality", "country", "citizenship"]) {
        let target = target?;
        let nation = nations(adjutant_text::cut(target.text, 700))
            .into_iter()
            .next()?;
        let text = if nation.word == nation.country {
            nation.word
        } else {
            format!("{} ({})", nation.word, nation.country)
        };
        return Some(found(page, target, text, &nation_word(target)));
    } else if words.first().is_some_and(|word| word == "who") && topic.asked.len() == 1 {
        let name = leads::related(page, &topic.asked[0]).into_iter().next()?;
        (name, page)
    } else {
        return None;
    };
    let text = answer.0.clone();
    Some(found(page, answer.1, answer.0, &text))
}

fn nation_word(sheet: &Sheet<'_>) -> String {
    nations(adjutant_text::cut(sheet.text, 700))
        .into_iter()
        .next()
        .map(|one| one.word)
        .unwrap_or_default()
}

fn found(page: &Sheet<'_>, target: &Sheet<'_>, text: String, word: &str) -> Extracted {
    let mut grounds = vec![ground(target, word)];
    if page.page.address != target.page.address {
        grounds.insert(0, ground(page, &target.page.title));
    }
    Extracted {
        because: format!("From the page {}.", target.page.title),
        text: plain_space(&text),
        grounds,
    }
}

/// Returns the place that follows "born … in" or "died … in".
fn place(sheet: &Sheet<'_>, verbs: &[&str]) -> Option<String> {
    for sentence in told(sheet.text).take(SENTENCES_MAX) {
        let small = sentence.to_lowercase();
        if small.len() != sentence.len() {
            continue;
        }
        let Some(from) = verbs.iter().filter_map(|verb| small.find(verb)).min() else {
            continue;
        };
        for marker in [" in ", " at ", " near "] {
            for (at, _) in small.match_indices(marker).filter(|(at, _)| *at >= from) {
                let begin = at + marker.len();
                let after = sentence.get(begin..).unwrap_or_default();
                let named = names(after)
                    .into_iter()
                    .next()
                    .filter(|named| named.at == 0 || after.starts_with("the "));
                if let Some(named) = named.filter(|named| {
                    !super::dates::dates(&named.name)
                        .iter()
                        .any(|(at, _)| *at == 0)
                }) {
                    let rest = &after[named.at + named.name.len()..];
                    let more = rest
                        .strip_prefix(", ")
                        .and_then(|rest| names(rest).into_iter().next().filter(|one| one.at == 0));
                    let text = more.map_or_else(
                        || named.name.clone(),
                        |more| format!("{}, {}", named.name, more.name),
                    );
                    return Some(text);
                }
            }
        }
    }
    None
}
