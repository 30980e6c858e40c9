//! Other programs that use Adjutant through `adjutant mcp serve`. Everything they send is foreign text.

use serde::{Deserialize, Serialize};

use crate::ids::ConversationId;
use crate::source::{Source, Sources};

/// Prefix of the conversation identifiers of programs.
const PREFIX: &str = "program.";
/// Maximum number of characters kept of a program's name.
const NAME_CHARS_MAX: usize = 40;

/// Name a program gives itself, reduced to what fits on one line. It proves nothing.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ProgramName(String);

impl ProgramName {
    /// Cleans the name a program gave. Only ASCII is kept, so that no name can resemble another.
    #[must_use]
    pub fn of(said: &str) -> Self {
        let plain = |c: char| if c.is_ascii_graphic() { c } else { ' ' };
        let words: String = said.chars().take(4 * NAME_CHARS_MAX).map(plain).collect();
        let words = words.split_whitespace().collect::<Vec<_>>().join(" ");
        let kept: String = words.chars().take(NAME_CHARS_MAX).collect();
        match kept.trim() {
            "" => Self("unnamed program".into()),
            kept => Self(kept.into()),
        }
    }

    /// Returns the name.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns the conversation that holds everything the program proposes. Nobody speaks in it.
    #[must_use]
    pub fn conversation(&self) -> ConversationId {
        let part = |c: char| match c.to_ascii_lowercase() {
            c if c.is_ascii_alphanumeric() => c,
            _ => '-',
        };
        ConversationId(format!(
            "{PREFIX}{}",
            self.0.chars().map(part).collect::<String>()
        ))
    }

    /// Returns the sources of its calls: all arguments are foreign text.
    #[must_use]
    pub fn sources(&self) -> Sources {
        let origin = format!("the program {}", self.0);
        Sources::from([(String::new(), Source::Untrusted { origin })])
    }
}

/// Returns whether a conversation belongs to another program.
#[must_use]
pub fn is_of_program(conversation: &ConversationId) -> bool {
    conversation.as_str().starts_with(PREFIX)
}

/// Returns the prefix of programs' conversation identifiers, for code that lists conversations.
#[must_use]
pub fn conversation_prefix() -> &'static str {
    PREFIX
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_one_short_line_of_plain_characters() {
        for (said, name, conversation) in [
            ("Claude Code", "Claude Code", "program.claude-code"),
            ("", "unnamed program", "program.unnamed-program"),
            ("\u{202e}evil\n\n name", "evil name", "program.evil-name"),
            ("../../main", "../../main", "program.------main"),
        ] {
            let program = ProgramName::of(said);
            assert_eq!(program.as_str(), name);
            assert_eq!(program.conversation().as_str(), conversation);
            assert!(is_of_program(&program.conversation()));
        }
        let long = ProgramName::of(&"x".repeat(10_000));
        assert_eq!(long.as_str().len(), NAME_CHARS_MAX);
        assert!(!is_of_program(&"main".into()));
        assert!(long.sources().values().all(Source::is_untrusted));
    }
}
