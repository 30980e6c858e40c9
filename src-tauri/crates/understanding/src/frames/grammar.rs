//! Rules as data: categories with their patterns, and the classes of words they are made of.
//!
//! `data/frames/README.md` describes the files for whoever adds a line; here they become numbers.

mod read;

use std::collections::HashMap;
use std::sync::LazyLock;

/// The rules of this program, read once.
pub(super) static GRAMMAR: LazyLock<Grammar> = LazyLock::new(|| read::grammar().0);

/// Everything the data files say.
#[derive(Debug, Default)]
pub(super) struct Grammar {
    words: HashMap<&'static str, WordId>,
    classes: Vec<Class>,
    class_names: HashMap<&'static str, usize>,
    /// The class of words that may stand inside a phrase.
    adverbs: Option<usize>,
    /// Classes by the words with which their phrases begin.
    begun_by: HashMap<WordId, Vec<usize>>,
    /// Categories: frames, noun phrases, adjuncts.
    pub categories: Vec<Category>,
    category_names: HashMap<&'static str, usize>,
}

/// A word of the data files.
pub(super) type WordId = u32;

/// Words and phrases that stand for each other in a rule.
#[derive(Debug, Default)]
pub(super) struct Class {
    /// By first word: the rest, and the value the phrase stands for.
    phrases: HashMap<WordId, Vec<Phrase>>,
}

#[derive(Debug)]
struct Phrase {
    rest: Vec<WordId>,
    value: &'static str,
}

/// Rules that read the same kind of thing.
#[derive(Debug, Default)]
pub(super) struct Category {
    /// Its name, for example `event.create` or `np`.
    pub name: &'static str,
    /// Of a frame: the tool it calls.
    pub tool: Option<&'static str>,
    /// Roles by the argument they fill, where the names differ.
    pub arguments: Vec<(&'static str, &'static str)>,
    /// Categories that may stand between the parts of a rule, in any order.
    pub adjuncts: Vec<usize>,
    /// Roles without which the frame asks.
    pub needs: Vec<&'static str>,
    /// It asks for nothing, but what it speaks of may be meant by "it" further on.
    pub remark: bool,
    /// Categories that are asked besides, each for a step of its own.
    pub also: Vec<usize>,
    /// The role whose entries become a step each, as the role {title}: "call Bob, buy milk and pay the rent".
    pub each: Option<&'static str>,
    /// Of a category that is asked besides: roles of the request that say nothing to it.
    pub drops: Vec<&'static str>,
    /// It asks for what is outside the reach of the program: what is said of that.
    pub cannot: Option<&'static str>,
    /// What is answered to it, where it asks for nothing.
    pub answer: Option<&'static str>,
    /// It takes back what was done last.
    pub undo: bool,
    /// The request before it in the same message is not wanted.
    pub retracts: bool,
    /// It says what has to be so for a request to be carried out: it reads, and its {test} decides.
    pub condition: bool,
    /// It goes on with the request before it, which has to be about the same kind of thing.
    pub behind: bool,
    /// It is asked where nothing else reads the message.
    pub fallback: bool,
    /// What a step of it says, with roles in braces.
    pub say: &'static str,
    /// What is asked where a role is missing: the role, the argument the answer fills, the question.
    pub asks: Vec<(&'static str, &'static str, &'static str)>,
    /// Of filters: the arguments for the first and the last moment.
    pub window: Option<(&'static str, &'static str)>,
    /// Of filters: what orders the things.
    pub order: &'static str,
    /// Of filters: the argument for a name that was said in full.
    pub whole: &'static str,
    /// Of filters: the arguments for words, where things are read and where they are changed.
    pub text: (&'static str, &'static str),
    /// Of filters: times are meant as past.
    pub looks_back: bool,
    /// Of questions: the family whose filters its roles are, and those of its {thing}.
    pub filters: Option<&'static str>,
    /// Of questions: roles of which one has to be said, or any words would be a question.
    pub one_of: Vec<&'static str>,
    /// The class of words that its {title} does not begin with.
    pub not: Option<&'static str>,
    /// The class of words that its free text hardly holds: they cost much.
    pub rarely: Option<usize>,
    /// Added to the score of every reading.
    pub weight: f32,
    /// Its rules.
    pub rules: Vec<Rule>,
}

/// One pattern.
#[derive(Debug)]
pub(super) struct Rule {
    /// Its parts, in order.
    pub parts: Vec<Part>,
    /// Roles it fills by itself.
    pub constants: Vec<(&'static str, &'static str)>,
    /// Added to the score.
    pub weight: f32,
}

/// A part of a pattern.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Part {
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
    /// Something that fills a role.
    Slot {
        /// The role.
        role: &'static str,
        /// What may stand there.
        takes: Takes,
    },
}

/// What may fill a slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Takes {
    /// Any words.
    Text,
    /// Any words, kept word for word: what somebody is to be told.
    Speech,
    /// A point, a stretch or a repetition in time.
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
    /// All that is left, where the calculator computes it.
    Sum,
    /// Whatever the rules of a category read.
    Category(usize),
}

impl Grammar {
    /// The number of a word, where the data files hold it.
    pub fn word(&self, word: &str) -> Option<WordId> {
        self.words.get(word).copied()
    }

    /// All words the data files hold.
    pub fn words(&self) -> impl Iterator<Item = (&'static str, WordId)> {
        self.words.iter().map(|(word, id)| (*word, *id))
    }

    /// Whether a frame calls a tool.
    pub fn knows(&self, tool: &str) -> bool {
        let mut frames = self.categories.iter();
        frames.any(|frame| frame.tool == Some(tool))
    }

    /// The number of a category.
    pub fn category(&self, name: &str) -> Option<usize> {
        self.category_names.get(name).copied()
    }

    /// The number of a class.
    pub fn class(&self, name: &str) -> Option<usize> {
        self.class_names.get(name).copied()
    }

    /// How many classes there are; their numbers are below it.
    pub fn classes(&self) -> usize {
        self.classes.len()
    }

    /// The classes that have a phrase beginning with a word.
    pub fn begun_by(&self, word: WordId) -> &[usize] {
        self.begun_by.get(&word).map_or(&[], Vec::as_slice)
    }

    /// Where phrases of a class that begin with `first` at a token end, with their values. `is` says whether a token is a
    /// word.
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

    /// Whether a token is a word that may stand inside a phrase.
    fn is_adverb(&self, at: usize, is: &impl Fn(usize, WordId) -> bool) -> bool {
        let adverbs = self.adverbs.and_then(|class| self.classes.get(class));
        let words = adverbs.into_iter().flat_map(|class| class.phrases.keys());
        words.copied().any(|word| is(at, word))
    }
}

impl Category {
    /// The argument that a role fills.
    pub fn argument(&self, role: &'static str) -> &'static str {
        let renamed = self.arguments.iter().find(|(from, _)| *from == role);
        renamed.map_or(role, |(_, argument)| argument)
    }

    /// Whether its properties say which argument a role fills.
    pub fn fills(&self, role: &str) -> bool {
        self.arguments
            .iter()
            .any(|(from, to)| *from == role && !to.is_empty())
    }

    /// The argument that holds the title of something new.
    pub fn name_field(&self) -> &'static str {
        let named = self.arguments.iter().find(|(role, _)| *role == "name");
        named.map_or("title", |(_, argument)| argument)
    }

    /// The argument that holds words to look for.
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
