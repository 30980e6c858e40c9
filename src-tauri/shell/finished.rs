//! Notifies the person when a research has its report, or cannot go on without them, while they look elsewhere.

use adjutant_api::research::{ResearchRow, ResearchState};
use adjutant_api::rows::Rows;
use adjutant_api::{Fault, Reply, Request, Topic};
use tauri::AppHandle;

use crate::notifications::{self, Notice};
use crate::{bridge, windows};

/// Announces the new state of a run, unless the main window has the focus: its page tells the person then.
pub(crate) async fn announce(app: &AppHandle, id: &str, state: ResearchState) -> Result<(), Fault> {
    if title(state).is_none() || windows::is_main_focused(app) {
        return Ok(());
    }
    let show = Request::show(Topic::Research);
    if let Reply::Rows {
        rows: Rows::Research(rows),
        ..
    } = bridge::ask(app, show).await?
        // If the run was erased or has gone on in the meantime, there is nothing to announce.
        && let Some(notice) = rows
            .iter()
            .find(|row| row.id == id && row.state == state)
            .and_then(notice)
    {
        notifications::show(app, &notice).await;
    }
    Ok(())
}

/// Returns the notification about a run; `None` in a state that the person caused or that needs nobody.
fn notice(run: &ResearchRow) -> Option<Notice> {
    let line = match &run.why {
        Some(why) => format!("{}. {why}", run.objective.trim_end_matches(['.', '?', '!'])),
        None => run.objective.clone(),
    };
    Some(Notice {
        title: title(run.state)?.into(),
        line,
        route: format!("research/{}", run.id),
    })
}

fn title(state: ResearchState) -> Option<&'static str> {
    match state {
        ResearchState::Done => Some("A research report is there"),
        ResearchState::Paused => Some("A research cannot go on without you"),
        ResearchState::Failed => Some("A research failed"),
        ResearchState::Asking
        | ResearchState::Waiting
        | ResearchState::Running
        | ResearchState::Stopped => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(state: ResearchState, why: Option<&str>) -> ResearchRow {
        ResearchRow {
            id: "run_1".into(),
            objective: "Which heat pump is quiet?".into(),
            state,
            why: why.map(str::to_owned),
            started: String::new(),
            updated: String::new(),
            ended: None,
            round: 1,
            questions: 1,
            answered: 1,
            searches: 4,
            pages: 3,
            credits: 4,
            cost_micros: None,
            credits_max: 1_000,
            running_ms: 0,
            running_ms_max: 0,
            answer: None,
            confidence: None,
            repeats: None,
            previous: None,
        }
    }

    #[test]
    fn a_report_opens_by_its_notification() {
        let notice = notice(&run(ResearchState::Done, None)).expect("a notification");
        assert_eq!(notice.line, "Which heat pump is quiet?");
        assert_eq!(notice.route, "research/run_1");
    }

    #[test]
    fn a_paused_run_says_what_it_needs() {
        let why = "The search engine refused the key.";
        let notice = notice(&run(ResearchState::Paused, Some(why))).expect("a notification");
        assert_eq!(
            notice.line,
            "Which heat pump is quiet. The search engine refused the key."
        );
    }

    #[test]
    fn what_the_person_did_is_not_announced() {
        assert_eq!(notice(&run(ResearchState::Stopped, None)), None);
        assert_eq!(notice(&run(ResearchState::Running, None)), None);
    }
}
