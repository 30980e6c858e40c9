//! Other programs that use Adjutant through `adjutant mcp serve`. What they send is text of others, whatever it says.

use serde::{Deserialize, Serialize};

use crate::ids::ConversationId;
use crate::source::{Source, Sources};

/// How identifiers of conversations of programs begin.
const PREFIX: &str = "program.";
/// Characters that are kept of a program's name.
const NAME_CHARS_MAX: usize = 40;

/// The name a program gives itself, cut down to what can be shown on one line. It proves nothing.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ProgramName(String);

impl ProgramName {
    /// The name in what a program said. Only ASCII is kept, so that no name looks like another one.
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

    /// The name.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The conversation of all it proposes. Nobody speaks in it.
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

    /// Where all arguments of its calls come from.
    #[must_use]
    pub fn sources(&self) -> Sources {
        let origin = format!("the program {}", self.0);
        Sources::from([(String::new(), Source::Untrusted { origin })])
    }
}

/// Whether a conversation is that of another program.
#[must_use]
pub fn is_of_program(conversation: &ConversationId) -> bool {
    conversation.as_str().starts_with(PREFIX)
}

/// How identifiers of conversations of programs begin, for whoever lists conversations.
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
