//! What of a server the person can attach, cleaned and held to limits.

use rmcp::model::{Prompt, Resource};

use crate::clean;

/// Resources or prompts of a server that are listed.
const LISTED_MAX: usize = 500;
/// Arguments of a prompt.
const ARGS_MAX: usize = 32;

/// What a server has to attach.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Offers {
    /// Resources.
    pub resources: Vec<OfferedResource>,
    /// Prompts.
    pub prompts: Vec<OfferedPrompt>,
}

/// A resource, cleaned.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OfferedResource {
    /// Its URI, exactly.
    pub uri: String,
    /// Its name.
    pub name: String,
    /// What it is.
    pub description: String,
}

/// A prompt, cleaned.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OfferedPrompt {
    /// Its name, exactly.
    pub name: String,
    /// What it is for.
    pub description: String,
    /// Its arguments, those that are needed first.
    pub args: Vec<PromptArgument>,
}

/// An argument of a prompt, cleaned.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PromptArgument {
    /// Its name, exactly.
    pub name: String,
    /// What is meant.
    pub description: String,
    /// Whether it is needed.
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
