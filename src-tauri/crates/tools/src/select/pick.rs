//! Picks among the rows that match, and asks which of them is meant.

use adjutant_domain::faults::ToolFault;
use adjutant_domain::outcome::Stop;
use adjutant_domain::plan::{AnswerKind, Choice, Question};
use adjutant_domain::ports::Cx;
use serde_json::json;

use super::{CHOICES_MAX, Chosen, MatchingRows, Pick, ROWS_MAX, Row};
use crate::words;

/// Returns how many matching rows a choice needs; `None` for all.
pub(super) fn needed(which: Pick, limit: Option<usize>) -> Option<usize> {
    match which {
        Pick::All => Some(limit.unwrap_or(ROWS_MAX).min(ROWS_MAX)),
        Pick::Exactly(count) => Some(count.clamp(CHOICES_MAX, ROWS_MAX)),
        Pick::First => Some(1),
        Pick::One => Some(CHOICES_MAX),
        Pick::Nth(place) => usize::try_from(place).ok(),
        Pick::Last => None,
    }
}

pub(super) fn pick<R: Row>(
    found: MatchingRows<R>,
    which: Pick,
    limit: Option<usize>,
    most: usize,
    slot: &str,
    cx: &Cx,
) -> Result<Chosen<R>, Stop> {
    let MatchingRows { mut rows, total } = found;
    let one = |index: Option<usize>, mut rows: Vec<R>| Chosen {
        rows: index
            .filter(|index| *index < rows.len())
            .map(|index| vec![rows.swap_remove(index)])
            .unwrap_or_default(),
        total,
    };
    Ok(match which {
        Pick::All => {
            rows.truncate(limit.unwrap_or(most).min(most));
            Chosen { rows, total }
        }
        Pick::Exactly(count) if total == count => Chosen { rows, total },
        Pick::Exactly(count) => return Err(not_so_many::<R>(total, count)),
        Pick::First => one(Some(0), rows),
        Pick::Last => one(total.checked_sub(1), rows),
        Pick::Nth(place) => {
            let index = match place {
                1.. => usize::try_from(place - 1).ok(),
                0 => None,
                _ => usize::try_from(place.unsigned_abs())
                    .ok()
                    .and_then(|back| total.checked_sub(back)),
            };
            one(index, rows)
        }
        Pick::One if total > 1 => return Err(ask_which(&rows, total, slot, cx)),
        Pick::One => Chosen { rows, total },
    })
}

/// Says that another number of rows fits than the person named. It names none of them: a model that mends a plan reads this
/// text, and titles may be foreign.
fn not_so_many<R: Row>(total: usize, count: usize) -> Stop {
    let what = match total {
        0 => format!("There are no such {}.", words::nouns(2, R::NOUN)),
        _ => format!("{} fit, not {count}.", words::plural(total, R::NOUN)),
    };
    ToolFault::TooMuch {
        what,
        hint: "Say which ones you mean, or all of them.".into(),
    }
    .into()
}

/// Asks which of several rows is meant; the choices show what distinguishes them.
#[must_use]
pub fn ask_which<R: Row>(rows: &[R], total: usize, slot: &str, cx: &Cx) -> Stop {
    let choices = rows
        .iter()
        .take(CHOICES_MAX)
        .map(|row| {
            let item = row.item(cx);
            let id = row.ref_id();
            let value = if slot == "/ids" {
                json!([id])
            } else {
                json!(id)
            };
            let detail = item.detail.unwrap_or_default();
            Choice::new(words::cut(&item.label, words::INLINE_CHARS_MAX), value)
                .with_detail(words::cut_between(&detail, words::INLINE_CHARS_MAX))
        })
        .collect();
    let text = if total > CHOICES_MAX {
        format!(
            "{} fit. Which {} do you mean?",
            words::plural(total, R::NOUN),
            R::NOUN
        )
    } else {
        format!("Which {}?", R::NOUN)
    };
    Stop::Ask(Question {
        text,
        choices,
        slot: slot.to_owned(),
        answer: AnswerKind::Choice,
    })
}
