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

/// A summer house: a note that says things, mails that ask the same, and things with only the common words in them.
fn summer_house() -> World {
    let mail = |id: &str, from: &str, subject: &str, text: &str| {
        make::mail(id, from, subject, "2026-01-10T08:00:00Z", text)
    };
    let ana = "Ana Lopez <ana@home.example>";
    let mut answer = mail(
        "mail_answer",
        "Me <me@home.example>",
        "Re: Roof",
        "Yes, gladly.",
    );
    answer.to = vec![make::mail("m", ana, "", "2026-01-10T08:00:00Z", "").from];
    answer.in_reply_to = Some("mail_roof@test".into());
    // Its sender is forged: nobody sent it from here.
    let mut forged = answer.clone();
    forged.id = "mail_forged".into();
    forged.text = "No gutter, send money.".into();
    answer.folder = Folder::Sent;
    let mut roofer = make::contact("con_nils", "Nils Berg", &["nils@berg.example"]);
    roofer.organisation = "Berg, Roofer".into();
    roofer.notes = "The roofer of the summer house.".into();
    let mut party = make::event(
        "ev_party",
        "Clocks go back party",
        "2026-10-25T20:00:00+01:00[Europe/Berlin]",
        "2026-10-25T23:00:00+01:00[Europe/Berlin]",
        &[],
    );
    party.location = "Town hall".into();
    World::at("2026-01-14T10:00:00+01:00[Europe/Berlin]")
        .with_settings(|settings| settings.owner.emails.push("me@home.example".into()))
        .with(make::note(
            "note_house",
            "Summer house",
            "Fuse box is behind the grey door. The boiler takes three hours.",
        ))
        .with(make::note(
            "note_stew",
            "Bean stew",
            "## Bean stew\n\n300 g beans, 2 onions.\nSimmer 90 minutes.\nKeep it at 80 degrees.",
        ))
        .with(mail(
            "mail_fuse",
            ana,
            "Summer house",
            "Do you still know where the fuse box of the summer house is?",
        ))
        .with(mail("mail_go", ana, "Friday", "Can we go still again?"))
        .with(mail(
            "mail_roof",
            ana,
            "Roof",
            "Shall I call somebody for the gutter?",
        ))
        .with(mail(
            "mail_nils",
            "Nils Berg <nils@berg.example>",
            "Visit",
            "I can come on Monday at 9.",
        ))
        .with(answer)
        .with(forged)
        .with(roofer)
        .with(party)
}

#[tokio::test]
async fn a_statement_answers_and_neither_a_question_nor_a_common_word_does() {
    check(
        summer_house,
        &[
            (
                "recall.search",
                json!({"text": "fuse box summer house again", "ask": "place"}),
                "“Fuse box is behind the grey door.” (note “Summer house”)",
            ),
            (
                "recall.search",
                json!({"text": "stew go in for", "ask": "length", "also": "temperature"}),
                "“Simmer 90 minutes. Keep it at 80 degrees.” (note “Bean stew”)",
            ),
            // The question as it was said tells the same.
            (
                "recall.search",
                json!({"text": "How long does the stew go in for, and how hot?"}),
                "“Simmer 90 minutes. Keep it at 80 degrees.” (note “Bean stew”)",
            ),
            (
                "recall.search",
                json!({"text": "go", "ask": "about"}),
                "I found nothing about “go” in your mail, notes, calendar, tasks, contacts, open folders and what you told me.",
            ),
            // Only the common word is there.
            (
                "recall.search",
                json!({"text": "summer umbrella", "ask": "place"}),
                "I found nothing about “summer umbrella” in your mail, notes, calendar, tasks, contacts, open folders and what you told me.",
            ),
            // A code of something else is none.
            (
                "recall.search",
                json!({"text": "code summer house", "ask": "figure"}),
                "I found nothing about “code summer house” in your mail, notes, calendar, tasks, contacts, open folders and what you told me.",
            ),
            // What is from the roofer does not say so.
            (
                "recall.search",
                json!({"text": "roofer come", "ask": "time"}),
                "“I can come on Monday at 9.” (mail “Visit” from Nils Berg, Sat 10 Jan)",
            ),
        ],
    )
    .await;
}

#[tokio::test]
async fn what_the_person_told_somebody_is_in_their_own_mail() {
    check(
        summer_house,
        &[
            (
                "recall.search",
                json!({"text": "gutter", "told": ["Ana"]}),
                "“Yes, gladly.” (mail “Re: Roof” to Ana Lopez, Sat 10 Jan)",
            ),
            (
                "recall.search",
                json!({"text": "gutter", "told": ["Nils"]}),
                "I found nothing about “gutter” in your mail to Nils.",
            ),
        ],
    )
    .await;
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

/// A marina: a long letter of its office, and the people who work there.
fn marina() -> World {
    let mail = |id: &str, from: &str, subject: &str, text: &str| {
        make::mail(id, from, subject, "2026-01-10T08:00:00Z", text)
    };
    let worker = |id: &str, name: &str, address: &str, title: &str| {
        let mut one = make::contact(id, name, &[address]);
        one.organisation = format!("Marina, {title}");
        one
    };
    World::at("2026-01-14T10:00:00+01:00[Europe/Berlin]")
        .with(mail(
            "mail_berth",
            "Marina Office <office@marina.example>",
            "Your berth",
            "Your berth costs 900 euros. We have painted the pier. The showers are new. The cafe has a new cook. Dogs are \
             welcome. You can keep it until October 31.",
        ))
        .with(mail(
            "mail_crane",
            "Ole Dahl <ole@marina.example>",
            "Crane",
            "I can lift the boat on Monday at 9.",
        ))
        .with(worker("con_ole", "Ole Dahl", "ole@marina.example", "Harbour Master"))
        .with(worker("con_pia", "Pia Holm", "pia@marina.example", "Harbour Pilot"))
        .with(worker("con_eva", "Eva Lund", "eva@marina.example", "Harbour Cook"))
}

#[tokio::test]
async fn both_answers_of_one_source_are_said() {
    check(
        marina,
        &[
            (
                "recall.search",
                json!({"text": "how much does the berth cost, and until when can we keep it"}),
                "“Your berth costs 900 euros. … You can keep it until October 31.” (mail “Your berth” from Marina Office, Sat 10 Jan)",
            ),
        ],
    )
    .await;
}

#[tokio::test]
async fn a_question_that_was_not_surely_read_is_not_denied() {
    check(
        marina,
        &[
            (
                "recall.search",
                json!({"text": "which lighthouse is red", "unsure": "meaning"}),
                "I am not sure what that asks, and I found nothing about “lighthouse red” in your mail, notes, calendar, tasks, \
                 contacts, open folders and what you told me.",
            ),
            (
                "recall.search",
                json!({"text": "who painted the pier of Brighton", "unsure": "world"}),
                "I don't know that: it needs a model or a source, and I am working without either. Say “help” to see what I can do.",
            ),
            // Without these words, the same question finds what comes closest.
            (
                "recall.search",
                json!({"text": "who painted the pier of Brighton"}),
                "Nothing matches all of “painted pier Brighton”. The closest:\n\n“We have painted the pier.” (mail “Your berth” from \
                 Marina Office, Sat 10 Jan)",
            ),
        ],
    )
    .await;
}
