//! Tests of two processes on one profile, and of profiles that cannot be used normally.

use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Output};

use super::{NOW, code, errors, holding, list, run};

#[test]
fn a_second_process_works_through_the_first() {
    let home = tempfile::tempdir().expect("a folder");
    let home = home.path();
    let (mut holder, mut typing, mut said) = holding(home);

    assert_eq!(
        list(&run(home, &["--now", NOW, "--json", "show", "tasks"])).len(),
        1
    );
    assert_eq!(
        code(&run(
            home,
            &["--now", NOW, "ask", "add a task to buy bread"]
        )),
        0
    );
    let other_clock = run(
        home,
        &[
            "--now",
            "2026-02-12T09:00:00+01:00[Europe/Paris]",
            "show",
            "tasks",
        ],
    );
    assert_eq!(code(&other_clock), 2, "{}", errors(&other_clock));
    assert!(
        errors(&other_clock).contains("--now"),
        "{}",
        errors(&other_clock)
    );
    assert_eq!(
        code(&run(home, &["--now", NOW, "--offline", "show", "tasks"])),
        2
    );

    writeln!(typing, "what are my tasks?").expect("typed");
    let answer = said
        .by_ref()
        .map_while(Result::ok)
        .find(|line| line.contains("\"event\":\"done\""))
        .expect("an answer");
    assert!(
        answer.contains("bread"),
        "the holder sees what its client did: {answer}"
    );
    drop(typing);
    assert!(holder.wait().expect("it ends").success());
}

#[test]
fn explains_a_folder_that_cannot_be_created() {
    let home = tempfile::tempdir().expect("a folder");
    let file = home.path().join("file");
    std::fs::write(&file, "x").expect("a file");
    let output = run(&file, &["show", "tasks"]);
    assert_eq!(code(&output), 1);
    assert!(
        errors(&output).contains("--home"),
        "it says what to do next: {}",
        errors(&output)
    );
}

#[test]
fn refuses_a_newer_profile_unchanged() {
    let home = tempfile::tempdir().expect("a folder");
    assert_eq!(code(&run(home.path(), &["show", "tasks"])), 0);
    let database = home.path().join("profiles/default/adjutant.db");
    let bytes = std::fs::read(&database).expect("the database");
    // Bytes 60 to 63 of a SQLite file are the user version, which counts migrations.
    let mut newer = bytes;
    newer[60..64].copy_from_slice(&9999_u32.to_be_bytes());
    std::fs::write(&database, &newer).expect("written");
    let output = run(home.path(), &["show", "tasks"]);
    assert_eq!(code(&output), 1);
    assert!(errors(&output).contains("newer"), "{}", errors(&output));
    assert_eq!(
        std::fs::read(&database).expect("the database"),
        newer,
        "it was not touched"
    );
}

#[test]
fn explains_a_damaged_database() {
    let home = tempfile::tempdir().expect("a folder");
    assert_eq!(code(&run(home.path(), &["show", "tasks"])), 0);
    let database = home.path().join("profiles/default/adjutant.db");
    std::fs::write(
        &database,
        b"this is no database, but it is long enough to look like a file of some kind or other",
    )
    .expect("written");
    let output = run(home.path(), &["show", "tasks"]);
    assert_eq!(code(&output), 1);
    assert!(
        !errors(&output).is_empty() && !errors(&output).contains("panicked"),
        "{}",
        errors(&output)
    );
}

/// Runs `adjutant` as a user who may not write to `home`: not root, whom nothing can be forbidden. `None` if that is
/// impossible.
fn unprivileged(home: &Path, args: &[&str]) -> Option<Output> {
    let mut command = Command::new("setpriv");
    command.args(["--reuid=65534", "--regid=65534", "--clear-groups"]);
    let mine = std::fs::metadata(home).is_ok_and(|found| {
        use std::os::unix::fs::MetadataExt as _;
        found.uid() != 0
    });
    if mine {
        command = Command::new("env");
    }
    command
        .arg(home.join("program"))
        .arg("--home")
        .arg(home)
        .args(args)
        .env_remove("RUST_LOG")
        .env_remove("ADJUTANT_HOME")
        .output()
        .ok()
        .filter(|output| {
            !errors(output).contains("setpriv:") && !matches!(output.status.code(), Some(126 | 127))
        })
}

#[test]
fn shows_a_read_only_profile_unchanged() {
    use std::os::unix::fs::PermissionsExt;
    let place = tempfile::tempdir().expect("a folder");
    let home = place.path();
    assert_eq!(
        code(&run(home, &["--now", NOW, "ask", "add a task to buy milk"])),
        0
    );
    // The other user may have no access to the build folder.
    std::fs::copy(env!("CARGO_BIN_EXE_adjutant"), home.join("program")).expect("a copy");
    let profile = home.join("profiles/default");
    let folders = [home.join("profiles"), profile.clone(), home.to_path_buf()];
    for entry in std::fs::read_dir(&profile).expect("a profile") {
        let path = entry.expect("a file").path();
        let mode = if path.is_dir() { 0o555 } else { 0o444 };
        std::fs::set_permissions(path, PermissionsExt::from_mode(mode)).expect("rights");
    }
    for folder in &folders {
        std::fs::set_permissions(folder, PermissionsExt::from_mode(0o555)).expect("rights");
    }
    let outputs = [
        unprivileged(home, &["--now", NOW, "--json", "show", "tasks"]),
        unprivileged(home, &["--now", NOW, "ask", "add a task to buy bread"]),
    ];
    for folder in folders.iter().rev() {
        std::fs::set_permissions(folder, PermissionsExt::from_mode(0o755)).expect("rights");
    }
    let [Some(shown), Some(asked)] = outputs else {
        println!("Skipped: this machine lets nobody be without the right to write.");
        return;
    };
    assert_eq!(code(&shown), 0, "{}", errors(&shown));
    assert_eq!(list(&shown)[0]["title"], "Buy milk");
    assert!(errors(&shown).contains("read-only"), "{}", errors(&shown));
    assert_eq!(code(&asked), 1, "{}", errors(&asked));
    assert!(errors(&asked).contains("writable"), "{}", errors(&asked));
    assert_eq!(
        list(&run(home, &["--now", NOW, "--json", "show", "tasks"])).len(),
        1
    );
}

/// Commands that start together share one profile: the first one holds it, and the others notice neither its end nor
/// each other.
#[test]
fn completes_all_concurrent_commands() {
    const COMMANDS: usize = 24;
    let home = tempfile::tempdir().expect("a folder");
    let home = home.path();
    let started: Vec<_> = (0..COMMANDS)
        .map(|number| {
            let text = format!("add a task to buy thing {number}");
            super::adjutant(home, &["--now", NOW, "ask", &text])
                .stdout(std::process::Stdio::piped())
                .stderr(std::process::Stdio::piped())
                .spawn()
                .expect("it starts")
        })
        .collect();
    let failed: Vec<String> = started
        .into_iter()
        .map(|command| command.wait_with_output().expect("it ends"))
        .filter(|output| code(output) != 0)
        .map(|output| errors(&output))
        .collect();
    assert!(
        failed.is_empty(),
        "{} of {COMMANDS}: {failed:#?}",
        failed.len()
    );
    let tasks = list(&run(
        home,
        &["--now", NOW, "--json", "show", "tasks", "--limit", "100"],
    ));
    assert_eq!(tasks.len(), COMMANDS, "each was done once");
}
