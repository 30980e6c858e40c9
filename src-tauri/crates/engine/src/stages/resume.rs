//! What a model may say about a message while something waits. There is no yes among it: only the embedded engine's clear
//! yes approves.

use serde::Deserialize;
use serde_json::Value;

/// Characters of a restated request.
const TEXT_CHARS_MAX: usize = 4_000;

/// What the message is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Classified {
    /// A request of its own, or anything not among the others.
    New,
    /// A change: the request with the change worked in.
    Modify {
        /// The new request.
        text: String,
    },
    /// An answer to the waiting question, freed from the words around it.
    Answer {
        /// The answer.
        text: String,
    },
    /// The person drops what waits.
    Abandon,
}

#[derive(Debug, Deserialize)]
struct Reply {
    kind: String,
    #[serde(default)]
    text: Option<String>,
}

/// Reads a reply. What is not among the kinds, an approval above all, is a request of its own.
///
/// # Errors
/// When it has not the shape that was asked for.
pub fn read(reply: &Value) -> Result<Classified, String> {
    let reply: Reply = serde_json::from_value(reply.clone()).map_err(|error| error.to_string())?;
    let text = reply.text.unwrap_or_default().trim().to_owned();
    if text.chars().count() > TEXT_CHARS_MAX {
        return Err(format!(
            "its text is longer than {TEXT_CHARS_MAX} characters"
        ));
    }
    Ok(match reply.kind.as_str() {
        "modify" | "modification" if !text.is_empty() => Classified::Modify { text },
        "answer" if !text.is_empty() => Classified::Answer { text },
        "abandon" => Classified::Abandon,
        _ => Classified::New,
    })
}

#[cfg(test)]
mod tests {
    use super::{Classified, read};
    use serde_json::json;

    #[test]
    fn nothing_a_model_says_is_an_approval() {
        for kind in ["yes", "approve", "approved", "confirm", "continue", ""] {
            let reply = json!({"kind": kind, "text": "yes", "approved": true});
            assert_eq!(read(&reply), Ok(Classified::New), "{kind}");
        }
        assert_eq!(
            read(&json!({"kind": "modify", "text": "Mail Kim on Friday"})),
            Ok(Classified::Modify {
                text: "Mail Kim on Friday".into()
            })
        );
        assert_eq!(read(&json!({"kind": "modify"})), Ok(Classified::New));
        assert!(read(&json!("yes")).is_err());
    }
}
