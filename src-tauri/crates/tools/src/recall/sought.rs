//! The words of a question, weighted by how rare they are among the person's things.

use std::collections::HashSet;

use adjutant_text::message::mistyped;
use adjutant_text::{says_nothing, stem, words};

use super::common::{alike, is_attribute, is_light};
use super::document::Document;
use super::shape::Shape;

/// Mean weight of a word. The bonuses of passages and sources are in proportion to it.
const MEAN_WEIGHT: f32 = 4.0;
/// Weight of a word that names what is asked, in proportion to a word that names what the question is about.
const ATTRIBUTE_SHARE: f32 = 0.5;

/// Minimum number of documents among which a word is rare or not; a few do not tell.
const DOCUMENTS_MIN: usize = 20;
/// What a word adds that an answer may omit.
const LOOSE_WEIGHT: f32 = 1.0;
/// The same for a word that answers express in known ways.
const LOOSE_ALIKE_WEIGHT: f32 = 3.0;

/// A word of a question.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Word {
    stem: String,
    /// Words that express the same.
    alike: Vec<String>,
    /// Their stems.
    others: Vec<String>,
    /// Addresses of the people whom the word means: "plumber".
    people: Vec<String>,
    /// How much it counts.
    pub(super) weight: f32,
    /// Whether it names what is asked, not what the question is about.
    attribute: bool,
}

/// What a question looks for.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Sought {
    /// Words that must occur.
    pub(super) needed: Vec<Word>,
    /// Words that improve a passage.
    pub(super) loose: Vec<Word>,
    /// What kinds of answers are wanted.
    pub(super) shapes: Vec<Shape>,
    /// Whether all words go with anything, so that only a title that consists of them fits.
    only_light: bool,
    /// The words that must occur, as they were said.
    pub(super) said: String,
}

/// How much of what is sought a source contains.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Coverage {
    /// Weight of the words it contains, from 0 to 1.
    pub(super) share: f32,
    /// Whether it contains every word.
    pub(super) whole: bool,
    /// Whether it contains a word that the question is about.
    pub(super) subject: bool,
}

impl Word {
    fn of(word: &str) -> Self {
        let alike: Vec<String> = alike(word).map(str::to_owned).collect();
        Self {
            stem: stem(word),
            others: alike.iter().map(|other| stem(other)).collect(),
            alike,
            people: Vec::new(),
            weight: MEAN_WEIGHT,
            attribute: is_attribute(word),
        }
    }

    /// Returns the word as one that an answer may omit.
    fn loosely(self) -> Self {
        let weight = match self.others.is_empty() {
            true => LOOSE_WEIGHT,
            false => LOOSE_ALIKE_WEIGHT,
        };
        Self { weight, ..self }
    }

    /// Whether stems contain the word, or another that expresses the same.
    pub(super) fn is_in(&self, stems: &HashSet<String>) -> bool {
        stems.contains(&self.stem) || self.others.iter().any(|other| stems.contains(other))
    }

    /// Whether somebody whom the word means is one of these people.
    pub(super) fn means_one_of(&self, people: &[String]) -> bool {
        let mut meant = self.people.iter();
        meant.any(|one| people.iter().any(|other| one.eq_ignore_ascii_case(other)))
    }

    /// Whether a source contains the word anywhere.
    fn is_held_by(&self, document: &Document) -> bool {
        self.is_in(&document.title.stems)
            || self.is_in(&document.about)
            || document
                .line
                .as_ref()
                .is_some_and(|line| self.is_in(&line.stems))
            || document.sentences.iter().any(|one| self.is_in(&one.stems))
            || self.means_one_of(&document.people)
    }
}

impl Sought {
    /// Reads the words of a question that wants answers of these kinds, and of those that it names itself.
    pub(super) fn of(text: &str, wanted: &[Shape]) -> Self {
        let said = words(text);
        // The rest of "Ana's" says nothing.
        let telling = said
            .iter()
            .filter(|word| !says_nothing(word) && word.as_str() != "s");
        let (loose, needed): (Vec<&String>, Vec<&String>) =
            telling.partition(|word| is_light(word) || Shape::is_named_by(word) || is_part(word));
        let only_light = needed.is_empty();
        let (needed, loose) = match only_light {
            true => (loose, Vec::new()),
            false => (needed, loose),
        };
        let shown: Vec<&str> = text
            .split_whitespace()
            .filter(|word| words(word).iter().any(|part| needed.contains(&part)))
            .collect();
        let mut shapes = wanted.to_vec();
        shapes.extend(Shape::asked(text));
        Self {
            needed: joined(&needed),
            loose: distinct(loose.iter().map(|word| Word::of(word).loosely())),
            shapes: distinct_shapes(&shapes),
            only_light,
            said: shown.join(" "),
        }
    }

    /// Returns the words by which records are looked up: those of the question, and others that express the same.
    pub(super) fn query(&self, text: &str) -> String {
        let sought = self.needed.iter().chain(&self.loose);
        let more = sought.flat_map(|word| &word.alike).map(String::as_str);
        let mut query = text.to_owned();
        for word in more {
            query.push(' ');
            query.push_str(word);
        }
        query
    }

    /// Takes a word that none of the texts contains for the one of which it is a mistyped form.
    pub(super) fn mend<'a>(
        &mut self,
        documents: &[Document],
        texts: impl Iterator<Item = &'a str> + Clone,
    ) {
        for sought in &mut self.needed {
            if documents.iter().any(|one| sought.is_held_by(one)) {
                continue;
            }
            let mut written = texts.clone().flat_map(words);
            if let Some(meant) = written.find(|one| mistyped(&sought.stem, one)) {
                sought.stem = stem(&meant);
            }
        }
    }

    /// Lets words stand for people: "plumber" for the contact with that role, and "sales director" for the one with both
    /// words in the role. A contact is its roles and addresses.
    pub(super) fn stand_for(&mut self, contacts: &[(&str, &[String])]) {
        /// Maximum contacts for whom a word stands; a word for many, such as "engineer", means nobody.
        const CONTACTS_MAX: usize = 2;
        let contacts: Vec<(HashSet<String>, &[String])> = contacts
            .iter()
            .map(|(roles, addresses)| {
                let roles = words(roles).iter().map(|word| stem(word)).collect();
                (roles, *addresses)
            })
            .collect();
        let stems: Vec<String> = self.needed.iter().map(|word| word.stem.clone()).collect();
        let said_of =
            |roles: &HashSet<String>| stems.iter().filter(|one| roles.contains(*one)).count();
        for word in &mut self.needed {
            let meant = contacts
                .iter()
                .filter(|(roles, _)| roles.contains(&word.stem));
            let most = meant.clone().map(|(roles, _)| said_of(roles)).max();
            let meant = meant.filter(|(roles, _)| Some(said_of(roles)) == most);
            let meant: Vec<&[String]> = meant.map(|(_, addresses)| *addresses).collect();
            if meant.len() <= CONTACTS_MAX {
                word.people = meant.concat();
            }
        }
    }

    /// Returns the addresses of the people for whom words stand.
    pub(super) fn people(&self) -> Vec<String> {
        let people = self.needed.iter().flat_map(|word| &word.people);
        people.cloned().collect()
    }

    /// Weights the words by how few of the documents contain them.
    pub(super) fn weigh(&mut self, documents: &[Document]) {
        #[expect(clippy::cast_precision_loss, reason = "at most some hundred documents")]
        let count = |number: usize| number as f32;
        let all = count(documents.len().max(DOCUMENTS_MIN)) + 1.0;
        for word in &mut self.needed {
            let held = documents.iter().filter(|one| word.is_held_by(one)).count();
            // A word that nothing contains says no more than one that a single text contains.
            let rarity = (all / (count(held.max(1)) + 0.5)).ln_1p();
            word.weight = match word.attribute {
                true => rarity * ATTRIBUTE_SHARE,
                false => rarity,
            };
        }
        let mean = self.weight() / count(self.needed.len().max(1));
        for word in &mut self.needed {
            word.weight *= MEAN_WEIGHT / mean.max(f32::EPSILON);
        }
    }

    /// Returns the weight of all words that must occur.
    pub(super) fn weight(&self) -> f32 {
        self.needed.iter().map(|word| word.weight).sum()
    }

    /// Returns whether there is nothing to look for.
    pub(super) fn is_empty(&self) -> bool {
        self.needed.is_empty()
    }

    /// Returns how much of what is sought a source contains.
    pub(super) fn coverage(&self, document: &Document) -> Coverage {
        if self.only_light && !self.is_title(document) {
            return Coverage::default();
        }
        let held = self.needed.iter().filter(|word| word.is_held_by(document));
        let held: Vec<&Word> = held.collect();
        let all_attributes = self.needed.iter().all(|word| word.attribute);
        let weight: f32 = held.iter().map(|word| word.weight).sum();
        Coverage {
            share: weight / self.weight().max(f32::EPSILON),
            whole: held.len() == self.needed.len(),
            subject: held.iter().any(|word| all_attributes || !word.attribute),
        }
    }

    /// Returns the weight of the words in the title of a source, in proportion to that of all words.
    pub(super) fn titled(&self, document: &Document) -> f32 {
        let held = self.needed.iter();
        let held = held.filter(|word| word.is_in(&document.title.stems));
        held.map(|word| word.weight).sum::<f32>() / self.weight().max(f32::EPSILON)
    }

    /// Whether the title of a source consists of words that are sought.
    fn is_title(&self, document: &Document) -> bool {
        let mut telling = words(&document.title.text);
        telling.retain(|word| !says_nothing(word));
        !telling.is_empty()
            && telling.iter().all(|word| {
                let stem = HashSet::from([stem(word)]);
                self.needed.iter().any(|sought| sought.is_in(&stem))
            })
    }
}

/// Whether a word is a day of the month, which texts write in many ways, or the rest of a contraction.
fn is_part(word: &str) -> bool {
    let rest = word.trim_start_matches(|letter: char| letter.is_ascii_digit());
    let day = rest.len() < word.len() && matches!(rest, "st" | "nd" | "rd" | "th");
    day || matches!(word, "d" | "ll" | "ve" | "re")
}

/// Returns the words that must occur; neighbours are also found as one word ("hair cut" in "Haircut").
fn joined(needed: &[&String]) -> Vec<Word> {
    let mut words: Vec<Word> = needed.iter().map(|word| Word::of(word)).collect();
    for at in 1..needed.len() {
        let both = format!("{}{}", needed[at - 1], needed[at]);
        words[at].alike.push(both.clone());
        for word in &mut words[at - 1..=at] {
            word.others.push(stem(&both));
        }
    }
    distinct(words.into_iter())
}

fn distinct(words: impl Iterator<Item = Word>) -> Vec<Word> {
    let mut kept: Vec<Word> = Vec::new();
    for word in words {
        if !kept.iter().any(|one| one.stem == word.stem) {
            kept.push(word);
        }
    }
    kept
}

/// Returns each kind of answer once, without "a number" if the question says which kind of number.
fn distinct_shapes(shapes: &[Shape]) -> Vec<Shape> {
    let numbers = [
        Shape::Count,
        Shape::Amount,
        Shape::Temperature,
        Shape::Length,
        Shape::Time,
    ];
    let exact = shapes.iter().any(|shape| numbers.contains(shape));
    let mut kept = Vec::new();
    for shape in shapes {
        if !(kept.contains(shape) || exact && *shape == Shape::Figure) {
            kept.push(*shape);
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::super::sources::Source;
    use super::*;
    use jiff::Timestamp;

    fn document(title: &str, text: &str) -> Document {
        Document::of(&Source {
            kind: "mail",
            id: "mail_1".into(),
            title: title.into(),
            about: String::new(),
            text: text.into(),
            line: None,
            place: "mail".into(),
            referent: None,
            foreign: true,
            at: Timestamp::UNIX_EPOCH,
            people: vec!["nils@berg.example".into()],
            roles: String::new(),
            placed: false,
        })
    }

    fn whole(sought: &Sought, text: &str) -> bool {
        sought.coverage(&document("", text)).whole
    }

    #[test]
    fn a_rare_word_weighs_more_than_a_common_one() {
        let mut documents: Vec<Document> =
            (0..30).map(|_| document("", "The boat sails.")).collect();
        documents.push(document("", "The rudder broke."));
        let mut sought = Sought::of("boat rudder", &[]);
        sought.weigh(&documents);
        let share = |text: &str| sought.coverage(&document("", text)).share;
        assert!(share("The boat") < 0.3, "{}", share("The boat"));
        assert!(share("The rudder") > 0.7, "{}", share("The rudder"));
    }

    #[test]
    fn words_that_any_answer_holds_are_not_enough() {
        let parcel = Sought::of("when is the parcel supposed to come", &[]);
        assert!(!whole(&parcel, "I come on Monday"));
        assert!(whole(&parcel, "The parcel"));
        let light = Sought::of("when does it come", &[]);
        assert!(!whole(&light, "I come on Monday"));
        assert!(light.coverage(&document("Coming", "")).whole);
        assert!(Sought::of("what is it", &[]).is_empty());
    }

    #[test]
    fn a_word_is_found_in_other_words_and_where_it_was_mistyped() {
        for (asked, text) in [
            ("Kim out", "Kim will be on vacation from May 4."),
            ("roof inspecton", "The roof inspection is on Monday."),
            ("Kim's roof", "Kim has a roof."),
            ("pie oven", "Bake the pie for an hour."),
            ("adress of the depot", "The depot, 4 Main Street"),
            ("hair cut", "Haircut"),
            ("mother's roof", "Mom has a roof."),
        ] {
            let mut sought = Sought::of(asked, &[]);
            sought.mend(&[document("", text)], std::iter::once(text));
            assert!(whole(&sought, text), "{asked}");
        }
        let mut exact = Sought::of("contract", &[]);
        let (contract, contact) = ("The contract", "The contact");
        let known = [document("", contract), document("", contact)];
        exact.mend(&known, [contract, contact].into_iter());
        assert!(!whole(&exact, contact));
        assert_eq!(Sought::of("Kim's roof", &[]).said, "Kim's roof");
        assert_eq!(Sought::of("logo chosen", &[]).said, "logo");
        assert_eq!(
            Sought::of("did Kim say he'd sail on the 25th", &[]).said,
            "Kim sail"
        );
    }

    #[test]
    fn a_profession_stands_for_its_people_unless_there_are_many() {
        let roofer = ("Berg, Roofer", &["nils@berg.example".to_owned()][..]);
        let mut sought = Sought::of("roofer", &[]);
        sought.stand_for(&[roofer]);
        assert_eq!(sought.people(), ["nils@berg.example"]);
        assert!(whole(&sought, "I come on Monday."));
        let mut many = Sought::of("roofer", &[]);
        many.stand_for(&[roofer, roofer, roofer]);
        assert!(!whole(&many, "I come on Monday."));
    }
}
