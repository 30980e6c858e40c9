use super::*;

const NOW: i64 = 1_000;

fn index(names: &[&str]) -> Names<usize> {
    let mut index = Names::default();
    for (key, name) in names.iter().enumerate() {
        index.put(key, 0, name, TimeSpan::ALWAYS);
    }
    index
}

fn found(index: &Names<usize>, message: &str) -> Vec<usize> {
    let found = index.find(message, NOW, 64);
    found.into_iter().map(|one| one.key).collect()
}

#[test]
fn a_message_finds_names_in_other_forms_and_mistyped() {
    let index = index(&[
        "Lunch with Sarah",
        "Zoë’s dentists",
        "Quarterly planning",
        "B",
    ]);
    for (message, key) in [
        ("cancel LUNCH with sarah", 0),
        ("move zoes dentist appointment", 1),
        ("when is the dentsit", 1),
        ("the quarterly plan", 2),
        ("qarterly plans", 2),
        ("lunhc", 0),
    ] {
        assert_eq!(found(&index, message), [key], "{message}");
    }
    // A letter, words that say nothing, and short words that are other words.
    for message in ["", "with", "b", "bunch", "lunar sarahs3"] {
        assert_eq!(found(&index, message), [], "{message}");
    }
}

#[test]
fn what_is_said_in_whole_comes_first_then_what_is_rarer() {
    let index = index(&[
        "Budget",
        "Budget review with the board",
        "Board",
        "Board budget",
        "Zanzibar trip and a budget, a board, a review",
    ]);
    assert_eq!(found(&index, "the board budget")[..1], [3]);
    let part = |message: &str| {
        let found = index.find(message, NOW, 64);
        found
            .into_iter()
            .find(|one| one.key == 4)
            .map(|one| one.part)
    };
    assert!(
        part("zanzibar") > part("board"),
        "rare words are a larger part"
    );
    assert!(index.find("board review budget", NOW, 2).len() == 2);
}

#[test]
fn of_names_alike_the_next_comes_first_and_few_are_given() {
    let mut index = Names::default();
    for day in -20..20 {
        let at = NOW + day * 10;
        let span = TimeSpan {
            from: at,
            to: at + 5,
        };
        index.put(day, 0, "Standup", span);
    }
    let keys: Vec<i64> = index
        .find("standup", NOW + 2, 64)
        .iter()
        .map(|one| one.key)
        .collect();
    assert_eq!(keys, [0, 1, 2, 3, 4, 5, 6, 7]);
    let keys: Vec<i64> = index
        .find("standup", NOW + 1_000, 3)
        .iter()
        .map(|one| one.key)
        .collect();
    assert_eq!(keys, [19, 18, 17]);
    index.put(100, 1, "Re: standup", TimeSpan { from: 0, to: 0 });
    assert_eq!(
        index.find("standup", NOW, 64).len(),
        9,
        "another sort of thing"
    );
}

#[test]
fn frequent_words_find_nothing_alone_and_something_together() {
    let mut index = Names::default();
    for key in 0..3_000 {
        let name = match key {
            1_500 => "weekly report".to_owned(),
            _ if key % 2 == 0 => format!("weekly number{key}"),
            _ => format!("report number{key}"),
        };
        index.put(key, 0, &name, TimeSpan::ALWAYS);
    }
    index.put(5_000, 0, "The Who", TimeSpan::ALWAYS);
    assert_eq!(found(&index, "weekly"), []);
    assert_eq!(found(&index, "report"), []);
    assert_eq!(found(&index, "the weekly report"), [1_500]);
    assert_eq!(found(&index, "who"), []);
    assert_eq!(found(&index, "tickets for the who"), [5_000]);
}

#[test]
fn names_are_replaced_and_removed_for_good() {
    let mut index = index(&["Dentist", "Lunch"]);
    index.put(0, 0, "Doctor", TimeSpan::ALWAYS);
    index.remove(1);
    index.remove(7);
    assert_eq!(found(&index, "dentist lunch doctor"), [0]);
    // Many changes, and the index stays as large as what is in it.
    for round in 0..10_000 {
        index.put(2, 0, &format!("Round {round}"), TimeSpan::ALWAYS);
    }
    assert_eq!(index.len(), 2);
    assert!(
        index.entries.len() < 2 * GONE_MAX,
        "{}",
        index.entries.len()
    );
    assert_eq!(found(&index, "doctor"), [0]);
    assert_eq!(found(&index, "round 9999"), [2]);
    index.put(2, 0, "!!!", TimeSpan::ALWAYS);
    assert_eq!((found(&index, "round"), index.len()), (vec![], 1));
}

#[test]
fn hostile_names_and_messages_cost_little() {
    let mut index = Names::default();
    let long: String = (0..20_000).map(|number| format!("w{number} ")).collect();
    index.put(0, 0, &long, TimeSpan::ALWAYS);
    assert_eq!(index.entries[0].stems.len(), NAME_WORDS_MAX);
    assert_eq!(found(&index, &long), [0]);
    assert_eq!(found(&index, &"w".repeat(1 << 20)), []);
}
