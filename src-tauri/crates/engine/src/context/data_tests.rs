use super::*;
use proptest::prelude::*;

fn part(origin: &'static str, rows: &[(&str, &str)]) -> RowGroup {
    RowGroup {
        origin,
        rows: rows
            .iter()
            .map(|(full, brief)| Row {
                full: (*full).into(),
                brief: (*brief).into(),
            })
            .collect(),
    }
}

#[test]
fn drops_fields_before_rows() {
    let long = "Standup | with many people | in a room far away | and much else besides";
    let parts = [part("the calendar", &[(long, "Standup"); 4])];
    let all = keep(&parts, 500);
    assert_eq!((all.items, all.dropped.len()), (4, 0));
    let tight = keep(&parts, 120);
    assert_eq!(tight.parts[0].1, "Standup\nStandup\nStandup\nStandup");
    assert_eq!(tight.dropped[0].why, DropReason::FieldsLeftOut);
    let tiny = keep(&parts, FENCE_TOKENS + 8);
    assert_eq!(tiny.dropped[0].why, DropReason::OverBudget);
    assert!(tiny.items >= 1 && tiny.items < 4);
}

#[test]
fn parts_share_the_budget() {
    let many: Vec<_> = (0..50)
        .map(|_| ("one row of many", "one row of many"))
        .collect();
    let parts = [
        part("the calendar", &many),
        part("the task list", &[("the only task", "task")]),
    ];
    let kept = keep(&parts, 300);
    assert_eq!(
        kept.parts.len(),
        2,
        "a long part does not push a short one out"
    );
}

#[test]
fn finds_people_by_any_part_of_their_name() {
    let known: Vec<Person> = vec![
        ("Nadia Kowalski".into(), vec!["nadia@example.org".into()]),
        ("Bill May".into(), vec!["bill@example.org".into()]),
        ("Zoë".into(), Vec::new()),
    ];
    let origin = |text: &str| {
        people(&known, text)
            .rows
            .iter()
            .map(|row| row.full.clone())
            .collect::<Vec<_>>()
    };
    assert_eq!(
        origin("tell nadia's boss"),
        ["Nadia Kowalski: nadia@example.org"]
    );
    assert_eq!(
        origin("Zoë and Kowalski"),
        ["Nadia Kowalski: nadia@example.org", "Zoë: "]
    );
    assert!(origin("may I pay the bill").is_empty());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]
    #[test]
    fn stays_within_the_budget(
        rows in prop::collection::vec(prop::collection::vec((".{0,120}", ".{0,40}"), 0..20), 0..4),
        budget in 0_u64..1_500,
    ) {
        let parts: Vec<_> = rows.iter().map(|rows| RowGroup {
            origin: "somewhere",
            rows: rows.iter().map(|(full, brief)| Row { full: full.clone(), brief: brief.clone() }).collect(),
        }).collect();
        let kept = keep(&parts, budget);
        prop_assert!(kept.tokens <= budget);
        let real: u64 = kept.parts.iter().map(|(_, text)| estimate(text)).sum();
        prop_assert!(real <= kept.tokens);
    }
}
