//! What the features of a reading weigh: a linear model, whose figures are data.

use std::sync::LazyLock;

/// Defines the weights with their names in the data file.
macro_rules! weights {
    ($($(#[$doc:meta])* $name:ident,)*) => {
        /// The weight of each feature; a reading's score is their sum.
        #[derive(Clone, Debug, Default, PartialEq)]
        pub(super) struct Weights {
            $($(#[$doc])* pub $name: f32,)*
        }

        impl Weights {
            /// The weight of this name.
            pub(super) fn named(&mut self, name: &str) -> Option<&mut f32> {
                match name {
                    $(stringify!($name) => Some(&mut self.$name),)*
                    _ => None,
                }
            }

            /// All names.
            #[cfg(test)]
            pub(super) const NAMES: &[&str] = &[$(stringify!($name),)*];
        }
    };
}

weights! {
    /// A word of free text.
    text,
    /// A word of free text that may be a time.
    text_time,
    /// A word that free text of the kind hardly holds.
    text_rarely,
    /// A comma or another mark in free text.
    text_mark,
    /// A joint and the beginning of a request in free text.
    text_request,
    /// The end of a sentence in free text.
    text_stop,
    /// Free text that begins with a word that hardly begins a name.
    text_start,
    /// Free text that ends with a word that belongs to what comes next.
    text_end,
    /// Free text that goes on behind something that was taken out of it.
    resumed,
    /// A quotation in free text.
    quote,
    /// An adjunct.
    adjunct,
    /// A filler or a mark that is passed over.
    filler,
    /// A small word that a loose reading leaves out.
    left_small,
    /// A word that a loose reading leaves out.
    left_word,
    /// The same where the word stands in a name of one of the person's things.
    left_known,
    /// A word of speech.
    speech,
    /// The end of a sentence in speech, or words behind a quotation.
    speech_stop,
    /// A request of its own in speech: "… and remind me to call him".
    speech_request,
    /// A thing of the person whose name was said in full.
    whole,
    /// A thing of the person of whose name all words said are a part.
    part,
    /// None of the person's things has a word of the name.
    nothing,
    /// A task, where the name of no known thing says what is to be done.
    chore,
    /// A task that was neither named in full nor by its kind: rather an event.
    unsure_kind,
    /// One more request in a message.
    cut,
    /// Something is missing and would be asked.
    missing,
}

const FILE: &str = include_str!("../../data/frames/weights.txt");

/// The weights of the data file.
static WEIGHTS: LazyLock<Weights> = LazyLock::new(|| read(FILE).0);

/// The weights that count.
#[cfg(not(test))]
pub(super) fn weights() -> &'static Weights {
    &WEIGHTS
}

#[cfg(test)]
pub(super) use trained::weights;

/// Weights that training tries, in place of those of the file.
#[cfg(test)]
pub(super) mod trained {
    use std::cell::Cell;
    use std::fmt::Write as _;

    use super::{FILE, WEIGHTS, Weights};

    thread_local! {
        static TRIED: Cell<Option<&'static Weights>> = const { Cell::new(None) };
    }

    /// The weights that count.
    pub(in super::super) fn weights() -> &'static Weights {
        TRIED.get().unwrap_or(&WEIGHTS)
    }

    /// Reads by other weights on this thread from now on.
    pub(in super::super) fn try_out(weights: &Weights) {
        TRIED.set(Some(Box::leak(Box::new(weights.clone()))));
    }

    impl Weights {
        /// The file of the weights with these figures; its comments stay.
        pub(in super::super) fn written(&mut self) -> String {
            let mut file = String::new();
            for line in FILE.lines() {
                let (said, comment) = line.split_once('#').unwrap_or((line, ""));
                let name = said.split(' ').next().unwrap_or("");
                let _ = match self.named(name) {
                    Some(weight) => writeln!(file, "{name:<14} {weight:>6}  #{comment}"),
                    None => writeln!(file, "{line}"),
                };
            }
            file
        }
    }
}

/// The weights of a file, and what is wrong with it, a line each.
fn read(file: &str) -> (Weights, Vec<String>) {
    let (mut weights, mut faults) = (Weights::default(), Vec::new());
    for line in file.lines() {
        let said = line.split('#').next().unwrap_or("");
        let mut words = said.split_whitespace();
        let Some(name) = words.next() else { continue };
        let value = words.next().and_then(|value| value.parse().ok());
        match (weights.named(name), value, words.next()) {
            (Some(weight), Some(value), None) => *weight = value,
            _ => faults.push(line.to_owned()),
        }
    }
    (weights, faults)
}

#[cfg(test)]
mod tests {
    use super::{FILE, Weights, read};

    #[test]
    fn every_weight_is_given_once() {
        let (_, faults) = read(FILE);
        assert_eq!(faults, Vec::<String>::new());
        for name in Weights::NAMES {
            let lines = FILE
                .lines()
                .filter(|line| line.split(' ').next() == Some(name));
            assert_eq!(lines.count(), 1, "{name}");
        }
    }
}
