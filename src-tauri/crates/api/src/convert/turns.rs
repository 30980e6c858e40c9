//! Conversion of turns, actions, effects and events.

use adjutant_domain::conversation::{Conversation, Effect, Message, Role, Turn, TurnState};
use adjutant_domain::event::{PlanLine, StepOutcome, TurnEvent};
use adjutant_domain::faults::UserFault;
use adjutant_domain::gate::{
    Card, CardNote, Fact, Grant, NoteKind, PendingAction, ShownAttachment, Why, escape,
};
use adjutant_domain::outcome::Answer;
use adjutant_domain::reading::Reading;
use adjutant_domain::route::{Route, RouteKind};
use jiff::tz::TimeZone;
use serde_json::{Value, json};

use super::records::at;
use super::{found, proposed};
use crate::event::{
    AttachmentView, CardView, ChoiceView, DroppedView, EventBody, FactView, ItemView, NoteView,
    PlanStep, ResultLine, Section, SourceView, Usage, WireEvent,
};
use crate::fault::Fault;
use crate::reply::{Explained, ExplainedLine, Glance, RoutedByModel};
use crate::rows::{
    ActivityRow, ApprovalRow, ConversationRow, GrantOffer, GrantRow, GrantState, MessageRow,
    PlanRow, UndoState,
};
use crate::words::StepStatus;

impl From<&UserFault> for Fault {
    fn from(fault: &UserFault) -> Self {
        Self {
            code: fault.code.clone(),
            message: fault.what.clone(),
            hint: fault.hint.clone(),
        }
    }
}

impl From<UserFault> for Fault {
    fn from(fault: UserFault) -> Self {
        Self::from(&fault)
    }
}

impl std::fmt::Display for Fault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if self.hint.is_empty() {
            f.write_str(&self.message)
        } else {
            write!(f, "{} {}", self.message, self.hint)
        }
    }
}

impl std::error::Error for Fault {}

/// Returns the wire form of a turn's event.
#[must_use]
pub fn event(conversation: &str, turn: &str, seq: i64, event: &TurnEvent) -> WireEvent {
    WireEvent {
        body: body(event),
        turn: turn.to_owned(),
        seq,
        conversation: conversation.to_owned(),
    }
}

fn body(event: &TurnEvent) -> EventBody {
    match event {
        TurnEvent::TurnStarted { text, instead_of } => EventBody::TurnStarted {
            text: text.clone(),
            instead_of: instead_of.as_ref().map(|turn| turn.0.clone()),
        },
        TurnEvent::Status { text } => EventBody::Status { text: text.clone() },
        TurnEvent::Routed { route } => EventBody::Routed {
            r#type: kind_word(route).into(),
            domains: domain_words(route),
            is_followup: route.is_followup,
            confidence: route.confidence,
            by: route.by.clone(),
        },
        TurnEvent::Context { sections, .. } => EventBody::Context {
            sections: sections
                .iter()
                .map(|one| Section {
                    name: one.name.clone(),
                    tokens: one.tokens,
                    ms: one.ms,
                    problem: one.problem.clone(),
                    names: one.names.clone(),
                    budget: one.budget,
                    items: one.items,
                    dropped: one
                        .dropped
                        .iter()
                        .map(|left| DroppedView {
                            items: left.items,
                            tokens: left.tokens,
                            why: json!(left.why).as_str().unwrap_or_default().to_owned(),
                        })
                        .collect(),
                })
                .collect(),
        },
        TurnEvent::Plan { id, request, steps } => EventBody::Plan {
            id: id.0.clone(),
            request: request.clone(),
            steps: steps.iter().map(plan_step).collect(),
        },
        TurnEvent::ToolCall { step, tool, args } => EventBody::ToolCall {
            step: step.0.clone(),
            tool: tool.clone(),
            args: args.clone(),
        },
        TurnEvent::ToolResult {
            step,
            ok,
            result,
            error,
            receipt,
            ms,
        } => EventBody::ToolResult {
            step: step.0.clone(),
            ok: *ok,
            result: result.clone(),
            found: match receipt {
                None => result.as_ref().and_then(found::found).map(Box::new),
                Some(_) => None,
            },
            error: error.as_ref().map(Fault::from),
            receipt: receipt.as_ref().map(|receipt| json!(receipt)),
            ms: *ms,
        },
        TurnEvent::ApprovalNeeded {
            id,
            step,
            digest,
            tool,
            args,
            shown,
            risk,
            sources,
        } => EventBody::ApprovalNeeded {
            id: id.0.clone(),
            step: step.0.clone(),
            digest: digest.clone(),
            tool: tool.clone(),
            args: args.clone(),
            shown: Box::new(card(shown)),
            risk: (*risk).into(),
            sources: json!(sources),
        },
        TurnEvent::Question {
            id,
            step,
            text,
            choices,
        } => EventBody::Question {
            id: id.clone(),
            step: step.0.clone(),
            text: text.clone(),
            choices: choices
                .iter()
                .map(|one| ChoiceView {
                    label: one.label.clone(),
                    detail: one.detail.clone(),
                    value: one.value.clone(),
                })
                .collect(),
        },
        TurnEvent::Token { text, restart } => EventBody::Token {
            text: text.clone(),
            restart: *restart,
        },
        TurnEvent::Thinking { text } => EventBody::Thinking { text: text.clone() },
        TurnEvent::Done {
            answer,
            results,
            used_tools,
            used_memories,
            usage,
            decision,
            ms,
            fault,
            near,
        } => EventBody::Done {
            answer: answer.clone(),
            results: results.iter().map(result_line).collect(),
            used_tools: used_tools.clone(),
            used_memories: used_memories.clone(),
            usage: Usage {
                input: usage.input,
                output: usage.output,
                cost_micros: usage.cost_micros,
            },
            decision: decision.clone(),
            ms: *ms,
            fault: fault.as_ref().map(Fault::from),
            near: near.clone(),
        },
        TurnEvent::Waiting {
            answer,
            approvals,
            questions,
            results,
        } => EventBody::Waiting {
            answer: answer.clone(),
            approvals: approvals.iter().map(|id| id.0.clone()).collect(),
            questions: questions.clone(),
            results: results.iter().map(result_line).collect(),
        },
        TurnEvent::Interrupted { results } => EventBody::Interrupted {
            results: results.iter().map(result_line).collect(),
        },
        TurnEvent::Error { fault } => EventBody::Error {
            code: fault.code.clone(),
            message: fault.what.clone(),
            hint: fault.hint.clone(),
        },
    }
}

fn kind_word(route: &Route) -> &'static str {
    match route.kind {
        RouteKind::Chat => "chat",
        RouteKind::Action => "action",
        RouteKind::Followup => "followup",
    }
}

fn plan_step(line: &PlanLine) -> PlanStep {
    PlanStep {
        key: line.key.0.clone(),
        say: line.say.clone(),
        why: line.why.clone(),
        tool: line.tool.clone(),
        status: StepStatus::of_event(&line.status),
    }
}

fn result_line(outcome: &StepOutcome) -> ResultLine {
    ResultLine {
        step: outcome.step.0.clone(),
        tool: outcome.tool.clone(),
        status: StepStatus::of_event(&outcome.status),
        say: outcome.say.clone(),
        error: outcome.error.as_ref().map(Fault::from),
    }
}

/// Returns the wire form of a card. `undo_kind` and the targets of sources are left empty.
#[must_use]
pub fn card(card: &Card) -> CardView {
    CardView {
        title: card.title.clone(),
        verb: card.verb.clone(),
        icon: card.icon.into(),
        account: card.account.clone(),
        notes: notes(&card.notes),
        facts: facts(&card.facts),
        items: card
            .items
            .iter()
            .map(|item| ItemView {
                id: item.id.clone(),
                label: item.label.clone(),
                detail: item.detail.clone(),
                notes: notes(&item.notes),
                facts: facts(&item.facts),
                body: item.body.clone(),
                attachments: attachments(&item.attachments),
            })
            .collect(),
        body: card.body.clone(),
        attachments: attachments(&card.attachments),
        undo: card.undo.clone(),
        undo_kind: String::new(),
        digest_line: card.digest_line.clone(),
    }
}

fn notes(notes: &[CardNote]) -> Vec<NoteView> {
    let view = |note: &CardNote| NoteView {
        kind: match note.kind {
            NoteKind::Untrusted => "untrusted",
            NoteKind::Info => "info",
            NoteKind::Warn => "warn",
        }
        .into(),
        text: note.text.clone(),
    };
    notes.iter().map(view).collect()
}

fn facts(facts: &[Fact]) -> Vec<FactView> {
    let view = |fact: &Fact| FactView {
        label: fact.label.clone(),
        value: fact.value.clone(),
        before: fact.before.clone(),
        source: fact.source.as_ref().map(|source| SourceView {
            kind: source.kind.clone(),
            detail: source.detail.clone(),
            target: None,
        }),
    };
    facts.iter().map(view).collect()
}

fn attachments(files: &[ShownAttachment]) -> Vec<AttachmentView> {
    let view = |file: &ShownAttachment| AttachmentView {
        name: file.name.clone(),
        size: file.size,
        sha256: file.sha256.clone(),
    };
    files.iter().map(view).collect()
}

/// Returns the arguments of an action: those of its call, or a list with those of each call for a batch.
#[must_use]
pub fn action_args(action: &PendingAction) -> Value {
    match action.calls.as_slice() {
        [one] => one.args.clone(),
        many => many.iter().map(|call| call.args.clone()).collect(),
    }
}

/// Returns the row of an action. A pending action past its expiry counts as expired even if storage does not say so
/// yet.
#[must_use]
pub fn approval(action: &PendingAction, now: jiff::Timestamp, zone: &TimeZone) -> ApprovalRow {
    use adjutant_domain::gate::ActionState;
    let state = if action.state == ActionState::Pending && now >= action.expires {
        ActionState::Expired
    } else {
        action.state
    };
    ApprovalRow {
        id: action.id.0.clone(),
        digest: action.digest.0.clone(),
        tool: action.tool.clone(),
        args: action_args(action),
        shown: proposed::card_of(action),
        risk: action.risk.into(),
        sources: match action.calls.as_slice() {
            [one] => json!(one.sources),
            many => many.iter().map(|call| json!(call.sources)).collect(),
        },
        created: at(action.created, zone),
        expires: at(action.expires, zone),
        state: state.into(),
        conversation: action.conversation.0.clone(),
        turn: action.turn.0.clone(),
        step: action.step.0.clone(),
        superseded_by: action.superseded_by.as_ref().map(|id| id.0.clone()),
        tainted: action.taint == adjutant_domain::source::Taint::Tainted,
        proposed: proposed::events(action),
        why: action
            .why
            .as_ref()
            .map(|why| escape::visible(&why.line()))
            .unwrap_or_default(),
        needless: action.why.as_ref().is_some_and(Why::is_needless),
        grant: action.grant.as_ref().map(|scope| GrantOffer {
            tool: scope.tool.clone(),
            account: scope.account.0.clone(),
            target: scope.words.clone(),
        }),
        account: action.account().0.clone(),
        flood: None,
    }
}

/// Returns the row of a turn's plan, if it has one.
#[must_use]
pub fn plan(turn: &Turn, zone: &TimeZone) -> Option<PlanRow> {
    let plan = turn.plan.as_ref()?;
    Some(PlanRow {
        id: plan.id.0.clone(),
        turn: turn.id.0.clone(),
        conversation: turn.conversation.0.clone(),
        request: plan.request.clone(),
        steps: plan
            .steps
            .iter()
            .map(|step| PlanStep {
                key: step.draft.key.0.clone(),
                say: step.draft.say.clone(),
                why: step.draft.why.clone(),
                tool: step.draft.tool.clone(),
                status: StepStatus::of_event(step.state.word()),
            })
            .collect(),
        state: match turn.state {
            TurnState::Open => "open",
            TurnState::Waiting => "waiting",
            TurnState::Done => "done",
            TurnState::Interrupted => "interrupted",
            TurnState::Failed => "failed",
            TurnState::SetAside => "set_aside",
        }
        .into(),
        at: at(turn.at, zone),
    })
}

/// Returns the row of a conversation.
#[must_use]
pub fn conversation(one: &Conversation, zone: &TimeZone) -> ConversationRow {
    ConversationRow {
        id: one.id.0.clone(),
        title: one.title.clone(),
        created: at(one.created, zone),
        updated: at(one.updated, zone),
        messages: one.messages,
        pinned: one.pinned,
        archived: one.archived,
        found: one.found.clone(),
    }
}

/// Returns the row of a message.
#[must_use]
pub fn message(one: &Message, zone: &TimeZone) -> MessageRow {
    MessageRow {
        id: one.turn.0.clone(),
        role: match one.role {
            Role::User => "user",
            Role::Assistant => "assistant",
        }
        .into(),
        text: one.text.clone(),
        at: at(one.at, zone),
    }
}

/// Returns the row of an effect.
#[must_use]
pub fn activity(effect: &Effect, zone: &TimeZone) -> ActivityRow {
    ActivityRow {
        id: effect.id.0.clone(),
        at: at(effect.at, zone),
        tool: effect.tool.clone(),
        args: effect.args.clone(),
        outcome: effect.outcome.clone(),
        say: effect.say.clone(),
        receipt: effect.receipt.as_ref().map(|receipt| json!(receipt)),
        undo: match (&effect.undone_by, &effect.inverse) {
            (Some(_), _) => Some(UndoState::Used),
            (None, Some(_)) if effect.partly_undone => Some(UndoState::Partly),
            (None, Some(_)) => Some(UndoState::Available),
            (None, None) => None,
        },
        conversation: effect.conversation.0.clone(),
        turn: effect.turn.0.clone(),
        approval: effect.action.as_ref().map(|id| id.0.clone()),
        grant: effect.grant.as_ref().map(|id| id.0.clone()),
    }
}

/// Returns the row of a standing grant. `state` says whether it holds now.
#[must_use]
pub fn grant(grant: &Grant, state: GrantState, zone: &TimeZone) -> GrantRow {
    GrantRow {
        id: grant.id.0.clone(),
        tool: grant.scope.tool.clone(),
        account: grant.scope.account.0.clone(),
        target: grant.scope.words.clone(),
        created: at(grant.created, zone),
        expires: at(grant.expires, zone),
        uses: grant.uses,
        last_used: grant.last_used.map(|used| at(used, zone)),
        state,
        action: grant.action.0.clone(),
    }
}

/// Returns a model's route with the cost of the request.
#[must_use]
pub fn routed_by_model(route: &Route, cost_micros: u64) -> RoutedByModel {
    RoutedByModel {
        r#type: kind_word(route).into(),
        domains: domain_words(route),
        is_followup: route.is_followup,
        confidence: route.confidence,
        by: route.by.clone(),
        cost_micros,
    }
}

fn domain_words(route: &Route) -> Vec<String> {
    let words = route.domains.iter().map(|domain| domain.as_str().into());
    words.collect()
}

/// Returns an answer outside any conversation.
#[must_use]
pub fn glance(answer: Answer) -> Glance {
    let result = json!({ "output": answer.output, "say": answer.say });
    Glance {
        found: found::found(&result),
        say: answer.say,
    }
}

/// Returns how a message is understood.
#[must_use]
pub fn explained(text: &str, route: &Route, reading: &Reading) -> Explained {
    let (word, request, steps, trace) = match reading {
        Reading::Plan { plan, trace } => (
            "plan",
            plan.request.clone(),
            plan.steps.iter().map(|step| json!(step)).collect(),
            trace,
        ),
        Reading::Say { text, trace } => ("say", text.clone(), Vec::new(), trace),
        Reading::Undo { trace } => (
            "undo",
            "Undo the latest change in this conversation".to_owned(),
            Vec::new(),
            trace,
        ),
        Reading::NotUnderstood { text, trace, .. } => {
            ("not_understood", text.clone(), Vec::new(), trace)
        }
    };
    Explained {
        r#type: kind_word(route).into(),
        domains: domain_words(route),
        confidence: route.confidence,
        reading: word.into(),
        request,
        steps,
        estimate: None,
        lines: trace
            .iter()
            .map(|line| ExplainedLine {
                words: line
                    .span
                    .and_then(|(from, to)| text.get(from..to))
                    .unwrap_or_default()
                    .to_owned(),
                span: line.span,
                what: line.what.clone(),
                value: line.value.clone(),
            })
            .collect(),
    }
}
