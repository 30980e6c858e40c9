//! What the tools for files promise.

use adjutant_domain::faults::ToolFault;
use adjutant_domain::source::Taint;
use adjutant_testkit::World;
use serde_json::json;
use std::fs;
use tempfile::TempDir;

use crate::testing::{fault, run, say};

struct Disk {
    world: World,
    open: TempDir,
    closed: TempDir,
}

fn disk() -> Disk {
    let (open, closed) = (
        TempDir::new().expect("a folder"),
        TempDir::new().expect("a folder"),
    );
    let write = |path: &str, text: &[u8]| {
        let path = open.path().join(path);
        fs::create_dir_all(path.parent().expect("a parent")).expect("a folder");
        fs::write(path, text).expect("a file");
    };
    write("notes.txt", b"The gate code is 4471.\nNothing else.");
    write("work/report.md", b"# Report\n\nBudget for March: 12 000.");
    write("work/photo.png", b"\x89PNG\0\0\0");
    write(".secret/key.txt", b"gate code");
    fs::write(closed.path().join("private.txt"), "gate code").expect("a file");
    let path = open.path().display().to_string();
    Disk {
        world: World::at("2026-01-14T10:00:00+01:00[Europe/Berlin]")
            .with_settings(|settings| settings.folders = vec![path]),
        open,
        closed,
    }
}

#[tokio::test]
async fn files_are_found_and_read() {
    let disk = disk();
    let world = &disk.world;
    let found = run(world, "file.search", json!({"text": "gate code"}))
        .await
        .expect("found");
    assert_eq!(
        found.answer.say,
        "notes.txt, line 1: The gate code is 4471."
    );
    assert_eq!(found.answer.output["count"], 1);
    assert_eq!(found.answer.taint, Taint::Tainted);
    let but = json!([{"extensions": ["png"]}, {"order": "name", "pick": "first"}]);
    let rest = run(world, "file.list", json!({"except": but}))
        .await
        .expect("listed");
    assert_eq!(rest.answer.output["total"], 1);
    assert_eq!(rest.answer.output["items"][0]["name"], "report.md");
    assert_eq!(
        say(
            world,
            "file.list",
            json!({"extensions": ["pdf"], "ask": "count"})
        )
        .await,
        "0 files of type pdf."
    );
    let listed = run(world, "file.list", json!({"folder": "work"}))
        .await
        .expect("listed");
    assert_eq!(listed.answer.output["total"], 2);
    let read = run(world, "file.read", json!({"path": "work/report.md"}))
        .await
        .expect("read");
    assert_eq!(
        read.answer.output["text"],
        "# Report\n\nBudget for March: 12 000."
    );
    let by_name = run(world, "file.read", json!({"target": {"name": "*.md"}}))
        .await
        .expect("read");
    assert_eq!(by_name.answer.output["path"], read.answer.output["path"]);
}

#[tokio::test]
async fn nothing_outside_the_open_folders_is_reached() {
    let disk = disk();
    let outside = disk.closed.path().join("private.txt");
    let mut paths = vec![
        outside.display().to_string(),
        "../private.txt".into(),
        "work/../../private.txt".into(),
        "/etc/passwd".into(),
        "notes.txt\0.png".into(),
        ".secret/key.txt".into(),
    ];
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink(&outside, disk.open.path().join("link.txt")).expect("a link");
        paths.push("link.txt".into());
    }
    for path in paths {
        let refused = fault(&disk.world, "file.read", json!({"path": path})).await;
        assert!(
            matches!(refused, ToolFault::NotAllowed { .. }),
            "{path}: {refused}"
        );
    }
    let found = run(&disk.world, "file.list", json!({"name": "link"}))
        .await
        .expect("listed");
    assert_eq!(found.answer.output["count"], 0, "links are not followed");
}

#[tokio::test]
async fn what_cannot_be_read_says_so() {
    let disk = disk();
    let binary = fault(&disk.world, "file.read", json!({"path": "work/photo.png"})).await;
    assert_eq!(binary.to_string(), "“photo.png” is not a text file.");
    let closed = World::at("2026-01-14T10:00:00+01:00[Europe/Berlin]");
    let none = fault(&closed, "file.list", json!({})).await;
    assert_eq!(none.to_string(), "No folder is open to Adjutant.");
}

#[tokio::test]
async fn what_was_not_searched_is_said() {
    let disk = disk();
    let long = "x".repeat(1_000_000) + "\nzebra\n";
    fs::write(disk.open.path().join("long.txt"), long).expect("a file");
    fs::write(disk.open.path().join("bytes.txt"), b"\0\0\0\0").expect("a file");
    let found = run(&disk.world, "file.search", json!({"text": "zebra"}))
        .await
        .expect("searched");
    assert_eq!(
        found.answer.say,
        "No files about “zebra”. One long file was searched up to the first megabyte only. Of 2 files that are not text, \
         only the names were looked at."
    );
    assert_eq!(found.answer.output["complete"], false);
    let found = run(
        &disk.world,
        "file.search",
        json!({"text": "gate", "name": "notes"}),
    )
    .await
    .expect("searched");
    assert_eq!(found.answer.output["complete"], true);
}

#[tokio::test]
async fn an_open_folder_that_is_not_there_is_not_passed_over() {
    let disk = disk();
    let open = disk.open.path().display().to_string();
    let world = World::at("2026-01-14T10:00:00+01:00[Europe/Berlin]").with_settings(|settings| {
        settings.folders = vec![open.clone(), "/nowhere/usb".into(), open];
    });
    let found = run(&world, "file.search", json!({"text": "zebra"}))
        .await
        .expect("searched");
    let usb = "The open folder “/nowhere/usb” is not there: connect the drive, or close it in Settings, Folders.";
    assert!(found.answer.say.contains(usb), "{}", found.answer.say);
    assert_eq!(found.answer.output["complete"], false);
    let listed = run(&world, "file.list", json!({})).await.expect("listed");
    assert_eq!(listed.answer.output["total"], 3, "each is one");
    assert_eq!(listed.answer.output["complete"], false);
    let none = fault(&world, "file.read", json!({"target": {"name": "zebra"}})).await;
    assert_eq!(
        none.to_string(),
        format!("No files called “zebra” were found. {usb}")
    );
    let inner = run(&world, "file.list", json!({"folder": "work"}))
        .await
        .expect("listed");
    assert_eq!(inner.answer.output["complete"], true);
}
