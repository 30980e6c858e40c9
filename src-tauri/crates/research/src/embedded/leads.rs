//! Leads: names found in opened pages, scored by how promising they are.

use adjutant_text::{stem, words};

use super::orders::told;
use super::relations::QueryWord;
use super::sentence::is_whole;
use super::topic::{Topic, plain_title, same_name, stem_set};
use super::{Sheet, View};
use crate::lexicon::{NameMention, name_key, names};

/// Maximum sentences of one page that are read for names.
const SENTENCES_MAX: usize = 80;
/// Maximum leads that are kept.
const LEADS_MAX: usize = 40;
/// Number of words around a name that are searched for the asked word.
const AROUND_WORDS: usize = 8;
/// Score a lead loses for each better lead of the same page, so that pages are followed in parallel.
const BEHIND: f32 = 0.8;
/// Maximum loss from [`BEHIND`].
const BEHIND_MAX: f32 = 3.0;

/// Score a name loses once a page of that title was opened; it stays a lead, because other pages may mention it.
const OPENED: f32 = 1.5;

/// Score added to names in a line that is not a whole sentence: a heading, a menu, a table cell.
const FRAGMENT: f32 = -1.0;

/// A name found in a page that the question does not contain.
#[derive(Clone, Debug)]
pub struct Lead {
    /// The name as written in the page.
    pub name: String,
    /// The name in the form that names are compared in.
    pub key: String,
    /// Score; higher is more promising.
    pub score: f32,
    /// Words of the question that the sentence around the name does not answer.
    pub residual: Vec<String>,
}

/// Returns the names found in opened pages, most promising first.
pub fn leads(view: &View<'_>, topic: &Topic) -> Vec<Lead> {
    let titles = titles(view);
    let opened: Vec<String> = view
        .sheets()
        .map(|sheet| name_key(&sheet.page.title))
        .collect();
    let mut all: Vec<Lead> = Vec::new();
    let mut followed: Vec<Lead> = Vec::new();
    for sheet in view.sheets() {
        let title = name_key(&sheet.page.title);
        let trust = trust(&title, sheet, topic, &followed);
        let mut of_page = read(sheet, &title, trust, topic, &titles);
        of_page.sort_by(|one, other| {
            other
                .score
                .total_cmp(&one.score)
                .then_with(|| one.key.cmp(&other.key))
        });
        followed.extend(of_page.iter().take(6).cloned());
        for lead in &mut of_page {
            if opened.iter().any(|title| same_name(title, &lead.key)) {
                lead.score -= OPENED;
            }
        }
        for (behind, mut lead) in of_page.into_iter().enumerate() {
            #[expect(clippy::cast_precision_loss, reason = "a few dozen names")]
            let behind = behind as f32 * BEHIND;
            lead.score -= behind.min(BEHIND_MAX);
            match all.iter_mut().find(|one| one.key == lead.key) {
                Some(one) if one.score < lead.score => *one = lead,
                Some(one) => one.score += 0.2,
                None => all.push(lead),
            }
        }
    }
    all.sort_by(|one, other| {
        other
            .score
            .total_cmp(&one.score)
            .then_with(|| one.key.cmp(&other.key))
    });
    all.truncate(LEADS_MAX);
    all
}

/// Returns how far the leads of a page are trusted: 1.5 if the question names the page, up to 1.2 if an earlier page
/// led to it, 0.8 if it mentions a name of the question, else -0.5.
fn trust(title: &str, sheet: &Sheet<'_>, topic: &Topic, followed: &[Lead]) -> f32 {
    if topic.keys.iter().any(|key| key == title) {
        1.5
    } else if let Some(lead) = followed.iter().find(|lead| same_name(&lead.key, title)) {
        (lead.score / 3.0).clamp(0.0, 1.2)
    } else if topic
        .keys
        .iter()
        .any(|key| same_name(key, title) || holds(sheet.text, key))
    {
        0.8
    } else {
        -0.5
    }
}

/// Returns the titles of search results that have two words or more; a page may mention them.
fn titles<'a>(view: &View<'a>) -> Vec<&'a str> {
    let hits = view.searches.iter().flat_map(|search| search.hits);
    let mut titles: Vec<&str> = hits
        .map(|hit| plain_title(&hit.title))
        .filter(|title| title.contains(' '))
        .collect();
    titles.sort_unstable();
    titles.dedup();
    titles
}

/// Returns the names in a sentence. A title of a search result counts as a name however it is capitalised, and a name
/// that is only part of such a title does not count.
fn named_in(sentence: &str, titles: &[&str]) -> Vec<NameMention> {
    let whole = |at: usize, title: &str| {
        let before = sentence[..at].chars().next_back();
        let after = sentence[at + title.len()..].chars().next();
        !before.is_some_and(char::is_alphanumeric) && !after.is_some_and(char::is_alphanumeric)
    };
    let mut found: Vec<NameMention> = titles
        .iter()
        .filter_map(|title| {
            let at = sentence.find(title)?;
            whole(at, title).then(|| NameMention {
                name: (*title).to_owned(),
                at,
            })
        })
        .collect();
    let covered = |one: &NameMention, all: &[NameMention]| {
        all.iter().any(|title| {
            title.at <= one.at && one.at + one.name.len() <= title.at + title.name.len()
        })
    };
    let others: Vec<NameMention> = names(sentence)
        .into_iter()
        .filter(|one| !covered(one, &found))
        .collect();
    found.extend(others);
    found
}

fn read(sheet: &Sheet<'_>, title: &str, trust: f32, topic: &Topic, titles: &[&str]) -> Vec<Lead> {
    let mut found: Vec<Lead> = Vec::new();
    let mut whole = 0_u16;
    for sentence in told(sheet.text).take(SENTENCES_MAX) {
        let place = if is_whole(sentence) {
            whole = whole.saturating_add(1);
            0.5 / f32::from(whole)
        } else {
            FRAGMENT
        };
        let stems = stem_set(sentence);
        let met = |asked: &QueryWord| stems.iter().any(|stem| asked.is_met_by(stem));
        let (answered, residual): (Vec<_>, Vec<_>) = topic.asked.iter().partition(|one| met(one));
        let residual: Vec<String> = residual.into_iter().map(|one| one.word.clone()).collect();
        #[expect(clippy::cast_precision_loss, reason = "a few words")]
        let base = trust + (answered.len() as f32 * 0.4).min(1.2) + place;
        for named in named_in(sentence, titles) {
            let key = name_key(&named.name);
            if key == title || is_known(&key, topic) || is_no_lead(&key) {
                continue;
            }
            let score = base + nearness(sentence, &named, topic) - qualifier(sentence, &named);
            match found.iter_mut().find(|one| one.key == key) {
                Some(one) if one.score >= score => one.score += 0.1,
                Some(one) => {
                    one.score = score + 0.1;
                    one.residual.clone_from(&residual);
                }
                None => found.push(Lead {
                    name: named.name,
                    key,
                    score,
                    residual: residual.clone(),
                }),
            }
        }
    }
    found
}

/// Returns whether the question already contains the name.
fn is_known(key: &str, topic: &Topic) -> bool {
    topic.keys.iter().any(|one| one == key) || topic.words.contains(&format!(" {key} "))
}

/// Returns whether a key names nothing that can be followed: a date, a number, one or two letters.
fn is_no_lead(key: &str) -> bool {
    const MONTHS: &[&str] = &[
        "january",
        "february",
        "march",
        "april",
        "may",
        "june",
        "july",
        "august",
        "september",
        "october",
        "november",
        "december",
    ];
    let number = |word: &str| word.chars().all(char::is_numeric);
    key.len() < 3
        || key
            .split(' ')
            .all(|word| MONTHS.contains(&word) || number(word))
}

/// Returns whether a text contains a key as whole words.
fn holds(text: &str, key: &str) -> bool {
    !key.is_empty() && format!(" {} ", words(text).join(" ")).contains(&format!(" {key} "))
}

/// Returns how near a name stands to a word that is asked for: 2 directly after it ("directed by", "wife of"), less
/// further away and before it.
fn nearness(sentence: &str, named: &NameMention, topic: &Topic) -> f32 {
    near(sentence, named, |stem| {
        topic.asked.iter().any(|one| one.is_met_by(stem))
    })
}

fn near(sentence: &str, named: &NameMention, met: impl Fn(&str) -> bool) -> f32 {
    let (before, after) = (
        &sentence[..named.at],
        &sentence[named.at + named.name.len()..],
    );
    let asked = |word: &String| met(&stem(word));
    let before = words(before);
    let one = before.iter().rev().take(AROUND_WORDS).position(asked);
    let other = words(after).iter().take(AROUND_WORDS).position(asked);
    #[expect(clippy::cast_precision_loss, reason = "at most eight")]
    let worth =
        |away: Option<usize>, most: f32| away.map_or(0.0, |away| most / (1.0 + 0.35 * away as f32));
    worth(one, 2.0).max(worth(other, 1.2))
}

/// Returns the score lost by a single word that qualifies another: the "French" of "French film" leads nowhere.
fn qualifier(sentence: &str, named: &NameMention) -> f32 {
    if named.name.contains([' ', '-']) {
        return 0.0;
    }
    let after = sentence[named.at + named.name.len()..]
        .strip_prefix(' ')
        .unwrap_or_default();
    let next: String = after
        .chars()
        .take_while(|letter| letter.is_alphabetic())
        .collect();
    let small = next.chars().next().is_some_and(char::is_lowercase);
    if small && !adjutant_text::says_nothing(&next) && !next.ends_with("ed") {
        1.5
    } else {
        0.3
    }
}

/// Returns the opened pages, each with how far it belongs to the question: pages it names, pages those led to, and the
/// rest.
pub fn trusted<'v, 'a>(view: &'v View<'a>, topic: &Topic) -> Vec<(&'v Sheet<'a>, f32)> {
    let titles = titles(view);
    let mut followed: Vec<Lead> = Vec::new();
    let mut pages = Vec::new();
    for sheet in view.sheets() {
        let title = name_key(&sheet.page.title);
        let trust = trust(&title, sheet, topic, &followed);
        let mut of_page = read(sheet, &title, trust, topic, &titles);
        of_page.sort_by(|one, other| other.score.total_cmp(&one.score));
        followed.extend(of_page.into_iter().take(6));
        pages.push((sheet, trust));
    }
    pages
}

/// Returns the names on a page that stand near a word that is asked for, nearest first.
pub fn related(sheet: &Sheet<'_>, asked: &QueryWord) -> Vec<String> {
    let title = name_key(&sheet.page.title);
    let mut found: Vec<(f32, String)> = Vec::new();
    for sentence in told(sheet.text).take(SENTENCES_MAX) {
        for named in names(sentence) {
            let key = name_key(&named.name);
            if same_name(&key, &title) || is_no_lead(&key) {
                continue;
            }
            let near =
                near(sentence, &named, |stem| asked.is_met_by(stem)) - qualifier(sentence, &named);
            if near > 0.5 {
                found.push((near, named.name));
            }
        }
    }
    found.sort_by(|one, other| other.0.total_cmp(&one.0));
    found.into_iter().map(|(_, name)| name).collect()
}
