//! Finds events that overlap.

use std::collections::BTreeSet;

use adjutant_domain::filter::Window;
use adjutant_domain::outcome::Stop;
use adjutant_domain::ports::Cx;
use jiff::Timestamp;

use super::EventRow;
use super::free::busy;
use crate::select::Row;

/// Keeps the rows that overlap another event that keeps the person busy, or, if `wanted` is false, those that do not.
/// Drops whole days: they overlap everything and say nothing.
///
/// # Errors
/// Returns the fault of storage.
pub(super) async fn only(
    rows: Vec<EventRow>,
    wanted: bool,
    cx: &Cx,
) -> Result<Vec<EventRow>, Stop> {
    let zone = cx.zone();
    let window = Window {
        from: rows.iter().map(|row| row.0.start.starts(&zone)).min(),
        to: rows.iter().map(|row| row.0.end.starts(&zone)).max(),
    };
    if window.from.is_none() {
        return Ok(rows);
    }
    let spans = busy(window, cx)
        .await?
        .into_iter()
        .filter(|row| !row.0.start.is_day())
        .map(|row| Span {
            start: row.0.start.starts(&zone),
            end: row.0.end.starts(&zone),
            id: row.ref_id(),
        })
        .collect();
    let clashing = clashing(spans);
    Ok(rows
        .into_iter()
        .filter(|row| !row.0.start.is_day() && clashing.contains(&row.ref_id()) == wanted)
        .collect())
}

/// The time an event takes.
struct Span {
    start: Timestamp,
    end: Timestamp,
    id: String,
}

/// Returns the ids of all spans that overlap another. Sorted by start, a span overlaps an earlier one exactly if it
/// begins before the latest end so far; any other span it overlaps also overlaps the one with that end.
fn clashing(mut spans: Vec<Span>) -> BTreeSet<String> {
    spans.sort_by_key(|span| (span.start, span.end));
    let mut found = BTreeSet::new();
    let mut latest: Option<&Span> = None;
    for span in &spans {
        if let Some(before) = latest.filter(|before| span.start < before.end) {
            found.insert(before.id.clone());
            found.insert(span.id.clone());
        }
        if latest.is_none_or(|before| span.end > before.end) {
            latest = Some(span);
        }
    }
    found
}
