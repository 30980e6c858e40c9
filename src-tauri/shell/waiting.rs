//! Notifies the person of approvals that wait while they look elsewhere. A notification opens the card but cannot
//! approve anything.

use std::collections::HashSet;

use adjutant_api::rows::{ApprovalRow, Rows};
use adjutant_api::words::ApprovalState;
use adjutant_api::{Fault, Reply, Request, Topic};
use tauri::AppHandle;

use crate::notifications::{self, Notice};
use crate::{bridge, windows};

/// Maximum number of approvals announced separately; more at once are combined into one notification.
const SINGLE_MAX: usize = 3;

/// The approvals already seen waiting, which are not announced again.
#[derive(Default)]
pub(crate) struct Waiting {
    known: HashSet<String>,
}

impl Waiting {
    /// Treats everything already waiting as known: at startup the tray shows it.
    pub(crate) async fn start(app: &AppHandle) -> Result<Self, Fault> {
        let mut waiting = Self::default();
        waiting.news(pending(app).await?);
        Ok(waiting)
    }

    /// Announces newly waiting approvals unless the main window has the focus.
    pub(crate) async fn look(&mut self, app: &AppHandle) -> Result<(), Fault> {
        let news = self.news(pending(app).await?);
        if !windows::is_main_focused(app) {
            for notice in notices(&news) {
                notifications::show(app, &notice).await;
            }
        }
        Ok(())
    }

    /// Returns the pending approvals that were not pending before.
    fn news(&mut self, pending: Vec<ApprovalRow>) -> Vec<ApprovalRow> {
        let before = std::mem::take(&mut self.known);
        self.known = pending.iter().map(|approval| approval.id.clone()).collect();
        pending
            .into_iter()
            .filter(|approval| !before.contains(&approval.id))
            .collect()
    }
}

fn notices(news: &[ApprovalRow]) -> Vec<Notice> {
    if news.len() > SINGLE_MAX {
        return vec![Notice {
            title: format!("{} approvals wait", news.len()),
            line: "Open to look.".into(),
            route: "approvals".into(),
        }];
    }
    news.iter()
        .map(|approval| Notice {
            title: "An approval waits".into(),
            line: format!("{}. Open to look.", approval.shown.title),
            route: format!("approvals/{}", approval.id),
        })
        .collect()
}

async fn pending(app: &AppHandle) -> Result<Vec<ApprovalRow>, Fault> {
    let show = Request::show(Topic::Approvals);
    match bridge::ask(app, show).await? {
        Reply::Rows {
            rows: Rows::Approvals(rows),
            ..
        } => Ok(rows
            .into_iter()
            .filter(|approval| approval.state == ApprovalState::Pending)
            .collect()),
        _ => Ok(Vec::new()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn approval(id: &str) -> ApprovalRow {
        ApprovalRow {
            id: id.into(),
            digest: String::new(),
            tool: "email.send".into(),
            args: serde_json::Value::Null,
            shown: adjutant_api::event::CardView {
                title: format!("Send {id}"),
                ..Default::default()
            },
            risk: adjutant_api::words::Risk::Destroys,
            sources: serde_json::Value::Null,
            created: String::new(),
            expires: String::new(),
            state: ApprovalState::Pending,
            conversation: String::new(),
            turn: String::new(),
            step: String::new(),
            superseded_by: None,
            tainted: false,
            proposed: Vec::new(),
            why: String::new(),
            needless: false,
            grant: None,
            account: "local".into(),
            flood: None,
        }
    }

    #[test]
    fn each_approval_is_news_once() {
        let mut waiting = Waiting::default();
        let ids = |news: Vec<ApprovalRow>| {
            news.into_iter()
                .map(|approval| approval.id)
                .collect::<Vec<_>>()
        };
        assert_eq!(ids(waiting.news(vec![approval("a")])), ["a"]);
        assert_eq!(ids(waiting.news(vec![approval("a"), approval("b")])), ["b"]);
        assert!(waiting.news(vec![approval("b")]).is_empty());
    }

    #[test]
    fn a_notification_names_the_action_and_opens_its_card() {
        let notice = &notices(&[approval("a1")])[0];
        assert_eq!(
            (notice.line.as_str(), notice.route.as_str()),
            ("Send a1. Open to look.", "approvals/a1")
        );
        let many: Vec<_> = ["a", "b", "c", "d"].into_iter().map(approval).collect();
        assert_eq!(notices(&many).len(), 1);
        assert_eq!(notices(&many)[0].title, "4 approvals wait");
    }
}
