//! Turns the lead of the winner into a probability that the domains are exactly right.

use super::score::RouteScore;

/// Probability for a message in another language, which is never guessed at.
pub(super) const FOREIGN_CONFIDENCE: f64 = 0.3;

/// Probability by the lead of the winner, interpolated between the points. The points are (lead, probability), set by
/// hand; docs/UNDERSTANDING.md has the reliability that was measured.
const BY_LEAD: &[(f32, f64)] = &[
    (0.0, 0.5),
    (0.5, 0.6),
    (1.0, 0.7),
    (2.0, 0.84),
    (3.0, 0.92),
    (4.0, 0.96),
    (6.0, 0.985),
    (10.0, 0.995),
];

/// Probability if there is no evidence: most such messages are conversation, but far from all.
const NOTHING: f64 = 0.55;

/// Factor for a follow-up, because its domains come from an earlier turn.
const FOLLOW_SHARE: f64 = 0.85;

pub(super) fn confidence(scored: &RouteScore, follows: bool) -> f64 {
    let mut value = if scored.best < 1.0 {
        NOTHING
    } else {
        interpolate((scored.best - scored.rival).max(0.0).min(scored.best))
    };
    if scored.domains.len() > 1 {
        value = value.min(0.9);
    }
    if follows {
        value *= FOLLOW_SHARE;
    }
    (value * 1000.0).round() / 1000.0
}

fn interpolate(lead: f32) -> f64 {
    let at = BY_LEAD.partition_point(|(x, _)| *x <= lead);
    match (
        at.checked_sub(1).and_then(|i| BY_LEAD.get(i)),
        BY_LEAD.get(at),
    ) {
        (Some(&(x0, y0)), Some(&(x1, y1))) => {
            y0 + (y1 - y0) * f64::from(lead - x0) / f64::from(x1 - x0)
        }
        (Some(&(_, y)), None) | (None, Some(&(_, y))) => y,
        (None, None) => NOTHING,
    }
}
