//! The weights of a reading's features: a linear model whose numbers are data.

use std::sync::LazyLock;

/// Defines the weights together with their names in the data file.
macro_rules! weights {
    ($($(#[$doc:meta])* $name:ident,)*) => {
        /// The weight of each feature; the score of a reading is their sum.
        #[derive(Clone, Debug, Default, PartialEq)]
        pub(super) struct Weights {
            $($(#[$doc])* pub $name: f32,)*
        }

        impl Weights {
            /// Returns the weight with this name.
            pub(super) fn by_name(&mut self, name: &str) -> Option<&mut f32> {
                match name {
                    $(stringify!($name) => Some(&mut self.$name),)*
                    _ => None,
                }
            }

            /// The names of all weights.
            #[cfg(test)]
            pub(super) const NAMES: &[&str] = &[$(stringify!($name),)*];
        }
    };
}

weights! {
    /// A word of free text.
    text,
    /// A word of free text that could be a time.
    text_time,
    /// A word that free text of this category hardly ever contains.
    text_rarely,
    /// A comma or another mark in free text, other than the end of a sentence.
    text_mark,
    /// In free text, the beginning of a condition, or of a request behind a joint ("and", "then").
    text_request,
    /// The end of a sentence in free text.
    text_stop,
    /// Free text that begins with a word that hardly ever begins a name.
    text_start,
    /// Free text that ends with a word that belongs to what follows.
    text_end,
    /// Free text that continues after something was taken out of it.
    resumed,
    /// A quotation in free text.
    quote,
    /// An adjunct.
    adjunct,
    /// A filler word or a mark between the parts of a rule.
    filler,
    /// A small word that a loose reading leaves out.
    left_small,
    /// Any other word that a loose reading leaves out.
    left_word,
    /// A word that a loose reading leaves out although it occurs in the name of one of the person's records or
    /// contacts.
    left_known,
    /// A word of speech.
    speech,
    /// The end of a sentence in speech, or words after a quotation.
    speech_stop,
    /// A separate request inside speech: "… and remind me to call him".
    speech_request,
    /// One of the person's records whose full name was said.
    whole,
    /// One of the person's records whose name contains all the words that were said.
    part,
    /// A name that matches no record of its kind, although the message mentions other records.
    nothing,
    /// A task whose name says what to do, although no record was named in full.
    chore,
    /// A task that was neither named in full nor called a task: an event is more likely.
    unsure_kind,
    /// An additional request in a message.
    cut,
    /// A missing value that the person would have to be asked for.
    missing,
}

const FILE: &str = include_str!("../../data/frames/weights.txt");

/// The weights from the data file.
static WEIGHTS: LazyLock<Weights> = LazyLock::new(|| read(FILE).0);

/// Returns the weights in use.
#[cfg(not(test))]
pub(super) fn weights() -> &'static Weights {
    &WEIGHTS
}

#[cfg(test)]
pub(super) use trained::weights;

/// Replaces the weights from the file while training tries others.
#[cfg(test)]
pub(super) mod trained {
    use std::cell::Cell;
    use std::fmt::Write as _;

    use super::{FILE, WEIGHTS, Weights};

    thread_local! {
        static TRIED: Cell<Option<&'static Weights>> = const { Cell::new(None) };
    }

    /// Returns the weights in use.
    pub(in super::super) fn weights() -> &'static Weights {
        TRIED.get().unwrap_or(&WEIGHTS)
    }

    /// Uses other weights on this thread from now on.
    pub(in super::super) fn try_out(weights: &Weights) {
        TRIED.set(Some(Box::leak(Box::new(weights.clone()))));
    }

    impl Weights {
        /// Returns the text of the weights file with these numbers; its comments stay.
        pub(in super::super) fn written(&mut self) -> String {
            let mut file = String::new();
            for line in FILE.lines() {
                let (said, comment) = line.split_once('#').unwrap_or((line, ""));
                let name = said.split(' ').next().unwrap_or("");
                let _ = match self.by_name(name) {
                    Some(weight) => writeln!(file, "{name:<14} {weight:>6}  #{comment}"),
                    None => writeln!(file, "{line}"),
                };
            }
            file
        }
    }
}

/// Parses a weights file. Returns the weights, and the faulty lines.
fn read(file: &str) -> (Weights, Vec<String>) {
    let (mut weights, mut faults) = (Weights::default(), Vec::new());
    for line in file.lines() {
        let said = line.split('#').next().unwrap_or("");
        let mut words = said.split_whitespace();
        let Some(name) = words.next() else { continue };
        let value = words.next().and_then(|value| value.parse().ok());
        match (weights.by_name(name), value, words.next()) {
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
