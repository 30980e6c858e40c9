//! Names met on the way, and how much they promise.

use std::collections::{BTreeMap, BTreeSet};

use adjutant_text::{stem, words};

use super::topic::Topic;
use super::{Sheet, View};
use crate::lexicon::{name_key, names, sentences};

/// Sentences of one page that are read for names at most.
const SENTENCES_MAX: usize = 60;
/// Leads that are kept at most.
const LEADS_MAX: usize = 40;

/// A name that was met and that the question does not have.
#[derive(Clone, Debug)]
pub struct Lead {
    /// The name as it stands there.
    pub name: String,
    /// Its key.
    pub key: String,
    /// How much it promises.
    pub score: f32,
}

/// The names met in opened pages, the most promising first. Those that are the title of an opened page are no leads any
/// more.
pub fn leads(view: &View<'_>, topic: &Topic) -> Vec<Lead> {
    let opened: BTreeSet<String> = view
        .sheets()
        .map(|sheet| name_key(&sheet.page.title))
        .collect();
    let mut found: BTreeMap<String, Lead> = BTreeMap::new();
    for sheet in view.sheets() {
        read(sheet, topic, &opened, &mut found);
    }
    let mut leads: Vec<Lead> = found.into_values().collect();
    leads.sort_by(|one, other| {
        other
            .score
            .total_cmp(&one.score)
            .then_with(|| one.key.cmp(&other.key))
    });
    leads.truncate(LEADS_MAX);
    leads
}

fn read(
    sheet: &Sheet<'_>,
    topic: &Topic,
    opened: &BTreeSet<String>,
    found: &mut BTreeMap<String, Lead>,
) {
    let title = name_key(&sheet.page.title);
    let central = topic.keys.contains(&title);
    for (at, sentence) in sentences(sheet.text)
        .into_iter()
        .take(SENTENCES_MAX)
        .enumerate()
    {
        let stems: BTreeSet<String> = words(sentence).iter().map(|word| stem(word)).collect();
        let asked = topic.asked_stems.intersection(&stems).count();
        let speaks_of = central || topic.keys.iter().any(|key| holds(sentence, key));
        #[expect(
            clippy::cast_precision_loss,
            reason = "a few dozen sentences and words"
        )]
        let base = asked as f32 + if speaks_of { 1.0 } else { 0.0 } + 0.5 / (at as f32 + 1.0);
        for named in names(sentence) {
            let key = name_key(&named.name);
            let known = key == title
                || opened.contains(&key)
                || topic.keys.contains(&key)
                || topic.words.contains(&format!(" {key} "));
            if known
                || key.len() < 3
                || key
                    .chars()
                    .all(|letter| letter.is_numeric() || letter == ' ')
                || is_date(&key)
            {
                continue;
            }
            let near = nearness(sentence, named.at, named.name.len(), topic);
            let score = base + near;
            let lead = found.entry(key.clone()).or_insert_with(|| Lead {
                name: named.name.clone(),
                key,
                score: 0.0,
            });
            lead.score = lead.score.max(score) + 0.1;
        }
    }
}

/// Whether a key stands in a text as whole words.
fn holds(text: &str, key: &str) -> bool {
    !key.is_empty() && format!(" {} ", words(text).join(" ")).contains(&format!(" {key} "))
}

/// How near a name stands to a word that is asked for: 1 right beside it, less further away.
fn nearness(sentence: &str, at: usize, length: usize, topic: &Topic) -> f32 {
    let before: Vec<String> = words(&sentence[..at]);
    let after: Vec<String> = words(&sentence[at + length..]);
    let distance = |words: &mut dyn Iterator<Item = &String>| {
        words
            .take(8)
            .position(|word| topic.asked_stems.contains(&stem(word)))
    };
    let one = distance(&mut before.iter().rev());
    let other = distance(&mut after.iter());
    let nearest = one.into_iter().chain(other).min();
    #[expect(clippy::cast_precision_loss, reason = "at most eight")]
    nearest.map_or(0.0, |away| 1.0 / (1.0 + away as f32 * 0.5))
}

/// Whether a key is a month or a date.
fn is_date(key: &str) -> bool {
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
    key.split(' ')
        .all(|word| MONTHS.contains(&word) || word.chars().all(char::is_numeric))
}
