//! The resources and prompts of a server that the person can attach, cleaned and limited.

use rmcp::model::{Prompt, Resource};

use crate::clean;

/// Maximum number of resources, and of prompts, listed per server.
const LISTED_MAX: usize = 500;
/// Maximum number of arguments per prompt.
const ARGS_MAX: usize = 32;

/// Everything that a server offers for attaching.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Offers {
    /// The resources.
    pub resources: Vec<OfferedResource>,
    /// The prompts.
    pub prompts: Vec<OfferedPrompt>,
}

/// A resource whose texts are cleaned.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OfferedResource {
    /// The exact URI.
    pub uri: String,
    /// Display name.
    pub name: String,
    /// Description.
    pub description: String,
}

/// A prompt whose texts are cleaned.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OfferedPrompt {
    /// The exact name.
    pub name: String,
    /// Description.
    pub description: String,
    /// Arguments, required ones first.
    pub args: Vec<PromptArgument>,
}

/// An argument of a prompt, with cleaned texts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PromptArgument {
    /// The exact name.
    pub name: String,
    /// Description.
    pub description: String,
    /// Whether the argument is required.
    pub required: bool,
}

pub(crate) fn resources(listed: Vec<Resource>) -> Vec<OfferedResource> {
    let usable = listed.into_iter().filter(|one| clean::is_plain(&one.uri));
    usable
        .take(LISTED_MAX)
        .map(|one| OfferedResource {
            name: clean::line(one.title.as_deref().unwrap_or(&one.name), 200),
            description: clean::line(one.description.as_deref().unwrap_or_default(), 400),
            uri: one.uri,
        })
        .collect()
}

pub(crate) fn prompts(listed: Vec<Prompt>) -> Vec<OfferedPrompt> {
    let usable = listed.into_iter().filter(|one| clean::is_plain(&one.name));
    usable.take(LISTED_MAX).map(prompt).collect()
}

fn prompt(one: Prompt) -> OfferedPrompt {
    let args = one.arguments.unwrap_or_default().into_iter();
    let mut args: Vec<PromptArgument> = args
        .filter(|arg| clean::is_plain(&arg.name))
        .take(ARGS_MAX)
        .map(|arg| PromptArgument {
            description: clean::line(arg.description.as_deref().unwrap_or_default(), 200),
            required: arg.required == Some(true),
            name: arg.name,
        })
        .collect();
    args.sort_by_key(|arg| !arg.required);
    OfferedPrompt {
        description: clean::line(one.description.as_deref().unwrap_or_default(), 400),
        name: one.name,
        args,
    }
}
