//! Parses the data files into a [`Grammar`].

use std::collections::HashMap;

use super::{Category, Class, ClassPhrase, Grammar, Rule, RulePart, SlotType, WordId, passive};

/// The data files, by name.
const FILES: &[(&str, &str)] = &[
    ("words.txt", include_str!("../../../data/frames/words.txt")),
    (
        "common.txt",
        include_str!("../../../data/frames/common.txt"),
    ),
    (
        "calendar.txt",
        include_str!("../../../data/frames/calendar.txt"),
    ),
    ("task.txt", include_str!("../../../data/frames/task.txt")),
    ("calc.txt", include_str!("../../../data/frames/calc.txt")),
    ("ask.txt", include_str!("../../../data/frames/ask.txt")),
    ("mail.txt", include_str!("../../../data/frames/mail.txt")),
    ("draft.txt", include_str!("../../../data/frames/draft.txt")),
    ("look.txt", include_str!("../../../data/frames/look.txt")),
    (
        "follow.txt",
        include_str!("../../../data/frames/follow.txt"),
    ),
    (
        "repair.txt",
        include_str!("../../../data/frames/repair.txt"),
    ),
    ("talk.txt", include_str!("../../../data/frames/talk.txt")),
    ("note.txt", include_str!("../../../data/frames/note.txt")),
    (
        "memory.txt",
        include_str!("../../../data/frames/memory.txt"),
    ),
    (
        "contact.txt",
        include_str!("../../../data/frames/contact.txt"),
    ),
    (
        "recall.txt",
        include_str!("../../../data/frames/recall.txt"),
    ),
    (
        "sequel.txt",
        include_str!("../../../data/frames/sequel.txt"),
    ),
    ("gist.txt", include_str!("../../../data/frames/gist.txt")),
    (
        "condition.txt",
        include_str!("../../../data/frames/condition.txt"),
    ),
];

/// Returns the grammar, and a line for each fault in the files.
pub(super) fn grammar() -> (Grammar, Vec<String>) {
    read(FILES)
}

fn read(files: &[(&str, &'static str)]) -> (Grammar, Vec<String>) {
    let mut reader = GrammarReader::default();
    // Rules may refer to names that are defined further down, so collect all names first.
    for (_, content) in files {
        content.lines().for_each(|line| reader.name(line));
    }
    for (file, content) in files {
        reader.current = None;
        reader.file = (*file).to_owned();
        for (number, line) in content.lines().enumerate() {
            if let Err(fault) = reader.line(line) {
                reader
                    .faults
                    .push(format!("{file}:{}: {fault}", number + 1));
            }
        }
    }
    reader.grammar.adverbs = reader.grammar.class("adverb");
    passive::add(&mut reader.grammar);
    (reader.grammar, reader.faults)
}

#[derive(Default)]
struct GrammarReader {
    grammar: Grammar,
    faults: Vec<String>,
    current: Option<usize>,
    /// The file that is being read.
    file: String,
    /// The file that defines each class.
    homes: HashMap<usize, String>,
}

/// Returns a line without its comment.
fn strip_comment(line: &'static str) -> &'static str {
    let end = line.find(" #").unwrap_or(line.len());
    let line = if line.starts_with('#') {
        ""
    } else {
        &line[..end]
    };
    line.trim()
}

impl GrammarReader {
    /// Registers the class or category that a line begins.
    fn name(&mut self, line: &'static str) {
        let line = strip_comment(line);
        if let Some(name) = line.strip_prefix("== ") {
            let number = self.grammar.categories.len();
            self.grammar.category_names.entry(name).or_insert(number);
            self.grammar.categories.push(Category {
                name,
                ..Category::default()
            });
        } else if let Some((name, _)) = class_head(line) {
            let number = self.grammar.classes.len();
            if !self.grammar.class_names.contains_key(name) {
                self.grammar.class_names.insert(name, number);
                self.grammar.classes.push(Class::default());
            }
        }
    }

    fn line(&mut self, line: &'static str) -> Result<(), String> {
        let line = strip_comment(line);
        if line.is_empty() {
            return Ok(());
        }
        if let Some(name) = line.strip_prefix("== ") {
            self.current = self.grammar.category(name);
            return Ok(());
        }
        if let Some((name, value)) = class_head(line) {
            return self.class(name, value, line);
        }
        let current = self.current.ok_or("a rule without a category")?;
        match line.split_once(": ") {
            Some((
                key @ ("tool" | "roles" | "adjuncts" | "needs" | "say" | "weight" | "ask"
                | "window" | "order" | "text" | "looks" | "remark" | "aside" | "whole"
                | "filters" | "one_of" | "not" | "rarely" | "also" | "drops" | "cannot"
                | "answer" | "condition" | "behind" | "undo" | "retracts" | "each"
                | "fallback" | "passive"),
                value,
            )) => self.property(current, key, value.trim()),
            _ => {
                for rule in self.rules(line)? {
                    self.grammar.categories[current].rules.push(rule);
                }
                Ok(())
            }
        }
    }

    fn class(
        &mut self,
        name: &'static str,
        value: &'static str,
        line: &'static str,
    ) -> Result<(), String> {
        let (_, phrases) = line.split_once(" = ").ok_or("a class without phrases")?;
        let number = self.grammar.class(name).ok_or("an unknown class")?;
        // Phrases of two files have two meanings, and would stand for each other.
        let home = self.homes.entry(number).or_insert(self.file.clone());
        if *home != self.file {
            return Err(format!("“@{name}” is already defined in {home}"));
        }
        for phrase in phrases.split('|').map(str::trim) {
            let mut words = phrase.split(' ').map(|word| self.word(word));
            let first = words.next().ok_or("an empty phrase")?;
            let rest = words.collect();
            let begun = self.grammar.begun_by.entry(first).or_default();
            if !begun.contains(&number) {
                begun.push(number);
            }
            let phrases = &mut self.grammar.classes[number].phrases;
            phrases
                .entry(first)
                .or_default()
                .push(ClassPhrase { rest, value });
        }
        Ok(())
    }

    fn property(&mut self, at: usize, key: &str, value: &'static str) -> Result<(), String> {
        let words = || value.split(' ').filter(|word| !word.is_empty());
        let adjuncts: Result<Vec<usize>, String> = match key {
            "adjuncts" | "also" => words()
                .map(|name| self.grammar.category(name).ok_or_else(|| unknown(name)))
                .collect(),
            _ => Ok(Vec::new()),
        };
        let rarely = match key {
            "rarely" => Some(self.grammar.class(value).ok_or_else(|| unknown(value))?),
            _ => None,
        };
        let category = &mut self.grammar.categories[at];
        match key {
            "rarely" => category.rarely = rarely,
            "tool" => category.tool = Some(value),
            "roles" => {
                category.arguments = words().filter_map(|pair| pair.split_once('=')).collect()
            }
            "needs" => category.needs = words().collect(),
            "say" => category.say = value,
            "ask" => {
                let (role, rest) = value.split_once('=').ok_or("“ask” without “=”")?;
                let (path, text) = rest.split_once(' ').ok_or("“ask” without a question")?;
                category.asks.push((role, path, text));
            }
            "window" => category.window = value.split_once(' '),
            "order" => category.order = value,
            "text" => category.text = value.split_once(' ').unwrap_or((value, value)),
            "whole" => category.whole = value,
            "remark" => category.remark = true,
            "aside" => (category.remark, category.aside) = (true, true),
            "cannot" => category.cannot = Some(value),
            "answer" => (category.remark, category.answer) = (true, Some(value)),
            "retracts" => (category.remark, category.retracts) = (true, true),
            "undo" => (category.remark, category.undo) = (true, true),
            "condition" => category.condition = true,
            "behind" => category.behind = true,
            "fallback" => category.fallback = true,
            "passive" => category.active_only = value == "no",
            "not" => category.not = Some(value),
            "filters" => category.filters = Some(value),
            "one_of" => category.one_of = words().collect(),
            "also" => category.also = adjuncts?,
            "each" => category.each = Some(value),
            "drops" => category.drops = words().collect(),
            "looks" => category.looks_back = value == "back",
            "weight" => category.weight = number(value)?,
            _ => category.adjuncts = adjuncts?,
        }
        Ok(())
    }

    /// Returns the rules of a line: one for each combination of its optional parts.
    fn rules(&mut self, line: &'static str) -> Result<Vec<Rule>, String> {
        let (pattern, behind) = line.split_once("=>").unwrap_or((line, ""));
        let (mut weight, constants) = constants(behind)?;
        let mut variants: Vec<Vec<RulePart>> = vec![Vec::new()];
        let mut before: Option<Vec<Vec<RulePart>>> = None;
        for token in pattern.split_whitespace() {
            if let Some(value) = token.strip_prefix('^') {
                weight = number(value)?;
                continue;
            }
            let opens = token.strip_prefix('[');
            if opens.is_some() {
                before = Some(variants.clone());
            }
            let token = opens.unwrap_or(token);
            let closes = token.strip_suffix(']');
            let token = closes.unwrap_or(token);
            for variant in &mut variants {
                variant.push(self.part(token)?);
            }
            if closes.is_some() {
                variants.extend(before.take().ok_or("“]” without “[”")?);
            }
        }
        if before.is_some() {
            return Err("“[” without “]”".to_owned());
        }
        let rules = variants.into_iter().filter(|parts| !parts.is_empty());
        Ok(rules
            .map(|parts| Rule {
                parts,
                constants: constants.clone(),
                weight,
            })
            .collect())
    }

    fn part(&mut self, token: &'static str) -> Result<RulePart, String> {
        if let Some(slot) = token.strip_prefix('{') {
            let slot = slot.strip_suffix('}').ok_or("“{” without “}”")?;
            let (role, takes) = slot.split_once(':').unwrap_or((slot, slot));
            return match takes.strip_prefix('@') {
                Some(class) => Ok(RulePart::Value {
                    role,
                    class: self.grammar.class(class).ok_or_else(|| unknown(class))?,
                }),
                None => Ok(RulePart::Slot {
                    role,
                    takes: self.takes(takes)?,
                }),
            };
        }
        if let Some(name) = token.strip_prefix('@') {
            let class = self.grammar.class(name).ok_or_else(|| unknown(name))?;
            return Ok(RulePart::Class(class));
        }
        let words: Vec<_> = token.split('|').map(|word| self.word(word)).collect();
        // "go|go on" reads as "go" or "go", then "on": a phrase of two words belongs in a class.
        let twice = |(at, word): (usize, &WordId)| words[..at].contains(word);
        if words.iter().enumerate().any(twice) {
            return Err(format!("the same word twice in “{token}”"));
        }
        Ok(RulePart::Words(words))
    }

    fn takes(&self, name: &str) -> Result<SlotType, String> {
        Ok(match name {
            "text" => SlotType::Text,
            "speech" => SlotType::Speech,
            "time" => SlotType::Time,
            "length" => SlotType::Length,
            "people" => SlotType::People,
            "number" => SlotType::Number,
            "ordinal" => SlotType::Ordinal,
            "quote" => SlotType::Quote,
            "address" => SlotType::Address,
            "phone" => SlotType::Phone,
            "file" => SlotType::File,
            "sum" => SlotType::Sum,
            _ => SlotType::Category(self.grammar.category(name).ok_or_else(|| unknown(name))?),
        })
    }

    fn word(&mut self, word: &'static str) -> WordId {
        let next = WordId::try_from(self.grammar.words.len()).unwrap_or(WordId::MAX);
        *self.grammar.words.entry(word).or_insert(next)
    }
}

/// Roles with the words that fill them.
type Constants = Vec<(&'static str, &'static str)>;

/// Parses what follows `=>`: a weight, and the roles that the rule itself fills.
fn constants(text: &'static str) -> Result<(f32, Constants), String> {
    let (mut weight, mut constants) = (0.0, Vec::new());
    for word in text.split_whitespace() {
        match (word.strip_prefix('^'), word.split_once('=')) {
            (Some(value), _) => weight = number(value)?,
            (None, Some(constant)) => constants.push(constant),
            (None, None) => return Err(format!("“{word}” fills no role")),
        }
    }
    Ok((weight, constants))
}

/// Parses the `@name` or `@name:value` before the `=`. Returns the name and the value, which may be empty.
fn class_head(line: &'static str) -> Option<(&'static str, &'static str)> {
    let (head, _) = line.strip_prefix('@')?.split_once(" =")?;
    (!line.contains("=>") && !head.contains('{'))
        .then(|| head.split_once(':').unwrap_or((head, "")))
}

fn unknown(name: &str) -> String {
    format!("nothing is called “{name}”")
}

fn number(text: &str) -> Result<f32, String> {
    text.parse()
        .map_err(|_| format!("“{text}” is not a number"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_that_says_nothing_is_a_fault() {
        for line in [
            "a rule without a category",
            "== one\nopen [the door",
            "== one\nopen the] door",
            "== one\nopen {what",
            "== one\nopen {what:nothing}",
            "== one\nopen @nothing",
            "== one\nopen ^high",
            "== one\nopen => yes",
            "== one\ngo|go on|run",
            "== one\nadjuncts: nothing",
            "== one\nweight: high",
            "== one\nask: when",
        ] {
            let (_, faults) = read(&[("file", line)]);
            assert_eq!(faults.len(), 1, "{line}: {faults:?}");
        }
    }

    #[test]
    fn a_class_is_defined_in_one_file() {
        let one = ("one", "@a:x = go\n@a:y = run\n\n@b = walk");
        let (_, faults) = read(&[one, ("two", "@c = fly")]);
        assert_eq!(faults, Vec::<String>::new());
        for second in ["@a:x = fly", "@b = fly"] {
            let (_, faults) = read(&[one, ("two", second)]);
            let name = &second[..2];
            assert_eq!(
                faults,
                [format!("two:1: “{name}” is already defined in one")]
            );
        }
    }

    #[test]
    fn a_weight_counts_on_both_sides_of_the_arrow() {
        let (grammar, faults) = read(&[("file", "== one\ngo ^-0.5 => a=b\nrun => a=b ^-0.3")]);
        assert_eq!(faults, Vec::<String>::new());
        let rules = &grammar.categories[0].rules;
        let weights: Vec<f32> = rules.iter().map(|rule| rule.weight).collect();
        assert_eq!(weights, [-0.5, -0.3]);
        assert!(rules.iter().all(|rule| rule.constants == [("a", "b")]));
    }
}
