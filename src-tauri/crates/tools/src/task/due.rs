//! Changes the due date of a task, and its reminder with it.

use adjutant_domain::faults::ToolFault;
use adjutant_domain::moment::Moment;
use adjutant_domain::outcome::Stop;
use adjutant_domain::ports::Cx;
use adjutant_domain::record::Task;
use jiff::{Span, civil};

use super::update::Changes;
use crate::select::{at_time, bad};
use crate::words;

/// Returns whether the reminder follows the due date: it is the due time itself, or there is none.
pub(super) fn follows_due(task: &Task) -> bool {
    match (&task.due, task.remind_at) {
        (Some(Moment::At(at)), Some(remind)) => at.timestamp() == remind,
        (_, None) => true,
        _ => false,
    }
}

/// Returns the new due date; a day without a time keeps the old time of day.
pub(super) fn keep_time(old: Option<&Moment>, new: &Moment) -> Moment {
    match (old, new) {
        (Some(Moment::At(at)), Moment::Day(day)) => day
            .to_datetime(at.time())
            .to_zoned(at.time_zone().clone())
            .map_or_else(|_| new.clone(), Moment::At),
        _ => new.clone(),
    }
}

/// Sets another time of day. For a task that has only a reminder, sets the time of the reminder.
pub(super) fn set_time(task: &mut Task, time: civil::Time, cx: &Cx) -> Result<(), Stop> {
    match (&task.due, task.remind_at) {
        (Some(due), _) => task.due = Some(at_time(due, time, cx)?),
        (None, Some(at)) => {
            let reminder = at_time(&Moment::At(at.to_zoned(cx.zone())), time, cx)?;
            task.remind_at = Some(reminder.starts(&cx.zone()));
        }
        (None, None) => {
            let today = cx.now.date();
            let day = if time > cx.now.time() {
                today
            } else {
                today.tomorrow().unwrap_or(today)
            };
            task.due = Some(at_time(&Moment::Day(day), time, cx)?);
        }
    }
    Ok(())
}

/// Moves date and reminder by the minutes, days and months of a change.
///
/// # Errors
/// Returns a fault if there is no date to move, or the new date is out of range.
pub(super) fn shift(task: &mut Task, changes: &Changes, cx: &Cx) -> Result<(), Stop> {
    let (minutes, days, months) = (
        changes.shift_minutes.unwrap_or(0),
        changes.shift_days.unwrap_or(0),
        changes.shift_months.unwrap_or(0),
    );
    if minutes == 0 && days == 0 && months == 0 {
        return Ok(());
    }
    let too_far = |_| -> Stop {
        ToolFault::BadArguments {
            reason: "That date is too far away.".into(),
        }
        .into()
    };
    let span = |days: i64| Span::new().try_days(days)?.try_months(months);
    match &task.due {
        None if task.remind_at.is_none() => {
            return Err(bad(format!(
                "{} has no date to move.",
                words::quoted(&task.title)
            )));
        }
        None => {}
        Some(Moment::At(at)) => {
            let moved = span(days)
                .and_then(|days| at.checked_add(days))
                .and_then(|at| at.checked_add(jiff::SignedDuration::from_mins(minutes)))
                .map_err(too_far)?;
            task.due = Some(Moment::At(moved));
        }
        Some(Moment::Day(day)) => {
            if minutes % 1_440 == 0 {
                let moved = span(days + minutes / 1_440)
                    .and_then(|days| day.checked_add(days))
                    .map_err(too_far)?;
                task.due = Some(Moment::Day(moved));
            } else {
                // "In two hours" for a task due on a day: it gets a time, counted from now.
                let at = cx
                    .now
                    .checked_add(jiff::SignedDuration::from_mins(minutes))
                    .map_err(too_far)?;
                task.due = Some(Moment::At(at));
            }
        }
    }
    if let Some(at) = task.remind_at {
        let moved = span(days)
            .and_then(|days| at.to_zoned(cx.zone()).checked_add(days))
            .and_then(|at| at.checked_add(jiff::SignedDuration::from_mins(minutes)))
            .map_err(too_far)?;
        task.remind_at = Some(moved.timestamp());
    }
    Ok(())
}
