//! Does a message go on with what was said before?

use adjutant_text::message::{Text, truncate};

use super::score::{Scored, score};
use super::{Domain, EarlierMessage, ROUTE_BYTES_MAX};

/// Strength of the signs from which a message leans on the conversation.
const LEANS_FROM: f32 = 2.0;

/// Words up to which a message without a complete request may be an answer or a fragment.
const FRAGMENT_WORDS_MAX: usize = 5;

pub(super) struct Leaning {
    pub follows: bool,
}

/// A message can only follow something: without history it stands alone.
pub(super) fn leaning(text: &Text<'_>, history: &[EarlierMessage<'_>], scored: &Scored) -> Leaning {
    let asked = history
        .last()
        .is_some_and(|said| !said.by_person && said.text.trim_end().ends_with('?'));
    let words = text.words().count();
    let fragment =
        words > 0 && words <= FRAGMENT_WORDS_MAX && !scored.complete && scored.best < 3.0;
    let follows = !history.is_empty() && (scored.follow >= LEANS_FROM || (asked && fragment));
    Leaning { follows }
}

/// The domains of a follow-up that does not speak for itself: those of the person's last request,
/// or what it names itself when there was none.
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
