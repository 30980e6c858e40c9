//! Decides whether a message continues the conversation.

use adjutant_text::message::{Text, truncate};

use super::score::{RouteScore, score};
use super::{Domain, EarlierMessage, ROUTE_BYTES_MAX};

/// Strength of the follow-up phrases from which a message depends on the conversation.
const LEANS_FROM: f32 = 2.0;

/// Maximum number of words for a message without a complete request to be an answer or a fragment.
const FRAGMENT_WORDS_MAX: usize = 5;

pub(super) struct FollowUpDecision {
    pub follows: bool,
}

/// Decides whether a message follows the conversation; without history it never does.
pub(super) fn decide(
    text: &Text<'_>,
    history: &[EarlierMessage<'_>],
    scored: &RouteScore,
) -> FollowUpDecision {
    let asked = history
        .last()
        .is_some_and(|said| !said.by_person && said.text.trim_end().ends_with('?'));
    let words = text.words().count();
    let fragment =
        words > 0 && words <= FRAGMENT_WORDS_MAX && !scored.complete && scored.best < 3.0;
    let follows = !history.is_empty() && (scored.follow >= LEANS_FROM || (asked && fragment));
    FollowUpDecision { follows }
}

/// Returns the domains of a follow-up that does not speak for itself: those of the person's last request, or the ones
/// that the message names if there is none.
pub(super) fn inherit(own: &[Domain], history: &[EarlierMessage<'_>]) -> Vec<Domain> {
    let earlier = history
        .iter()
        .rev()
        .filter(|said| said.by_person)
        .map(|said| {
            let text = Text::read(truncate(said.text, ROUTE_BYTES_MAX).0);
            score(&text).domains
        })
        .find(|domains| !domains.is_empty());
    earlier.unwrap_or_else(|| own.to_vec())
}
