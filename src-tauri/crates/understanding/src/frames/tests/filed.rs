//! Where things are filed and kept: folders of one's own, calendars by name, lists that are emptied, and what waits.

use adjutant_domain::account::CollectionKind;
use adjutant_domain::mentioned_name::{MentionedName, NameOf};
use adjutant_domain::reading::{Planner as _, Router as _, Utterance};
use adjutant_domain::source::Taint;

use crate::Embedded;
use crate::fixture::{MessageContext, rendered};

/// Checks that each request is read as one step that contains a text, with a calendar and a mailbox of one's own.
fn check(table: &[(&str, &str)]) {
    let mut around = MessageContext::new();
    around.directive("person Ana Ruiz");
    let names = [
        (CollectionKind::Calendar, "Work"),
        (CollectionKind::Mailbox, "Travel 2026"),
    ];
    let names = names.map(|(kind, label)| MentionedName {
        of: NameOf::Collection {
            kind,
            id: format!("col_{label}").into(),
        },
        label: label.to_owned(),
        when: None,
        taint: Taint::Clean,
    });
    let mut wrong = Vec::new();
    for (request, part) in table {
        let said = Utterance {
            names: &names,
            ..around.utterance(request)
        };
        let got = rendered(&Embedded.plan(&said, &Embedded.route(&said)));
        if !got.contains(part) || got.lines().count() > 1 {
            wrong.push(format!("{request}\n  wanted {part}\n  got    {got}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_mail_is_moved_to_a_folder_of_ones_own() {
    check(&[
        (
            "file the mail from Ana under Travel",
            "\"folder\":\"Travel 2026\"",
        ),
        ("file the mail from Ana under Travel", "email.archive"),
        (
            "put the mail from Ana in the Receipts folder",
            "\"folder\":\"Receipts\"",
        ),
        // Every mailbox has these.
        (
            "move the mail from Ana to the archive folder",
            "email.archive",
        ),
        ("move the mail from Ana to junk", "\"into\":\"junk\""),
    ]);
}

#[test]
fn a_calendar_is_named_by_its_name() {
    check(&[
        ("my work calendar this week", "\"calendar\":\"Work\""),
        (
            "what's on my work calendar tomorrow",
            "\"calendar\":\"Work\"",
        ),
        (
            "show me my work calendar for friday",
            "\"calendar\":\"Work\"",
        ),
    ]);
}

#[test]
fn what_a_mail_is_about_is_no_day() {
    check(&[
        ("mail from Ana about Christmas", "\"text\":\"Christmas\""),
        ("mail from Ana about Christmas", "\"from\":[\"Ana\"]"),
        ("was my reply to Ana sent?", "\"folder\":\"sent\""),
        ("did my email to Ana go out", "\"to\":[\"Ana\"]"),
    ]);
}

#[test]
fn a_list_is_emptied_without_being_deleted() {
    check(&[
        ("clear the shopping list", "note.update"),
        ("clear the shopping list", "\"body\":\"\""),
        ("take everything off my packing list", "\"body\":\"\""),
        ("delete the shopping list", "note.delete"),
    ]);
}

#[test]
fn what_waits_is_told_by_the_engine() {
    check(&[
        ("what is waiting for me?", "= {waiting}"),
        ("anything waiting for my approval", "= {waiting}"),
    ]);
}
