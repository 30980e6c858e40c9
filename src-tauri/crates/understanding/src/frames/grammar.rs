//! The rules, which are data: categories with their patterns, and the classes of words that the patterns use.
//!
//! `data/frames/README.md` describes the files for authors of rules; this module turns words and names into numbers.

mod passive;
mod read;

use std::collections::HashMap;
use std::sync::LazyLock;

/// Classes of the verbs with which a request for a change begins.
pub(super) const REQUESTS: &[&str] = &["imperative", "enter", "move", "delete", "remind"];

/// The rules of this program, parsed once.
pub(super) static GRAMMAR: LazyLock<Grammar> = LazyLock::new(|| read::grammar().0);

/// The contents of all data files.
#[derive(Debug, Default)]
pub(super) struct Grammar {
    words: HashMap<&'static str, WordId>,
    classes: Vec<Class>,
    class_names: HashMap<&'static str, usize>,
    /// The class of words that may stand inside a phrase.
    adverbs: Option<usize>,
    /// Classes by the first words of their phrases.
    begun_by: HashMap<WordId, Vec<usize>>,
    /// Categories: frames, noun phrases, adjuncts.
    pub categories: Vec<Category>,
    category_names: HashMap<&'static str, usize>,
}

/// The number of a word of the data files.
pub(super) type WordId = u32;

/// Words and phrases that a rule treats alike.
#[derive(Debug, Default)]
pub(super) struct Class {
    /// Phrases by their first word.
    phrases: HashMap<WordId, Vec<ClassPhrase>>,
}

#[derive(Debug)]
struct ClassPhrase {
    rest: Vec<WordId>,
    value: &'static str,
}

/// Rules for the same kind of thing.
#[derive(Debug, Default)]
pub(super) struct Category {
    /// Its name, for example `event.create` or `np`.
    pub name: &'static str,
    /// The tool that a frame calls.
    pub tool: Option<&'static str>,
    /// Roles with the arguments they fill, where the names differ.
    pub arguments: Vec<(&'static str, &'static str)>,
    /// Categories that may appear between the parts of a rule, in any order.
    pub adjuncts: Vec<usize>,
    /// Roles that a frame asks for if the person did not say them.
    pub needs: Vec<&'static str>,
    /// Whether it requests nothing, although a later "it" may refer to what it mentions.
    pub remark: bool,
    /// It is a remark that no later word refers to.
    pub aside: bool,
    /// Categories that the same words also request, each in a step of its own.
    pub also: Vec<usize>,
    /// The role whose entries each become a step, as the role `title`: "call Bob, buy milk and pay the rent".
    pub each: Option<&'static str>,
    /// For a category that is requested along with another: roles of that request that it leaves out.
    pub drops: Vec<&'static str>,
    /// The reply to a request that is outside the program's reach.
    pub cannot: Option<&'static str>,
    /// The reply to a message that requests nothing.
    pub answer: Option<&'static str>,
    /// Whether it takes back the last change.
    pub undo: bool,
    /// Whether it withdraws the preceding request in the same message.
    pub retracts: bool,
    /// Whether it is a condition of a request: it calls a reading tool, and its role `test` says what must be found.
    pub condition: bool,
    /// Whether it continues the preceding request, which must belong to the same family.
    pub behind: bool,
    /// Whether it is tried only if nothing else reads the message.
    pub fallback: bool,
    /// Whether its requests are not read in the passive.
    pub active_only: bool,
    /// The description of its step, with roles in braces.
    pub say: &'static str,
    /// Questions for missing roles: the role, the argument that the answer fills, the question.
    pub asks: Vec<(&'static str, &'static str, &'static str)>,
    /// For filters: the arguments for the first and the last moment of a time range.
    pub window: Option<(&'static str, &'static str)>,
    /// For filters: the default order.
    pub order: &'static str,
    /// For filters: the argument for a name that was said in full.
    pub whole: &'static str,
    /// For filters: the arguments for words, in reading tools and in changing tools.
    pub text: (&'static str, &'static str),
    /// For filters: whether times refer to the past.
    pub looks_back: bool,
    /// For questions: the family whose filters its roles, and those of its `{thing}`, become.
    pub filters: Option<&'static str>,
    /// For questions: roles of which the person must say at least one; otherwise any words would be a question.
    pub one_of: Vec<&'static str>,
    /// The class of phrases with which its `{title}` must not begin.
    pub not: Option<&'static str>,
    /// The class of phrases that its free text hardly ever contains; they cost a lot there.
    pub rarely: Option<usize>,
    /// Added to the score of every reading.
    pub weight: f32,
    /// Its rules.
    pub rules: Vec<Rule>,
}

/// A pattern.
#[derive(Debug)]
pub(super) struct Rule {
    /// Its parts, in order.
    pub parts: Vec<RulePart>,
    /// Roles with the values that the rule itself gives them.
    pub constants: Vec<(&'static str, &'static str)>,
    /// Added to the score of every reading by this rule.
    pub weight: f32,
}

/// A part of a pattern.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum RulePart {
    /// One of these words.
    Words(Vec<WordId>),
    /// A phrase of a class.
    Class(usize),
    /// A phrase of a class, whose value fills a role.
    Value {
        /// The role.
        role: &'static str,
        /// The class.
        class: usize,
    },
    /// A place that reads a value for a role.
    Slot {
        /// The role.
        role: &'static str,
        /// The kind of value.
        takes: SlotType,
    },
}

/// The kind of value that a slot takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SlotType {
    /// Any words.
    Text,
    /// Any words, kept word for word: a message to somebody.
    Speech,
    /// A point in time, a time range or a recurrence.
    Time,
    /// A length of time.
    Length,
    /// One or several people.
    People,
    /// A number.
    Number,
    /// An ordinal number.
    Ordinal,
    /// A whole quotation.
    Quote,
    /// A mail address.
    Address,
    /// A telephone number.
    Phone,
    /// A file name or path.
    File,
    /// Everything that is left, if the calculator can compute it.
    Sum,
    /// Whatever the rules of a category read.
    Category(usize),
}

impl Grammar {
    /// Returns the number of a word, or `None` if the data files do not contain it.
    pub fn word(&self, word: &str) -> Option<WordId> {
        self.words.get(word).copied()
    }

    /// Iterates over all words of the data files.
    pub fn words(&self) -> impl Iterator<Item = (&'static str, WordId)> {
        self.words.iter().map(|(word, id)| (*word, *id))
    }

    /// Reports whether any frame calls a tool.
    pub fn knows(&self, tool: &str) -> bool {
        let mut frames = self.categories.iter();
        frames.any(|frame| frame.tool == Some(tool))
    }

    /// Returns the number of a category.
    pub fn category(&self, name: &str) -> Option<usize> {
        self.category_names.get(name).copied()
    }

    /// Returns the number of a class.
    pub fn class(&self, name: &str) -> Option<usize> {
        self.class_names.get(name).copied()
    }

    /// Returns the number of classes; every class number is below it.
    pub fn classes(&self) -> usize {
        self.classes.len()
    }

    /// Returns the classes that have a phrase beginning with a word.
    pub fn begun_by(&self, word: WordId) -> &[usize] {
        self.begun_by.get(&word).map_or(&[], Vec::as_slice)
    }

    /// Finds the phrases of a class that begin with the word `first` at a token, and returns for each the token after
    /// its end and its value. `is` reports whether a token is a given word.
    pub fn phrases(
        &self,
        class: usize,
        first: WordId,
        at: usize,
        is: impl Fn(usize, WordId) -> bool,
    ) -> impl Iterator<Item = (usize, &'static str)> {
        let class = self.classes.get(class).into_iter();
        let begun = class.filter_map(move |class| class.phrases.get(&first));
        begun.flatten().filter_map(move |phrase| {
            let mut end = at + 1;
            let mut passed = false;
            for word in &phrase.rest {
                if is(end, *word) {
                    end += 1;
                } else if !passed && self.is_adverb(end, &is) && is(end + 1, *word) {
                    // "I also have to".
                    passed = true;
                    end += 2;
                } else {
                    return None;
                }
            }
            Some((end, phrase.value))
        })
    }

    /// Reports whether a token is a word that may stand inside a phrase.
    fn is_adverb(&self, at: usize, is: &impl Fn(usize, WordId) -> bool) -> bool {
        let adverbs = self.adverbs.and_then(|class| self.classes.get(class));
        let words = adverbs.into_iter().flat_map(|class| class.phrases.keys());
        words.copied().any(|word| is(at, word))
    }
}

impl Category {
    /// Returns the argument that a role fills.
    pub fn argument(&self, role: &'static str) -> &'static str {
        let renamed = self.arguments.iter().find(|(from, _)| *from == role);
        renamed.map_or(role, |(_, argument)| argument)
    }

    /// Reports whether the category's `roles` line names an argument for a role.
    pub fn fills(&self, role: &str) -> bool {
        self.arguments
            .iter()
            .any(|(from, to)| *from == role && !to.is_empty())
    }

    /// Returns the argument that holds the title of something new.
    pub fn name_field(&self) -> &'static str {
        let named = self.arguments.iter().find(|(role, _)| *role == "name");
        named.map_or("title", |(_, argument)| argument)
    }

    /// Returns the argument that holds words to search for; `acts` selects the one for changing tools.
    pub fn text_field(&self, acts: bool) -> &'static str {
        if acts { self.text.1 } else { self.text.0 }
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn every_line_of_the_data_files_is_read() {
        let (grammar, faults) = super::read::grammar();
        assert_eq!(faults, Vec::<String>::new());
        assert!(grammar.category("np").is_some());
    }
}
