//! How a model may classify a message while something waits. Approval is not among the kinds: only a clear yes,
//! recognised by the embedded engine, approves.

use serde::Deserialize;
use serde_json::Value;

/// Maximum length of a restated request in characters.
const TEXT_CHARS_MAX: usize = 4_000;

/// The kind of a message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Classified {
    /// A new request, or anything that is not among the others.
    New,
    /// A change to the waiting request.
    Modify {
        /// The whole request with the change worked in.
        text: String,
    },
    /// An answer to the waiting question, without the words around it.
    Answer {
        /// The answer.
        text: String,
    },
    /// The person gives up what waits.
    Abandon,
}

#[derive(Debug, Deserialize)]
struct Reply {
    kind: String,
    #[serde(default)]
    text: Option<String>,
}

/// Parses a reply. Any unknown kind, an approval above all, counts as a new request.
///
/// # Errors
/// Returns the reason if the reply does not have the required shape or its text is too long.
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
