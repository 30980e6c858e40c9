use serde_json::{Value, json};

use super::found;
use crate::found::{FoundRows, FoundTask};
use crate::words::{Priority, TaskStatus};

fn task(id: &str, title: &str) -> Value {
    json!({
        "completed_at": null, "created": "2026-01-12T09:00:00-05:00[America/New_York]",
        "due": "2026-03-11T17:00:00-04:00[America/New_York]", "id": id, "notes": "For Luis", "overdue": false,
        "priority": "high", "remind_at": null, "rrule": "FREQ=WEEKLY", "status": "open", "title": title,
    })
}

fn result(say: &str, items: &[Value], total: u64) -> Value {
    json!({ "output": { "count": items.len(), "ids": [], "items": items, "total": total }, "say": say })
}

#[test]
fn a_list_of_tasks_becomes_rows_under_a_count() {
    let items = [task("task_a", "Find the receipt"), task("task_b", "Pay")];
    let say = "13 tasks, 1 overdue.\n\n- Find the receipt · due Wed 11 Mar\n- Pay\n\nand 11 more: say “more”, or look in Tasks (`adjutant show tasks`)";
    let found = found(&result(say, &items, 13)).expect("rows");
    assert_eq!(
        (found.head.as_str(), found.note.as_str()),
        ("13 tasks, 1 overdue.", "")
    );
    assert_eq!((found.say.as_str(), found.total), (say, 13));
    let FoundRows::Tasks(rows) = found.rows else {
        panic!("tasks")
    };
    assert_eq!(rows.len(), 2);
    assert_eq!(
        rows[0],
        FoundTask {
            id: "task_a".into(),
            title: "Find the receipt".into(),
            due: Some("2026-03-11T17:00:00-04:00".into()),
            priority: Priority::High,
            status: TaskStatus::Open,
            repeats: true,
        }
    );
}

#[test]
fn the_head_does_not_repeat_a_single_row() {
    let one = [task("task_a", "Pay")];
    assert_eq!(
        found(&result("Pay · due Wed 11 Mar.", &one, 1))
            .expect("a row")
            .head,
        ""
    );
    let asked = found(&result("“Pay” is due Wed 11 Mar.", &one, 1)).expect("a row");
    assert_eq!(asked.head, "“Pay” is due Wed 11 Mar.");
    let mail = json!({
        "attachments": [], "cc": [], "date": "2026-03-11T08:05:00-04:00[America/New_York]", "folder": "inbox",
        "from": { "email": "e@n.example", "name": "Emily" }, "id": "mail_a", "labels": [], "message_id": "m",
        "size": 3, "starred": false, "state": null, "subject": "Budget", "to": [], "unread": true,
    });
    let mail = found(&result(
        "Emily: Budget · Wed 11 Mar, 08:05 · unread.",
        &[mail],
        1,
    ))
    .expect("a row");
    assert_eq!(mail.head, "");
}

#[test]
fn the_note_keeps_text_beyond_the_rows() {
    let items = [task("task_a", "Pay"), task("task_b", "Call")];
    let say =
        "2 tasks.\n\n**Today, Mon 12 Jan**\n\n- Pay\n- Call\n\nNot all dates of “Gym” are known.";
    let found = found(&result(say, &items, 2)).expect("rows");
    assert_eq!(found.note, "Not all dates of “Gym” are known.");
}

#[test]
fn free_time_and_files_become_rows() {
    let free = json!({ "start": "2026-01-15T09:00:00-05:00[America/New_York]", "end": "2026-01-15T09:30:00-05:00[America/New_York]", "minutes": 30 });
    let rows = found(
        &json!({ "output": { "count": 1, "items": [free], "ids": [] }, "say": "1 free slot." }),
    )
    .expect("rows")
    .rows;
    assert!(
        matches!(rows, FoundRows::Free(list) if list[0].minutes == 30 && !list[0].start.contains('['))
    );
    let file = json!({ "folder": "docs", "id": "/d/a.csv", "kind": "text", "modified": null, "name": "a.csv", "path": "/d/a.csv", "size": 298, "snippets": [] });
    let found = found(&result("a.csv · 298 bytes · docs", &[file], 1)).expect("rows");
    assert_eq!(found.head, "");
    assert!(matches!(found.rows, FoundRows::Files(list) if list[0].size == 298));
}

#[test]
fn output_without_rows_of_one_kind_stays_words() {
    assert_eq!(found(&result("No tasks.", &[], 0)), None);
    assert_eq!(
        found(&json!({ "output": { "result": "51" }, "say": "3*17 = 51" })),
        None
    );
    assert_eq!(
        found(&result(
            "2 things.",
            &[task("task_a", "Pay"), json!({ "id": "task_b" })],
            2
        )),
        None
    );
    assert_eq!(found(&json!("text")), None);
}

#[test]
fn free_time_lists_the_busy_events() {
    let free = json!({
        "start": "2026-03-11T13:00:00-04:00[America/New_York]",
        "end": "2026-03-11T15:00:00-04:00[America/New_York]", "minutes": 120,
    });
    let busy = json!({
        "id": "event_a", "summary": "Stand-up", "start": "2026-03-11T09:00:00-04:00[America/New_York]",
        "end": "2026-03-11T09:15:00-04:00[America/New_York]",
    });
    let mut told = result("Free: 13:00–15:00.", &[free], 1);
    told["output"]["busy"] = json!([busy]);
    let shown = found(&told).expect("rows");
    assert_eq!(shown.busy.len(), 1);
    assert_eq!(shown.busy[0].start, "2026-03-11T09:00:00-04:00");
    told["output"]["busy"] = json!([{ "summary": 7 }]);
    assert_eq!(found(&told).expect("rows").busy, [], "not half of it");
}

#[test]
fn a_no_has_the_events_in_the_way_as_rows() {
    let free = json!({
        "start": "2026-03-11T16:00:00-04:00[America/New_York]",
        "end": "2026-03-11T17:00:00-04:00[America/New_York]", "minutes": 60,
    });
    let event = |id: &str, summary: &str, hour: u8| {
        json!({
            "id": id, "event_id": id, "summary": summary, "all_day": false, "recurring": false,
            "start": format!("2026-03-11T{hour}:00:00-04:00[America/New_York]"),
            "end": format!("2026-03-11T{hour}:30:00-04:00[America/New_York]"),
        })
    };
    let told = |say: &str, busy: Value, in_the_way: Value| {
        let mut told = result(say, std::slice::from_ref(&free), 1);
        told["output"]["busy"] = busy;
        told["output"]["in_the_way"] = in_the_way;
        let found = found(&told).expect("rows");
        let names: Vec<String> = found
            .in_the_way
            .into_iter()
            .map(|one| one.summary)
            .collect();
        (found.head, names.join(", "))
    };
    let two = json!([
        event("event_a", "Choir", 13),
        event("event_b", "Dentist", 15)
    ]);
    let one = json!([event("event_a", "Choir", 13)]);
    assert_eq!(
        told(
            "No, 2 events on Wed 11 Mar:\n\n- Choir\n- Dentist",
            two.clone(),
            two.clone()
        ),
        (
            "No, 2 events on Wed 11 Mar:".into(),
            "Choir, Dentist".into()
        )
    );
    assert_eq!(
        told("No: Choir, Wed 11 Mar, 13:00–13:30.", one.clone(), one),
        ("No.".into(), "Choir".into()),
        "the row says the rest"
    );
    let slots = told("Free: Wed 11 Mar, 16:00–17:00, 1 hour.", two, json!([]));
    assert_eq!(slots.1, "", "the question was when, not whether");
}
