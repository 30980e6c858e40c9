//! Tests of task lists: open tasks by due date, completed ones by time of completion.

use adjutant_api::rows::Rows;
use adjutant_api::topic::Only;
use adjutant_api::{Reply, Topic};

use super::{import, world};
use crate::service::Sink;
use crate::service::show::{self, ShowParams};

const TODOS: &str = "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:test\r\n\
    BEGIN:VTODO\r\nUID:late\r\nSUMMARY:late\r\nDUE;VALUE=DATE:20260110\r\nEND:VTODO\r\n\
    BEGIN:VTODO\r\nUID:due\r\nSUMMARY:due\r\nDUE;VALUE=DATE:20260112\r\nEND:VTODO\r\n\
    BEGIN:VTODO\r\nUID:some day\r\nSUMMARY:some day\r\nEND:VTODO\r\n\
    BEGIN:VTODO\r\nUID:done\r\nSUMMARY:done\r\nSTATUS:COMPLETED\r\nDUE;VALUE=DATE:20200101\r\n\
    END:VTODO\r\nEND:VCALENDAR\r\n";

#[tokio::test]
async fn lists_tasks_by_due_or_completion_date() {
    let world = world().await;
    let (service, file) = (&world.service, world.home.path().join("todos.ics"));
    std::fs::write(&file, TODOS).expect("written");
    let (sink, _frames) = Sink::new();
    import::import(service, &[file.display().to_string()], &sink)
        .await
        .expect("imported");
    let listed = async |done: Option<bool>, from: Option<&str>, to: Option<&str>| {
        let asked = ShowParams {
            from: from.map(str::to_owned),
            to: to.map(str::to_owned),
            limit: Some(1),
            only: Only {
                done,
                ..Only::default()
            },
            ..ShowParams::default()
        };
        match show::reply(service, Topic::Tasks, &asked).await {
            Ok(Reply::Rows {
                rows: Rows::Tasks(rows),
                total: Some(total),
            }) => (rows.first().map(|row| row.title.clone()), total),
            other => panic!("{other:?}"),
        }
    };
    let day = Some("2026-01-12");
    // A task imported as completed at an unknown time was not completed today.
    let now = service.now().date().to_string();
    let now = Some(now.as_str());
    for (done, from, to, first, total) in [
        (None, None, None, Some("late"), 4),
        (Some(false), None, None, Some("late"), 3),
        (Some(false), None, Some("2026-01-11"), Some("late"), 1),
        (Some(false), day, day, Some("due"), 1),
        (Some(true), now, now, None, 0),
        (Some(true), None, None, Some("done"), 1),
        (Some(true), None, Some("2020-01-01"), None, 0),
        (Some(false), None, day, Some("late"), 2),
    ] {
        let found = listed(done, from, to).await;
        assert_eq!(
            found,
            (first.map(str::to_owned), total),
            "{done:?} {from:?} {to:?}"
        );
    }
}
