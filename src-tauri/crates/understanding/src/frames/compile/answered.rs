//! What the latest answers quoted, put into a note: "write both into a new note called Insurance".

use adjutant_domain::conversation::{Message, Role};
use adjutant_domain::source::Source;
use serde_json::json;

use super::{Compiler, Unfit};

/// Maximum number of answers that go into one note.
const ANSWERS_MAX: usize = 5;

impl Compiler<'_, '_> {
    /// Fills the text of a note with what the latest answers of the day quoted: as many of them as the role says, or all
    /// in a row.
    ///
    /// The text is foreign, and the card says so; it is never read as a request.
    pub(super) fn answers(&mut self, role: &'static str) -> Result<(), Unfit> {
        let count = self
            .frame
            .constant(role)
            .and_then(|count| count.parse().ok());
        let count: Option<usize> = count.filter(|count| *count > 0);
        let said = self.lattice.said;
        let today = |message: &&Message| {
            let at = message.at.to_zoned(said.now.time_zone().clone());
            at.date() == said.now.date()
        };
        let answers = said.history.iter().rev().take_while(today);
        let answers = answers.filter(|message| message.role == Role::Assistant);
        let quotes = answers.map_while(|answer| quoted(&answer.text));
        let mut lines: Vec<&str> = quotes.take(count.unwrap_or(ANSWERS_MAX)).collect();
        let enough = count.map_or(!lines.is_empty(), |count| lines.len() == count);
        if !enough {
            return Err(Unfit("no answers to write down"));
        }
        lines.reverse();
        let origin = "the answers before".to_owned();
        self.arguments.set(
            "body",
            json!(lines.join("\n")),
            Source::Untrusted { origin },
        );
        Ok(())
    }
}

/// Returns what an answer quotes, if it begins with a quotation.
fn quoted(answer: &str) -> Option<&str> {
    let inside = answer.trim().strip_prefix('“')?;
    let end = inside.find('”')?;
    inside.get(..end).filter(|text| !text.trim().is_empty())
}
