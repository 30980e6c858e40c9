//! Changes to what is there, said in passing: with a reason, as a permission, as a fact that a request refers to, in a hurry.

use std::sync::LazyLock;

use adjutant_domain::mentioned_name::MentionedName;
use adjutant_domain::moment::Moment;
use adjutant_domain::reading::{Planner as _, Router as _};
use adjutant_domain::record::Kind;
use adjutant_text::names::{Names, TimeSpan};

use crate::Embedded;
use crate::fixture::{MessageContext, named, rendered};

/// What the person has, by kind.
const THINGS: &[(Kind, &[&str])] = &[
    (
        Kind::Event,
        &[
            "Kiln training",
            "Pottery workshop",
            "Choir rehearsal",
            "Vendor sync",
            "Atlas launch",
            "Mira's birthday brunch",
            "Flea market",
            "Lunch with Hugo",
        ],
    ),
    (
        Kind::Task,
        &[
            "Find the parking ticket",
            "Book flat in Lisbon",
            "Send slides to Paul",
            "Renew library card",
        ],
    ),
    (Kind::Note, &["Atlas", "Packing list", "Garden plan"]),
    (
        Kind::Mail,
        &["Weekly bargains", "Where to park", "Offer from Ines"],
    ),
];

/// When what has a time is.
fn at(label: &str) -> Option<Moment> {
    let time = match label {
        "Flea market" => "2026-03-14T09:00",
        "Vendor sync" => "2026-03-12T09:00",
        "Choir rehearsal" => "2026-03-13T20:00",
        "Lunch with Hugo" => "2026-03-12T12:00",
        _ => return None,
    };
    let at = format!("{time}:00+01:00[Europe/Paris]");
    Some(Moment::At(at.parse().expect("a time")))
}

fn all() -> &'static [MentionedName] {
    static ALL: LazyLock<Vec<MentionedName>> = LazyLock::new(|| {
        let things = THINGS.iter().flat_map(|(kind, labels)| {
            labels.iter().map(|label| MentionedName {
                when: at(label),
                ..named(*kind, &label.to_lowercase().replace(' ', "-"), label)
            })
        });
        things.collect()
    });
    &ALL
}

/// The things whose names a message mentions, as the store finds them.
fn mentioned(text: &str) -> Vec<MentionedName> {
    let mut names = Names::default();
    for (place, named) in all().iter().enumerate() {
        let sort = named.record().map_or(0, |(kind, _)| kind as u8);
        names.put(place, sort, &named.label, TimeSpan::ALWAYS);
    }
    let found = names.find(text, 0, 40);
    found.iter().map(|one| all()[one.key].clone()).collect()
}

/// The steps of a message, said on a Wednesday at half past nine.
fn read(around: &MessageContext, text: &str) -> String {
    let names = mentioned(text);
    let said = adjutant_domain::reading::Utterance {
        names: &names,
        ..around.utterance(text)
    };
    rendered(&Embedded.plan(&said, &Embedded.route(&said)))
}

fn around() -> MessageContext {
    let mut around = MessageContext::new();
    for name in [
        "Ines Roth",
        "Paul Weiss",
        "Mira Sand",
        "Hugo Stern",
        "Kim Soto",
    ] {
        around.directive(&format!("person {name}"));
    }
    around
}

/// Checks that what comes of each line's message holds every part behind it; " | " stands between them.
fn check(table: &str) {
    let around = around();
    let mut wrong = Vec::new();
    for line in table.trim().lines() {
        let mut parts = line.split(" | ");
        let text = parts.next().unwrap_or("");
        let got = read(&around, text);
        if !parts.all(|part| got.contains(part)) {
            wrong.push(format!("{line}\n  got {got}"));
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

#[test]
fn a_reason_beside_a_request_is_no_part_of_it() {
    check(
        r#"
push kiln training to 3:30, clashes w/ vendor sync | calendar.update | "time":"15:30" | "summary_is":"Kiln training"
move the vendor sync to Thursday - it clashes with the launch | calendar.update | "start":"2026-03-12" | "summary_is":"Vendor sync"
Move lunch with Hugo to 1:30, same place | calendar.update | "time":"13:30" | "summary_is":"Lunch with Hugo"
those two overlap, so move the vendor sync to 4:30 | calendar.update | "time":"16:30" | "summary_is":"Vendor sync"
They clash, so push the kiln training to 4. | calendar.update | "time":"16:00" | "summary_is":"Kiln training"
The vendor sync and the kiln training overlap, so move the vendor sync to 4. | "time":"16:00" | "summary_is":"Vendor sync"
Since Hugo can't come, move the lunch with Hugo to Friday | calendar.update | "start":"2026-03-13" | "summary_is":"Lunch with Hugo"
archive all newsletters, they're driving me nuts | email.archive | "sort":"newsletter"
mark all my unread mail as read, that pile is getting on my nerves | email.mark | "read":true | "unread":true
Hugo is sick so cancel lunch with Hugo | calendar.delete | "summary_is":"Lunch with Hugo"
the tram is late so push the vendor sync by 20 minutes | calendar.update | "shift_minutes":20 | "summary_is":"Vendor sync"
cancel the pottery workshop, nobody signed up | calendar.delete | "summary_is":"Pottery workshop"
archive everything from Ines, I've dealt with it | email.archive | {"target":{"from":["Ines"],"pick":"all"}}
delete the weekly bargains mails, I never read them | email.delete | "subject_is":"Weekly bargains"
"#,
    );
}

#[test]
fn what_moves_by_a_length_keeps_its_kind_and_its_hour() {
    check(
        r#"
push lisbon flat task out a week | task.update | "shift_days":7
push the library card task back two days | task.update | "shift_days":2
Push the pottery workshop back by a week, same time. | calendar.update | "shift_days":7 | "summary_is":"Pottery workshop"
push out the vendor sync by a week | calendar.update | "shift_days":7 | "summary_is":"Vendor sync"
move up the vendor sync by an hour | calendar.update | "shift_minutes":-60
choir rehearsal slips to Thursday | calendar.update | "start":"2026-03-12" | "summary_is":"Choir rehearsal"
the pottery workshop got pushed to Saturday | calendar.update | "start":"2026-03-14"
"#,
    );
}

#[test]
fn several_mistyped_words_are_read_where_a_name_is_known() {
    check(
        r#"
mvoe vendor snyc to thurs same tiem | calendar.update | "start":"2026-03-12" | "summary_is":"Vendor sync"
cancle the choir rehersal | calendar.delete | "summary_is":"Choir rehearsal"
mvoe pottery workhsop to tommorow at 3 | calendar.update | "start":"2026-03-12T15:00:00" | "summary_is":"Pottery workshop"
"#,
    );
}

#[test]
fn an_hour_that_is_too_early_is_changed() {
    check(
        r#"
9 is way too early for the flea market, make it 11 | calendar.update | "time":"11:00" | "summary_is":"Flea market"
noon is too early for lunch with Hugo, make it 1 | calendar.update | "time":"13:00" | "summary_is":"Lunch with Hugo"
9am is a bit too early for the vendor sync, can we do 10 instead | calendar.update | "time":"10:00" | "summary_is":"Vendor sync"
8 is too late for the choir rehearsal, make it 7 | calendar.update | "time":"19:00" | "summary_is":"Choir rehearsal"
the vendor sync is too early, make it 11 | calendar.update | "time":"11:00"
10 is too early for the vendor sync, move it to 11 | calendar.update | "time":"11:00" | "summary_is":"Vendor sync"
"#,
    );
}

#[test]
fn a_fact_is_entered_where_a_request_refers_to_it() {
    check(
        r#"
Mira's birthday brunch is at The Copper Kettle now, can you fix that for me | calendar.update | "location":"The Copper Kettle" | "summary_is":"Mira's birthday brunch"
the pottery workshop is in room 4 now, please update it | "location":"room 4" | "summary_is":"Pottery workshop"
The choir rehearsal has been moved to the town hall. Please correct the entry. | calendar.update | "location":"the town hall"
the flea market starts at 10 now, fix that please | calendar.update | "time":"10:00"
found the parking ticket, finally!! you can tick that off | task.complete | "text":"parking ticket"
I have now sent the slides to Paul, so you may cross that task off my list. | task.complete | slides
renewed my library card, you can check that off now | task.complete | "text":"library card"
Renewing the library card can wait, set that task to low priority. | task.update | "priority":"low" | "title_is":"Renew library card"
the slides for Paul can wait, move that to Friday | task.update | "due":"2026-03-13"
Kim has a second email address, kim@soto.example. Please add it to her contact. | contact.update | "add_emails":["kim@soto.example"] | "name":"Kim"
Hugo's got another email: hugo@stern.example, add it please | contact.update | "add_emails":["hugo@stern.example"]
Paul's new cell is 555 0134, update his contact please | contact.update | "phone":"555 0134"
"#,
    );
}

#[test]
fn a_permission_is_a_request() {
    check(
        r#"
You may throw away the weekly bargains mails that came in February. | email.delete | "since":"2026-02-01" | "subject_is":"Weekly bargains"
you can archive that mail from Ines now | email.archive | {"target":{"from":["Ines"],"pick":"one"}}
feel free to cancel the choir rehearsal | calendar.delete | "summary_is":"Choir rehearsal"
you're welcome to archive the newsletters | email.archive | "sort":"newsletter"
it's ok to delete the flea market | calendar.delete | "summary_is":"Flea market"
"#,
    );
}

#[test]
fn words_are_added_to_what_is_there() {
    check(
        r#"
In the calendar entry for the pottery workshop, add that Kim will join by video. | calendar.update | "add_description":"Kim will join by video
add to the pottery workshop that Kim brings the clay | calendar.update | "add_description":"Kim brings the clay
add a note to the vendor sync: bring the samples | calendar.update | "add_description":"bring the samples
add "bring the samples" to the vendor sync | calendar.update | "add_description":"bring the samples
garden plan note: add that the roses need water | note.append | the roses need water
"#,
    );
}

#[test]
fn what_is_told_anew_takes_the_place_of_what_was_told() {
    check(
        r#"
rmbr kim hates tables in slides | memory.store | tables in slides
actually Paul's got the spare key now | memory.store | "key":"spare key" | "value":"with Paul"
the spare key is with Kim now | memory.store | "key":"spare key" | Kim
actually the wifi password is hunter3 now | memory.store | "key":"wifi password" | "value":"hunter3"
"#,
    );
    // What somebody does now is no event.
    let got = read(&around(), "Kim lives in Oslo now");
    assert!(!got.contains("calendar.create"), "{got}");
}

#[test]
fn a_series_ends_from_a_day_on() {
    check(
        r#"
cancel the vendor sync from June on | calendar.delete | "scope":"following" | "from":"2026-06-01" | "summary_is":"Vendor sync"
stop the choir rehearsal after May | calendar.delete | "scope":"following" | "from":"2026-06-01"
take the choir rehearsal off my calendar from April onwards | calendar.delete | "scope":"following" | "from":"2026-04-01"
I shall no longer be taking part in the vendor sync. Would you please remove it from my calendar from June onwards? | calendar.delete | "scope":"following" | "from":"2026-06-01" | "summary_is":"Vendor sync"
"#,
    );
}

#[test]
fn a_change_says_how_much_of_a_series_it_means() {
    check(
        r#"
cancel the vendor sync on the 16th only | calendar.delete | "from":"2026-03-16" | "to":"2026-03-17"
move the vendor sync to 10am from next week on | calendar.update | "scope":"following" | "time":"10:00" | "from":"2026-03-16"
move the vendor sync to 10am only this once | calendar.update | "scope":"this" | "time":"10:00"
rename the vendor sync to Weekly, the whole series | calendar.update | "scope":"series" | "summary":"Weekly"
delete the vendor sync series | calendar.delete | "scope":"series"
end the vendor sync series after April | calendar.delete | "scope":"following" | "from":"2026-05-01"
make the vendor sync every other Thursday instead | calendar.update | INTERVAL=2 | BYDAY=TH
"#,
    );
}

#[test]
fn a_slip_is_told_and_undone() {
    for text in [
        "I am afraid that was the wrong weekend. Would you please undo it?",
        "wrong day, undo that",
        "oops wrong one, take it back",
        "I got the date wrong, undo",
    ] {
        assert_eq!(read(&around(), text), "  undo\n", "{text}");
    }
}

#[test]
fn a_stranger_of_the_last_message_is_added() {
    let mut around = around();
    around.directive("said do I have a contact for Lena Marsh?");
    let got = read(
        &around,
        "Then add her, please: lena.m@bright.example, she's at Brightpath.",
    );
    for part in [
        "contact.create",
        "Lena Marsh",
        "lena.m@bright.example",
        "Brightpath",
    ] {
        assert!(got.contains(part), "{got}");
    }
}
