//! The texts shown to programs.

use adjutant_api::Fault;
use adjutant_domain::gate::ActionState;
use adjutant_domain::plan::Question;

fn fault(code: &str, message: String, hint: &str) -> Fault {
    Fault {
        code: code.into(),
        message,
        hint: hint.into(),
    }
}

/// Explains a proposal's state to the program that made it.
pub(super) fn state(state: ActionState) -> &'static str {
    match state {
        ActionState::Pending => "Waits for the person's approval.",
        ActionState::Approved => "Approved, and not carried out yet.",
        ActionState::Executing => "Approved, and being carried out.",
        ActionState::Succeeded => "Approved and done.",
        ActionState::Failed => "Approved, and it failed; nothing was done.",
        ActionState::Unknown | ActionState::NeedsPerson => {
            "Approved; it is not known whether it was done. Do not propose it again."
        }
        ActionState::Denied => "Rejected by the person; nothing was done.",
        ActionState::Expired => "Nobody answered in time; nothing was done.",
        ActionState::Superseded => "Replaced by another proposal; this one was not done.",
        ActionState::Cancelled => "Stopped; nothing was done.",
    }
}

pub(super) fn unknown_tool(tool: &str) -> Fault {
    let short: String = tool.chars().take(80).collect();
    let message = format!("There is no tool “{short}” for other programs.");
    fault("unknown_tool", message, "Ask for the list of tools again.")
}

pub(super) fn not_shared(kind: &str) -> Fault {
    let message = format!("The person does not share {kind} with other programs.");
    let hint = "Only they can change that, in Adjutant under Settings, Tools, or with the setting mcp.serve.share.";
    fault("not_shared", message, hint)
}

pub(super) fn too_long() -> Fault {
    let message = "The answer is too long for one call.".to_owned();
    fault(
        "too_much",
        message,
        "Ask for less: fewer days, or more exact words.",
    )
}

pub(super) fn too_many_wait(own: usize) -> Fault {
    let message = format!(
        "Too many proposals already wait for the person ({own} of yours), so this was not proposed."
    );
    let hint = "Wait until they have decided. approval.status shows the state of your proposals.";
    fault("too_many", message, hint)
}

pub(super) fn too_fast(what: &str) -> Fault {
    let message = format!("Too many {what} in a short time, so this one was refused.");
    fault(
        "too_many",
        message,
        "Wait a while, then continue more slowly.",
    )
}

pub(super) fn nothing_to_propose() -> Fault {
    let message = "With these arguments there is nothing to do.".to_owned();
    fault(
        "nothing",
        message,
        "Read the current state, and propose what to change.",
    )
}

pub(super) fn bad_arguments(why: &str) -> Fault {
    let message = format!("The arguments do not fit: {why}.");
    fault("bad_arguments", message, "Look at the schema of the tool.")
}

pub(super) fn no_such_proposal(id: &str) -> Fault {
    let short: String = id.chars().take(80).collect();
    let message = format!("You have not proposed “{short}”.");
    fault(
        "not_found",
        message,
        "Leave the identifier out to see all of your proposals.",
    )
}

/// Where a tool would ask the person, returns a fault that tells the program to be precise.
pub(super) fn not_clear(question: &Question, open: bool) -> Fault {
    let slot = question.slot.trim_start_matches('/');
    if !open {
        let message = format!("The argument {slot} is not clear enough.");
        let hint =
            "Give addresses in place of names, identifiers in place of words, and exact times.";
        return fault("question", message, hint);
    }
    let choices: Vec<String> = question
        .choices
        .iter()
        .map(|one| match &one.detail {
            Some(detail) => format!("{} ({detail}): {}", one.label, one.value),
            None => format!("{}: {}", one.label, one.value),
        })
        .collect();
    let hint = if choices.is_empty() {
        format!("Call it again with {slot}.")
    } else {
        format!(
            "Call it again with {slot} as one of: {}",
            choices.join("; ")
        )
    };
    fault("question", question.text.clone(), &hint)
}
