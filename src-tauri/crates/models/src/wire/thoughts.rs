//! Separates thinking from the answer, for servers without a field for it that leave it in the text, between
//! `<think>` and `</think>` at its start.

use super::Piece;

const OPEN: &str = "<think>";
const CLOSE: &str = "</think>";

/// Splits text into thinking and answer as it arrives. The tags may be split over several pieces.
#[derive(Debug, Default)]
pub(crate) struct Thoughts {
    state: State,
    held: String,
}

#[derive(Debug, Default, PartialEq)]
enum State {
    #[default]
    Start,
    Thinking,
    /// Dropping the blank lines between thinking and answer.
    Between,
    Answer,
}

impl Thoughts {
    /// Processes the next piece of text.
    pub fn push(&mut self, text: &str, out: &mut Vec<Piece>) {
        if self.state == State::Answer {
            say(text, out, Piece::Text);
            return;
        }
        self.held.push_str(text);
        loop {
            match self.state {
                State::Start => {
                    let begun = self.held.trim_start();
                    if begun.starts_with(OPEN) {
                        self.held = begun.split_at(OPEN.len()).1.to_owned();
                        self.state = State::Thinking;
                    } else if OPEN.starts_with(begun) {
                        return;
                    } else {
                        self.state = State::Answer;
                    }
                }
                State::Thinking => {
                    let Some(end) = self.held.find(CLOSE) else {
                        let safe = self.held.len() - partial_close(&self.held);
                        let rest = self.held.split_off(safe);
                        say(&self.held, out, Piece::Thinking);
                        self.held = rest;
                        return;
                    };
                    let rest = self.held.split_off(end);
                    say(&self.held, out, Piece::Thinking);
                    self.held = rest.split_at(CLOSE.len()).1.to_owned();
                    self.state = State::Between;
                }
                State::Between => {
                    self.held = self.held.trim_start().to_owned();
                    if self.held.is_empty() {
                        return;
                    }
                    self.state = State::Answer;
                }
                State::Answer => {
                    say(&std::mem::take(&mut self.held), out, Piece::Text);
                    return;
                }
            }
        }
    }

    /// Ends the text and outputs what was held back.
    pub fn finish(&mut self, out: &mut Vec<Piece>) {
        let held = std::mem::take(&mut self.held);
        match self.state {
            State::Thinking => say(&held, out, Piece::Thinking),
            State::Between => {}
            State::Start | State::Answer => say(&held, out, Piece::Text),
        }
    }
}

fn say(text: &str, out: &mut Vec<Piece>, piece: fn(String) -> Piece) {
    if !text.is_empty() {
        out.push(piece(text.to_owned()));
    }
}

/// Returns the number of bytes at the end that may be the beginning of the closing tag.
fn partial_close(text: &str) -> usize {
    (1..CLOSE.len())
        .rev()
        .find(|length| text.as_bytes().ends_with(&CLOSE.as_bytes()[..*length]))
        .unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whatever the cuts: (thinking, answer).
    fn read(pieces: &[&str]) -> (String, String) {
        let mut thoughts = Thoughts::default();
        let mut out = Vec::new();
        for piece in pieces {
            thoughts.push(piece, &mut out);
        }
        thoughts.finish(&mut out);
        let mut told = (String::new(), String::new());
        for piece in out {
            match piece {
                Piece::Thinking(text) => told.0.push_str(&text),
                Piece::Text(text) => told.1.push_str(&text),
                other => panic!("{other:?}"),
            }
        }
        told
    }

    #[test]
    fn thinking_is_told_apart_at_every_cut() {
        let whole = "\n<think>höher < </thin k</think>\n\nThe answer is <think>4</think>.";
        let want = (
            "höher < </thin k".to_owned(),
            "The answer is <think>4</think>.".to_owned(),
        );
        assert_eq!(read(&[whole]), want);
        for at in (0..whole.len()).filter(|at| whole.is_char_boundary(*at)) {
            let (left, right) = whole.split_at(at);
            assert_eq!(read(&[left, right]), want, "cut at {at}");
        }
        let letters: Vec<String> = whole.chars().map(String::from).collect();
        let letters: Vec<&str> = letters.iter().map(String::as_str).collect();
        assert_eq!(read(&letters), want);
    }

    #[test]
    fn text_without_thinking_stays_as_it_is() {
        for text in ["  4", "<thin", "<b>x</b>", "a <think>b</think>", ""] {
            assert_eq!(read(&[text]), (String::new(), text.to_owned()));
        }
        assert_eq!(read(&["<think>never closed"]).0, "never closed");
    }
}
