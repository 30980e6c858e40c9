//! Shows each reminder once, as a notification, when the engine reports it due. If another process holds the profile,
//! that process does the waiting and passes reminders to the window.

use std::sync::Arc;

use adjutant::service::{DueNotice, Frame, Service};
use adjutant::session::Session;
use adjutant_api::{EventBody, Request};
use tauri::{AppHandle, Manager};
use tokio::sync::mpsc;

use crate::bridge::{self, Bridge};
use crate::notifications::{self, Notice};

/// Maximum number of engine reports waiting to be shown.
const REPORTS_WAITING_MAX: usize = 64;

/// Maximum number of reminders shown separately; more at once are combined into one notification.
const SINGLE_MAX: usize = 3;

/// Does what is due and shows reminders until the app ends.
pub(crate) fn follow(app: &AppHandle) {
    let to = app.clone();
    bridge::work(app, async move {
        let Ok(session) = to.state::<Bridge>().session().await else {
            return;
        };
        let service = tokio::select! {
            biased;
            service = session.holding() => service,
            // When this ends, the holder passes on no more reminders.
            service = async { show_for_holder(&to, &session).await; session.holding().await } => service,
        };
        watch(&to, &service).await;
    });
}

/// Shows the reminders that the holder passes on, until it stops.
async fn show_for_holder(app: &AppHandle, session: &Arc<Session>) {
    let mut frames = session.call(Request::Notify {}).await;
    while let Some(frame) = frames.recv().await {
        let mut told: Vec<DueNotice> = handed(frame).into_iter().collect();
        // Combine what became due at the same time.
        while let Ok(frame) = frames.try_recv() {
            told.extend(handed(frame));
        }
        for notice in notices(&told) {
            notifications::show(app, &notice).await;
        }
    }
}

fn handed(frame: Frame) -> Option<DueNotice> {
    let Frame::Event(event) = frame else {
        return None;
    };
    match event.body {
        EventBody::Reminder {
            task,
            title,
            at,
            due,
            missed,
            show: true,
        } => Some(DueNotice::Reminder {
            id: task,
            title,
            at,
            due,
            missed,
        }),
        _ => None,
    }
}

async fn watch(app: &AppHandle, service: &Service) {
    let (sender, mut reports) = mpsc::channel(REPORTS_WAITING_MAX);
    let watching = service.watch_due(move |told| {
        if sender.try_send(told).is_err() {
            eprintln!("Too much was due at once. Today shows all of it.");
        }
    });
    tokio::pin!(watching);
    loop {
        tokio::select! {
            () = &mut watching => return,
            report = reports.recv() => match report {
                Some(told) => {
                    for notice in notices(&told) {
                        notifications::show(app, &notice).await;
                    }
                }
                None => return,
            },
        }
    }
}

/// Returns the notifications for a report: reminders and problems. Everything else is visible in the window.
fn notices(told: &[DueNotice]) -> Vec<Notice> {
    let problems = told.iter().filter_map(problem);
    let reminders: Vec<Notice> = told.iter().filter_map(notice).collect();
    if reminders.len() <= SINGLE_MAX {
        return reminders.into_iter().chain(problems).collect();
    }
    let together = Notice {
        title: format!("{} reminders", reminders.len()),
        line: reminders
            .iter()
            .map(|notice| notice.title.as_str())
            .collect::<Vec<_>>()
            .join(", "),
        route: "today".into(),
    };
    [together].into_iter().chain(problems).collect()
}

fn problem(told: &DueNotice) -> Option<Notice> {
    let DueNotice::Problem { what, hint } = told else {
        return None;
    };
    Some(Notice {
        title: what.clone(),
        line: hint.clone(),
        route: "activity".into(),
    })
}

fn notice(told: &DueNotice) -> Option<Notice> {
    let DueNotice::Reminder {
        title, at, missed, ..
    } = told
    else {
        return None;
    };
    let line = if *missed {
        format!("Was due {at}, while Adjutant was not running")
    } else {
        format!("Reminder for {at}")
    };
    Some(Notice {
        title: title.clone(),
        line,
        route: "today".into(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reminder(title: &str, missed: bool) -> DueNotice {
        DueNotice::Reminder {
            id: "task_1".into(),
            title: title.into(),
            at: "11:15".into(),
            due: "2026-01-12T11:15:00+01:00".into(),
            missed,
        }
    }

    #[test]
    fn a_reminder_says_what_and_when() {
        let notice = &notices(&[
            reminder("Stretch", false),
            DueNotice::Line("A hold is over.".into()),
        ])[..];
        let expected = Notice {
            title: "Stretch".into(),
            line: "Reminder for 11:15".into(),
            route: "today".into(),
        };
        assert_eq!(notice, [expected]);
        assert_eq!(
            notices(&[reminder("Stretch", true)])[0].line,
            "Was due 11:15, while Adjutant was not running"
        );
    }

    #[test]
    fn what_could_not_be_done_is_shown_beside_reminders() {
        let disk = DueNotice::Problem {
            what: "The disk is full.".into(),
            hint: "Free some space.".into(),
        };
        let many = ["a", "b", "c", "d"].map(|title| reminder(title, true));
        let shown = notices(&[&many[..], &[disk]].concat());
        let titles: Vec<&str> = shown.iter().map(|notice| notice.title.as_str()).collect();
        assert_eq!(titles, ["4 reminders", "The disk is full."]);
        assert_eq!(shown[1].line, "Free some space.");
    }

    #[test]
    fn many_at_once_become_one() {
        let many: Vec<DueNotice> = ["a", "b", "c", "d"]
            .iter()
            .map(|title| reminder(title, true))
            .collect();
        let one = notices(&many);
        assert_eq!(one.len(), 1);
        assert_eq!(
            (one[0].title.as_str(), one[0].line.as_str()),
            ("4 reminders", "a, b, c, d")
        );
    }
}
