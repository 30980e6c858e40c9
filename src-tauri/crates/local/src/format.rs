//! Formats a conversation for a model, using the marks it was trained with.

use crate::fault::LocalFault;
use crate::vocabulary::Vocabulary;
use crate::wire::{Message, Role};

/// Returns the tokens of a conversation, up to where the answer begins.
pub(crate) fn tokens(
    vocabulary: &Vocabulary,
    system: &str,
    messages: &[Message],
) -> Result<Vec<u32>, LocalFault> {
    let system = Message {
        role: Role::System,
        text: system.to_owned(),
    };
    let said = std::iter::once(&system)
        .filter(|message| !message.text.is_empty())
        .chain(messages);
    let mut page = Page {
        vocabulary,
        tokens: Vec::new(),
    };
    if vocabulary.mark("<|im_start|>").is_some() {
        for message in said {
            page.mark("<|im_start|>");
            page.text(&format!("{}\n{}", name(message.role), message.text))?;
            page.mark("<|im_end|>");
            page.text("\n")?;
        }
        page.mark("<|im_start|>");
        page.text("assistant\n")?;
        // An empty thinking block makes models that think aloud first answer at once.
        if page.mark("<think>") {
            page.text("\n\n")?;
            page.mark("</think>");
            page.text("\n\n")?;
        }
    } else if vocabulary.mark("<|start_header_id|>").is_some() {
        page.mark("<|begin_of_text|>");
        for message in said {
            page.header(message.role)?;
            page.text(&message.text)?;
            page.mark("<|eot_id|>");
        }
        page.header(Role::Assistant)?;
    } else {
        for message in said {
            page.text(&format!("{}: {}\n\n", name(message.role), message.text))?;
        }
        page.text("assistant:")?;
    }
    Ok(page.tokens)
}

struct Page<'a> {
    vocabulary: &'a Vocabulary,
    tokens: Vec<u32>,
}

impl Page<'_> {
    fn text(&mut self, text: &str) -> Result<(), LocalFault> {
        self.tokens.extend(self.vocabulary.tokens(text)?);
        Ok(())
    }

    /// Appends a mark if the model has it, and returns whether it does.
    fn mark(&mut self, mark: &str) -> bool {
        let token = self.vocabulary.mark(mark);
        self.tokens.extend(token);
        token.is_some()
    }

    fn header(&mut self, role: Role) -> Result<(), LocalFault> {
        self.mark("<|start_header_id|>");
        self.text(name(role))?;
        self.mark("<|end_header_id|>");
        self.text("\n\n")
    }
}

fn name(role: Role) -> &'static str {
    match role {
        Role::System => "system",
        Role::User => "user",
        Role::Assistant => "assistant",
    }
}
