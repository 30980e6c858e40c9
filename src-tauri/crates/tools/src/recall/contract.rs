//! What looking everywhere promises.

use adjutant_domain::record::Folder;
use adjutant_testkit::{World, make};
use serde_json::json;

use crate::testing::{check, run};

fn world() -> World {
    let mail = |id: &str, subject: &str, text: &str| {
        make::mail(
            id,
            "Ana Lopez <ana@home.example>",
            subject,
            "2026-01-10T08:00:00Z",
            text,
        )
    };
    let mut gone = mail("mail_gone", "Boiler", "The boiler cost 900 euros.");
    gone.folder = Folder::Trash;
    let mut past = make::memory("mem_past", "bike lock", "1111");
    past.valid_to = "2026-01-01T00:00:00Z".parse().ok();
    World::at("2026-01-14T10:00:00+01:00[Europe/Berlin]")
        .with(mail(
            "mail_boiler",
            "Invoice",
            "Hello. The boiler service cost 140 euros. See you!",
        ))
        .with(mail(
            "mail_hall",
            "The hall",
            "The hall is booked. Code 7731, parking behind it.",
        ))
        .with(gone)
        .with(past)
        .with(make::note(
            "note_pie",
            "Apple pie",
            "Six apples, butter.\nBake for an hour.",
        ))
        .with(make::memory("mem_lock", "bike lock", "4411"))
        .with(make::event(
            "ev_trip",
            "Ferry to Oslo",
            "2026-02-15T10:00:00+01:00[Europe/Berlin]",
            "2026-02-15T11:00:00+01:00[Europe/Berlin]",
            &[],
        ))
}

#[tokio::test]
async fn the_passage_that_answers_is_said_with_where_it_stands() {
    check(
        world,
        &[
            (
                "recall.search",
                json!({"text": "how much was the boiler service", "ask": "figure"}),
                "“The boiler service cost 140 euros.” (mail “Invoice” from Ana Lopez, Sat 10 Jan)",
            ),
            (
                "recall.search",
                json!({"text": "code hall", "ask": "figure"}),
                "“The hall is booked. Code 7731, parking behind it.” (mail “The hall” from Ana Lopez, Sat 10 Jan)",
            ),
            (
                "recall.search",
                json!({"text": "bike lock"}),
                "bike lock: 4411.",
            ),
            (
                "recall.search",
                json!({"text": "go Oslo", "ask": "figure"}),
                "Ferry to Oslo, Sun 15 Feb, 10:00–11:00 (calendar)",
            ),
            (
                "recall.search",
                json!({"text": "apple pie", "ask": "text"}),
                "**Note “Apple pie”**\n\nSix apples, butter.\nBake for an hour.",
            ),
            (
                "recall.search",
                json!({"text": "unicorn"}),
                "I found nothing about “unicorn” in your mail, notes, calendar, tasks, contacts, open folders and what you told me.",
            ),
            ("recall.search", json!({"text": "what is it"}), "! Say what to look for."),
        ],
    )
    .await;
}

#[tokio::test]
async fn text_of_others_taints_the_answer_and_what_is_only_near_is_said_to_be() {
    let world = world();
    let ran = run(
        &world,
        "recall.search",
        json!({"text": "boiler service cost"}),
    )
    .await;
    let answer = ran.expect("found").answer;
    assert_eq!(answer.taint, adjutant_domain::source::Taint::Tainted);
    assert_eq!(answer.output["items"][0]["kind"], "mail");
    let ran = run(
        &world,
        "recall.search",
        json!({"text": "boiler service Paris"}),
    )
    .await;
    let say = ran.expect("found").answer.say;
    assert!(say.starts_with("Nothing matches all of"), "{say}");
}

#[tokio::test]
async fn a_list_that_finds_no_such_name_names_what_comes_closest() {
    check(
        world,
        &[
            (
                "calendar.list",
                json!({"text": "Oslo flight"}),
                "No events called “Oslo flight”. The closest: Ferry to Oslo, Sun 15 Feb, 10:00–11:00 (calendar)",
            ),
            (
                "task.list",
                json!({"text": "walrus"}),
                "No open tasks about “walrus”.",
            ),
        ],
    )
    .await;
}
