//! Compiles pattern trees to one program for the matcher, and indexes what each pattern can begin with.

use std::collections::HashMap;

use super::index::{FirstWords, WordHash};
use super::parse::{DataLine, Node, entry};
use crate::message::Vocabulary;

/// One instruction of the matcher.
#[derive(Debug, Clone, Copy)]
pub(super) enum Inst {
    Word(u32),
    Exact(u32),
    Set(u32),
    Kind(u16),
    Any,
    /// Continue at the first target; if that fails, at the second.
    Split(u32, u32),
    Jump(u32),
    ClauseStart,
    SentenceStart,
    End,
    OpaqueOpen,
    OpaqueClose,
    /// The rest of the sentence; true if no other request can end it early.
    Rest(bool),
    Match,
}

/// A compiled pattern.
#[derive(Debug, Clone)]
pub struct Pattern {
    pub(super) entry: u32,
    /// Tag of the data file that has the pattern.
    pub tag: u16,
    /// Weight at the start of the line.
    pub weight: f32,
    /// True for `!`: a complete request by itself.
    pub head: bool,
    /// The line as written, without its weight, for explanations.
    pub text: &'static str,
}

/// Many patterns, compiled together.
#[derive(Debug, Default)]
pub struct PatternSet {
    words: HashMap<&'static str, u32, WordHash>,
    pub(super) vocabulary: Vocabulary,
    pub(super) sets: Vec<Vec<u32>>,
    pub(super) program: Vec<Inst>,
    /// The patterns, in the order of their lines.
    pub patterns: Vec<Pattern>,
    pub(super) first_word: FirstWords,
    pub(super) first_kind: Vec<(u16, u32)>,
    pub(super) first_any: Vec<u32>,
}

impl PatternSet {
    /// Returns the number of a word, or `None` if the set does not know the word.
    #[must_use]
    pub fn word(&self, word: &str) -> Option<u32> {
        self.words.get(word).copied()
    }

    /// Returns the number of different words that the set knows.
    #[must_use]
    pub fn word_count(&self) -> usize {
        self.words.len()
    }
}

/// Collects data files and compiles them to a [`PatternSet`].
#[derive(Debug, Default)]
pub struct Builder {
    classes: HashMap<&'static str, Node<'static>>,
    lines: Vec<(u16, f32, bool, &'static str, Node<'static>)>,
    known: Vec<&'static str>,
    errors: Vec<String>,
}

/// Longest opaque gap, in cells.
const OPAQUE_CELLS_MAX: u8 = 30;

/// Maximum nesting of classes within classes.
const CLASS_DEPTH_MAX: u8 = 6;

impl Builder {
    /// Adds a data file. Its patterns are filed under `tag`; all files share their classes.
    #[must_use]
    pub fn file(mut self, tag: u16, content: &'static str) -> Self {
        for line in content.lines() {
            match entry(line) {
                Ok(None) => {}
                Ok(Some(DataLine::Class(name, node))) => {
                    if self.classes.insert(name, node).is_some() {
                        self.errors.push(format!("class @{name} is defined twice"));
                    }
                }
                Ok(Some(DataLine::Pattern {
                    weight,
                    head,
                    text,
                    node,
                })) => self.lines.push((tag, weight, head, text, node)),
                Err(error) => self.errors.push(error),
            }
        }
        self
    }

    /// Adds words that no pattern names, so that they are never corrected to a word that a pattern does name.
    #[must_use]
    pub fn known_words(mut self, content: &'static str) -> Self {
        self.known.extend(content.split_whitespace());
        self
    }

    /// Compiles the data files. Returns the set and an error for each line that cannot be used; a test keeps the errors
    /// empty.
    #[must_use]
    pub fn build(self) -> (PatternSet, Vec<String>) {
        let mut compiler = Compiler {
            classes: &self.classes,
            class_sets: HashMap::new(),
            first: Vec::with_capacity(self.lines.len() * 8),
            out: PatternSet::default(),
            errors: self.errors,
        };
        for (tag, weight, head, text, node) in &self.lines {
            compiler.pattern(*tag, *weight, *head, text, node);
        }
        for word in &self.known {
            let number = u32::try_from(compiler.out.words.len()).unwrap_or(u32::MAX);
            compiler.out.words.entry(word).or_insert(number);
        }
        compiler.out.first_word = FirstWords::build(&compiler.first, compiler.out.words.len());
        (compiler.out, compiler.errors)
    }
}

struct Compiler<'b> {
    classes: &'b HashMap<&'static str, Node<'static>>,
    class_sets: HashMap<&'static str, Option<u32>>,
    first: Vec<(u32, u32)>,
    out: PatternSet,
    errors: Vec<String>,
}

impl Compiler<'_> {
    fn pattern(
        &mut self,
        tag: u16,
        weight: f32,
        head: bool,
        text: &'static str,
        node: &Node<'static>,
    ) {
        let entry = self.here();
        self.emit(node, 0);
        self.out.program.push(Inst::Match);
        let number = u32::try_from(self.out.patterns.len()).unwrap_or(u32::MAX);
        self.out.patterns.push(Pattern {
            entry,
            tag,
            weight,
            head,
            text,
        });
        self.index(entry, number, text);
    }

    fn here(&self) -> u32 {
        u32::try_from(self.out.program.len()).unwrap_or(u32::MAX)
    }

    fn word(&mut self, word: &'static str) -> u32 {
        if let Some(&number) = self.out.words.get(word) {
            return number;
        }
        let number = u32::try_from(self.out.words.len()).unwrap_or(u32::MAX);
        self.out.words.insert(word, number);
        self.out.vocabulary.add(word, number);
        number
    }

    fn emit(&mut self, node: &Node<'static>, depth: u8) {
        let inst = match node {
            Node::Word(word) => Inst::Word(self.word(word)),
            Node::Exact(word) => Inst::Exact(self.word(word)),
            Node::Kind(mask) => Inst::Kind(*mask),
            Node::Any => Inst::Any,
            Node::ClauseStart => Inst::ClauseStart,
            Node::SentenceStart => Inst::SentenceStart,
            Node::End => Inst::End,
            Node::OpaqueRest(hard) => Inst::Rest(*hard),
            Node::Gap(most) => return self.emit_gap(*most),
            Node::OpaqueGap => {
                self.out.program.push(Inst::OpaqueOpen);
                self.emit_gap(OPAQUE_CELLS_MAX);
                Inst::OpaqueClose
            }
            Node::Seq(parts) => return parts.iter().for_each(|part| self.emit(part, depth)),
            Node::Opt(inner) => return self.emit_optional(inner, depth),
            Node::Alt(parts) => {
                let set = self.word_set(parts);
                return self.emit_choice(parts, set, depth);
            }
            Node::Class(name) => return self.emit_class(name, depth),
        };
        self.out.program.push(inst);
    }

    fn emit_class(&mut self, name: &'static str, depth: u8) {
        let Some(node) = self.classes.get(name).filter(|_| depth < CLASS_DEPTH_MAX) else {
            self.errors
                .push(format!("class @{name} is missing or nested too deep"));
            self.out.program.push(Inst::Set(u32::MAX));
            return;
        };
        let Node::Alt(parts) = node else {
            return self.emit(node, depth + 1);
        };
        let set = match self.class_sets.get(name) {
            Some(set) => *set,
            None => {
                let set = self.word_set(parts);
                self.class_sets.insert(name, set);
                set
            }
        };
        self.emit_choice(parts, set, depth + 1);
    }

    /// Stores the single words among alternatives as one set and returns its index, or `None` if there are none.
    fn word_set(&mut self, parts: &[Node<'static>]) -> Option<u32> {
        let mut set = Vec::with_capacity(parts.len());
        for part in parts {
            if let Node::Word(word) = part {
                set.push(self.word(word));
            }
        }
        if set.is_empty() {
            return None;
        }
        set.sort_unstable();
        set.dedup();
        self.out.sets.push(set);
        u32::try_from(self.out.sets.len() - 1).ok()
    }

    /// Emits alternatives of several words first, as they say more, then all single words at once.
    fn emit_choice(&mut self, parts: &[Node<'static>], set: Option<u32>, depth: u8) {
        let longer: Vec<&Node<'static>> = parts
            .iter()
            .filter(|part| !matches!(part, Node::Word(_)))
            .collect();
        let mut jumps = Vec::new();
        for (at, part) in longer.iter().enumerate() {
            if at + 1 == longer.len() && set.is_none() {
                self.emit(part, depth);
                break;
            }
            let split = self.out.program.len();
            self.out.program.push(Inst::Match);
            self.emit(part, depth);
            jumps.push(self.out.program.len());
            self.out.program.push(Inst::Match);
            let next = self.here();
            self.out.program[split] = Inst::Split(split as u32 + 1, next);
        }
        if let Some(set) = set {
            self.out.program.push(Inst::Set(set));
        }
        let end = self.here();
        for jump in jumps {
            self.out.program[jump] = Inst::Jump(end);
        }
    }

    fn emit_optional(&mut self, inner: &Node<'static>, depth: u8) {
        let split = self.out.program.len();
        self.out.program.push(Inst::Match);
        self.emit(inner, depth);
        let (first, end) = (split as u32 + 1, self.here());
        self.out.program[split] = Inst::Split(first, end);
    }

    /// Emits a gap that prefers to be short: each step first tries to continue after the gap.
    fn emit_gap(&mut self, most: u8) {
        let start = self.here();
        let end = start + u32::from(most) * 2;
        for step in 0..u32::from(most) {
            self.out
                .program
                .push(Inst::Split(end, start + step * 2 + 1));
            self.out.program.push(Inst::Any);
        }
    }

    /// Files the pattern under everything that its first cell can be.
    fn index(&mut self, entry: u32, number: u32, text: &str) {
        let mut todo = vec![entry];
        let mut seen = Vec::new();
        while let Some(at) = todo.pop() {
            if seen.contains(&at) {
                continue;
            }
            seen.push(at);
            match self.out.program[at as usize] {
                Inst::Word(word) | Inst::Exact(word) => self.first.push((word, number)),
                Inst::Set(set) => {
                    let words = self.out.sets.get(set as usize).into_iter().flatten();
                    self.first.extend(words.map(|&word| (word, number)));
                }
                Inst::Kind(mask) => self.out.first_kind.push((mask, number)),
                Inst::Any => self.out.first_any.push(number),
                Inst::Split(a, b) => todo.extend([a, b]),
                Inst::Jump(to) => todo.push(to),
                Inst::ClauseStart | Inst::SentenceStart | Inst::OpaqueOpen | Inst::OpaqueClose => {
                    todo.push(at + 1);
                }
                Inst::End | Inst::Rest(_) | Inst::Match => {
                    self.errors
                        .push(format!("can match nothing at all: {text}"));
                }
            }
        }
    }
}
