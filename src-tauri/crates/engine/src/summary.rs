//! Summarises the older part of a long conversation. The fast tier makes the summary in the background once the
//! messages no longer fit; it is stored with the conversation and never waited for. A request uses the summary that
//! exists; without one, older messages are shortened and dropped.

use std::sync::Arc;

use adjutant_domain::conversation::{Past, Summary};
use adjutant_domain::faults::StoreFault;
use adjutant_domain::ids::ConversationId;
use adjutant_domain::model::{Purpose, Tier};
use adjutant_prompts::{Prompt as _, RequestOptions, request};
use tokio::sync::mpsc;

use crate::context::history::{WINDOW, shown_whole, transcript};
use crate::context::prompts::SummarisePrompt;
use crate::context::{Budgets, tokens};
use crate::core::{Core, Models};
use crate::listen::listen;
use crate::secrets::scrub;

/// Messages missing from the summary that make a request worthwhile.
const MESSAGES_MIN: usize = 6;
/// Maximum number of messages to read for one request.
const READ_MAX: usize = 200;
/// Maximum number of input tokens of one request.
const INPUT_TOKENS_MAX: u64 = 6_000;
/// Maximum words of a summary, so that it fits into the share of the history for older messages.
const WORDS_MAX: usize = 220;
/// Maximum number of requests per run; an imported conversation is summarised over several turns.
const ROUNDS_MAX: usize = 4;

/// Why there is no new summary.
#[derive(Debug, thiserror::Error)]
enum NotMade {
    #[error(transparent)]
    Store(#[from] StoreFault),
    #[error("the prompt does not fit: {0}")]
    Prompt(String),
    #[error("{0}")]
    Model(String),
}

/// After a turn, starts a summary if the conversation has outgrown what a request shows of it.
pub(crate) fn after_turn(core: &Arc<Core>, conversation: &ConversationId, past: &Past) {
    let Some(models) = core.models() else { return };
    let budget = budget(&models);
    let is_long = past.older > 0
        || past.messages.len() >= WINDOW
        || tokens(past.messages.iter().map(|one| one.text.as_str())) > budget;
    if !is_long {
        return;
    }
    let Some(turn) = core.begin_summary(conversation) else {
        return;
    };
    let (core, conversation) = (core.clone(), conversation.clone());
    let own = core.clone();
    own.in_background(async move {
        if let Err(why) = make(&core, &models, &conversation).await {
            tracing::info!(%conversation, %why, "older messages are shortened; there is no summary of them");
        }
        drop(turn);
    });
}

/// Returns the tokens of the conversation that a request shows.
fn budget(models: &Models) -> u64 {
    let window = models.chat.profile();
    Budgets::default()
        .within(&window, 0, u64::from(SummarisePrompt::REPLY_TOKENS_MAX))
        .history
}

async fn make(core: &Core, models: &Models, conversation: &ConversationId) -> Result<(), NotMade> {
    let log = &core.parts.log;
    for _ in 0..ROUNDS_MAX {
        let (past, _) = log.past(conversation).await?;
        let all = past.older + past.messages.len() as u64;
        let stays = shown_whole(&past, budget(models)) as u64;
        let covered = past.summary.as_ref().map_or(0, |summary| summary.messages);
        let left = usize::try_from(all.saturating_sub(stays + covered)).unwrap_or(READ_MAX);
        if left < MESSAGES_MIN {
            return Ok(());
        }
        let found = log
            .messages_from(conversation, covered, left.min(READ_MAX))
            .await?;
        let before = past.summary.as_ref().map(|summary| summary.text.as_str());
        let (text, taken) = transcript(before, &found, INPUT_TOKENS_MAX);
        if taken == 0 {
            return Ok(());
        }
        let text = ask(core, models, &text).await?;
        let messages = covered + taken as u64;
        log.keep_summary(conversation, &Summary { text, messages })
            .await?;
    }
    Ok(())
}

/// Asks a model to summarise a text.
async fn ask(core: &Core, models: &Models, text: &str) -> Result<String, NotMade> {
    let ask = RequestOptions {
        tier: Tier::Fast,
        purpose: Purpose::Background,
        turn: None,
    };
    let mut request = request(&SummarisePrompt::new(text, WORDS_MAX), ask, Vec::new())
        .map_err(|fault| NotMade::Prompt(fault.to_string()))?;
    scrub(&mut request, &core.secrets.get(&*core.parts.records).await?);
    // Discard the streamed pieces.
    let (pieces, _) = mpsc::channel(1);
    let deadlines = &models.manner.deadlines;
    let reply = listen(&*models.chat, Arc::new(request), deadlines, &pieces)
        .await
        .map_err(|failed| NotMade::Model(failed.sentence()))?;
    let text = reply.text.trim();
    if text.is_empty() || reply.is_cut() {
        return Err(NotMade::Model(
            "The summary came back empty or cut off.".into(),
        ));
    }
    Ok(text.to_owned())
}
