//! Names met on the way, and how much they promise.

use adjutant_text::{stem, words};

use super::relations::Asked;
use super::sentence::is_whole;
use super::told::told;
use super::topic::{Topic, plain_title, same_name, stem_set};
use super::{Sheet, View};
use crate::lexicon::{Named, name_key, names};

/// Sentences of one page that are read for names at most.
const SENTENCES_MAX: usize = 80;
/// Leads that are kept at most.
const LEADS_MAX: usize = 40;
/// Words around a name that are looked at for what is asked.
const AROUND_WORDS: usize = 8;
/// What each better lead of the same page takes from the next one: pages are followed side by side.
const BEHIND: f32 = 0.8;
/// ... and how much it takes at most.
const BEHIND_MAX: f32 = 3.0;

/// What a name promises less once a page of that title was opened: other pages may speak of the same.
const OPENED: f32 = 1.5;

/// What a line that is no whole sentence takes from the names in it: a heading, a menu, a cell of a table.
const FRAGMENT: f32 = -1.0;

/// A name that was met and that the question does not have.
#[derive(Clone, Debug)]
pub struct Lead {
    /// The name as it stands there.
    pub name: String,
    /// Its key.
    pub key: String,
    /// How much it promises.
    pub score: f32,
    /// Words that are asked for and that the sentence it was met in does not answer.
    pub residual: Vec<String>,
}

/// The names met in opened pages, the most promising first.
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

/// How far a page is to be trusted to lead on: it is what the question names, or what such a page led to.
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

/// Titles of results, of two words at least, that a page may name.
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

/// The names of a sentence. Titles of results that stand in it are names, however they are written, and names that are
/// only a part of such a title are none.
fn named_in(sentence: &str, titles: &[&str]) -> Vec<Named> {
    let whole = |at: usize, title: &str| {
        let before = sentence[..at].chars().next_back();
        let after = sentence[at + title.len()..].chars().next();
        !before.is_some_and(char::is_alphanumeric) && !after.is_some_and(char::is_alphanumeric)
    };
    let mut found: Vec<Named> = titles
        .iter()
        .filter_map(|title| {
            let at = sentence.find(title)?;
            whole(at, title).then(|| Named {
                name: (*title).to_owned(),
                at,
            })
        })
        .collect();
    let covered = |one: &Named, all: &[Named]| {
        all.iter().any(|title| {
            title.at <= one.at && one.at + one.name.len() <= title.at + title.name.len()
        })
    };
    let others: Vec<Named> = names(sentence)
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
        let met = |asked: &Asked| stems.iter().any(|stem| asked.is_met_by(stem));
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

/// Whether the question has the name already.
fn is_known(key: &str, topic: &Topic) -> bool {
    topic.keys.iter().any(|one| one == key) || topic.words.contains(&format!(" {key} "))
}

/// Whether a key names nothing that could be followed: a date, a number, a letter or two.
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

/// Whether a key stands in a text as whole words.
fn holds(text: &str, key: &str) -> bool {
    !key.is_empty() && format!(" {} ", words(text).join(" ")).contains(&format!(" {key} "))
}

/// How near a name stands to a word that is asked for: 2 right behind it ("directed by", "wife of"), less further
/// away and before it.
fn nearness(sentence: &str, named: &Named, topic: &Topic) -> f32 {
    near(sentence, named, |stem| {
        topic.asked.iter().any(|one| one.is_met_by(stem))
    })
}

fn near(sentence: &str, named: &Named, met: impl Fn(&str) -> bool) -> f32 {
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

/// What a single word that qualifies another takes away: the "French" of "French film" leads nowhere.
fn qualifier(sentence: &str, named: &Named) -> f32 {
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

/// How far each opened page belongs to the question: what it names, what that leads to, and the rest.
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

/// The names that stand nearest to a word that is asked for on a page, the nearest first.
pub fn related(sheet: &Sheet<'_>, asked: &Asked) -> Vec<String> {
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
