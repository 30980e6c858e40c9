//! What the tools for notes promise.

use adjutant_testkit::{World, make};
use serde_json::json;

use crate::testing::{check, run, say};

/// Wednesday, 14 January 2026, 10:00 in Berlin.
fn world() -> World {
    let mut shopping = make::note("note_shop", "Shopping list", "- milk\n- bread");
    shopping.tags = vec!["home".into()];
    shopping.updated = "2026-01-13T09:00:00Z".parse().expect("an instant");
    World::at("2026-01-14T10:00:00+01:00[Europe/Berlin]")
        .with(shopping)
        .with(make::note(
            "note_shop2",
            "Shopping list for Lisbon",
            "- sun cream",
        ))
        .with(make::note(
            "note_gate",
            "Garden",
            "The gate code is 4471.\nAsk Mara about roses.",
        ))
}

#[tokio::test]
async fn notes_are_written_found_and_changed() {
    check(
        world,
        &[
            (
                "note.create",
                json!({"body": "# Trip ideas\nPorto"}),
                "Noted: “Trip ideas”.",
            ),
            (
                "note.create",
                json!({}),
                "! A note needs a title or some text.",
            ),
            (
                "note.list",
                json!({"tag": "home"}),
                "Shopping list · Tue 13 Jan, 10:00 · home.",
            ),
            (
                "note.list",
                json!({"ask": "any", "text": "unicorn"}),
                "No, there are no notes about “unicorn”.",
            ),
            (
                "note.search",
                json!({"text": "gate code"}),
                "Garden: The gate code is 4471.",
            ),
            (
                "note.read",
                json!({"target": {"title": "shopping list"}}),
                "**Shopping list**\n\n- milk\n- bread",
            ),
            (
                "note.append",
                json!({"title": "shopping list", "text": "eggs"}),
                "Added to “Shopping list”: eggs.",
            ),
            (
                "note.append",
                json!({"title": "shopping list", "text": "eggs and tea", "items": ["eggs", "tea"]}),
                "Added to “Shopping list”: eggs and tea.",
            ),
            (
                "note.update",
                json!({"target": {"title_is": "shopping list"}, "changes": {"remove_lines": ["milk"]}}),
                "“Shopping list” no longer has milk.",
            ),
            (
                "note.update",
                json!({"target": {"title_is": "shopping list"}, "changes": {"check": ["rice"]}}),
                "! There is no “rice” in the note “Shopping list”.",
            ),
            (
                "note.list",
                json!({"text": "gate code", "ask": "text"}),
                "**Garden**\n\nThe gate code is 4471.\nAsk Mara about roses.",
            ),
            (
                "note.append",
                json!({"title": "packing", "text": "socks"}),
                "! There are no notes called “packing”.",
            ),
            (
                "note.append",
                json!({"title": "packing", "text": "socks", "create": true}),
                "Noted: “packing”.",
            ),
            (
                "note.update",
                json!({"id": "note_gate", "changes": {"title": "Yard", "add_tags": ["home"]}}),
                "“Garden” is now “Yard” and is labelled home.",
            ),
            (
                "note.delete",
                json!({"target": {"text": "lisbon"}}),
                "Deleted the note “Shopping list for Lisbon”.",
            ),
        ],
    )
    .await;
}

#[tokio::test]
async fn what_is_added_stands_at_the_end_and_the_deletion_asks() {
    let world = world();
    say(
        &world,
        "note.append",
        json!({"title": "shopping list", "text": "eggs"}),
    )
    .await;
    let read = run(&world, "note.read", json!({"id": "note_shop"}))
        .await
        .expect("read");
    assert_eq!(read.answer.output["body"], "- milk\n- bread\n- eggs");
    let ran = run(&world, "note.delete", json!({"id": "note_shop"}))
        .await
        .expect("deleted");
    assert!(ran.asked);
    assert!(
        !run(&world, "note.create", json!({"title": "x"}))
            .await
            .expect("made")
            .asked
    );
}
