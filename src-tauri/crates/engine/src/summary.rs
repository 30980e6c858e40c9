//! The older part of a long conversation in fewer words. Made in the background by the fast tier once messages do not fit
//! any more, kept with the conversation, and never waited for: a request takes what is there, and without a summary older
//! messages are shortened and dropped as before.

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

/// Messages that are not in the summary yet and are worth a request.
const MESSAGES_MIN: usize = 6;
/// Messages that are read for one request.
const READ_MAX: usize = 200;
/// Tokens one request reads.
const INPUT_TOKENS_MAX: u64 = 6_000;
/// Words of a summary: it has to go into the part of the history that older messages may take.
const WORDS_MAX: usize = 220;
/// Requests for one conversation at a time; an imported one is worked off over several turns.
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

/// Looks, after a turn, whether the conversation has outgrown what a request shows of it.
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

/// Tokens of the conversation that a request shows.
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

/// Asks for the summary of a text.
async fn ask(core: &Core, models: &Models, text: &str) -> Result<String, NotMade> {
    let ask = RequestOptions {
        tier: Tier::Fast,
        purpose: Purpose::Background,
        turn: None,
    };
    let mut request = request(&SummarisePrompt::new(text, WORDS_MAX), ask, Vec::new())
        .map_err(|fault| NotMade::Prompt(fault.to_string()))?;
    scrub(&mut request, &core.secrets.get(&*core.parts.records).await?);
    // What it streams goes nowhere.
    let (pieces, _) = mpsc::channel(1);
    let deadlines = &models.manner.deadlines;
    let reply = listen(&*models.chat, Arc::new(request), deadlines, &pieces)
        .await
        .map_err(|failed| NotMade::Model(failed.sentence()))?;
    let text = reply.text.trim();
    if text.is_empty() || reply.is_cut() {
        return Err(NotMade::Model("The summary came back empty or cut.".into()));
    }
    Ok(text.to_owned())
}
