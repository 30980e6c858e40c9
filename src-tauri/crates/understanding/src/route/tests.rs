use super::*;
use proptest::prelude::*;

#[derive(serde::Deserialize)]
struct Case {
    text: String,
    domains: Vec<Domain>,
}

fn cases(file: &str) -> Vec<Case> {
    file.lines()
        .map(|line| serde_json::from_str(line).expect("a case a line"))
        .collect()
}

/// Share of cases whose domains come out exactly.
fn exact(file: &str) -> (f64, Vec<String>) {
    let cases = cases(file);
    let wrong: Vec<String> = cases
        .iter()
        .filter_map(|case| {
            let mut got = route(&case.text, &[]).route.domains;
            let mut expected = case.domains.clone();
            got.sort();
            expected.sort();
            (got != expected).then(|| format!("{}: {got:?}, expected {expected:?}", case.text))
        })
        .collect();
    (1.0 - wrong.len() as f64 / cases.len() as f64, wrong)
}

#[test]
fn tables_have_no_errors() {
    assert_eq!(tables::builder().build().1, Vec::<String>::new());
}

#[test]
fn own_cases_come_out_right() {
    for (file, floor) in [
        (include_str!("../../data/route/own_cases.jsonl"), 0.98),
        (include_str!("../../data/route/own_cases_b.jsonl"), 0.96),
    ] {
        let (share, wrong) = exact(file);
        assert!(
            share >= floor,
            "{share:.3} below {floor}:\n{}",
            wrong.join("\n")
        );
    }
}

/// Everything resembles what was said of it, and nothing else.
struct Resembles(&'static [(&'static str, f32)]);

impl Similarity for Resembles {
    fn to_examples(&self, _: &str) -> Option<Vec<f32>> {
        let of = |text| {
            let known = self.0.iter().find(|(example, _)| *example == text);
            known.map_or(0.0, |(_, cosine)| *cosine)
        };
        Some(examples().map(of).collect())
    }
}

/// Says nothing, or what cannot be.
struct Broken(Option<Vec<f32>>);

impl Similarity for Broken {
    fn to_examples(&self, _: &str) -> Option<Vec<f32>> {
        self.0.clone()
    }
}

#[test]
fn what_the_phrases_leave_open_goes_where_the_nearest_examples_go() {
    let open = "the frobnicator wants descaling";
    let alone = route(open, &[]);
    assert!(alone.unsure && alone.route.domains.is_empty());
    let two = Resembles(&[
        ("put buying stamps on my list of things to do", 0.8),
        ("what's still open from last week?", 0.7),
    ]);
    let reading = route_with(open, &[], &two);
    assert_eq!(reading.route.domains, [Domain::Task]);
    assert_eq!(reading.route.kind, RouteKind::Action);
    assert!(!reading.unsure && reading.route.confidence > UNSURE_BELOW);
    assert_eq!(reading.evidence[0].phrase, two.0[0].0);
    assert_eq!(reading.evidence[0].topic, Topic::Domain(Domain::Task));
}

#[test]
fn examples_that_disagree_or_cannot_be_had_change_nothing() {
    let open = "the frobnicator wants descaling";
    let alone = route(open, &[]);
    let torn = Resembles(&[
        ("put buying stamps on my list of things to do", 0.8),
        ("what's 18% of 65", 0.8),
        ("hello there", 0.8),
    ]);
    assert!(
        torn.0
            .iter()
            .all(|(text, _)| examples().any(|example| example == *text))
    );
    let answers = [
        None,
        Some(Vec::new()),
        Some(vec![1.0]),
        Some(vec![f32::NAN; examples().count()]),
    ];
    for broken in answers {
        assert_eq!(route_with(open, &[], &Broken(broken)), alone);
    }
    assert_eq!(route_with(open, &[], &torn), alone);
}

#[test]
fn a_sure_reading_and_a_follow_up_are_not_compared() {
    struct Never;
    impl Similarity for Never {
        fn to_examples(&self, text: &str) -> Option<Vec<f32>> {
            panic!("{text} was compared")
        }
    }
    let sure = "remind me to call mum at 5";
    assert_eq!(route_with(sure, &[], &Never), route(sure, &[]));
    let before = said(&[
        (true, "what's on my calendar tomorrow"),
        (false, "Two meetings."),
    ]);
    let follow = "and the day after?";
    assert!(route(follow, &before).route.is_followup);
    assert_eq!(route_with(follow, &before, &Never), route(follow, &before));
    let foreign = "где мои очки, никак не могу их найти";
    assert_eq!(route_with(foreign, &[], &Never), route(foreign, &[]));
}

fn said<'a>(turns: &[(bool, &'a str)]) -> Vec<EarlierMessage<'a>> {
    turns
        .iter()
        .map(|&(by_person, text)| EarlierMessage { by_person, text })
        .collect()
}

#[test]
fn follow_ups_take_the_domains_of_what_they_follow() {
    let mail = said(&[
        (true, "any new emails from Ana?"),
        (false, "Two mails from Ana."),
    ]);
    let day = said(&[
        (true, "what's on my calendar tomorrow?"),
        (false, "Two meetings."),
    ]);
    let asked = said(&[
        (true, "schedule a meeting with Bo"),
        (false, "At what time?"),
    ]);
    for (text, history, domain) in [
        ("and from Bo?", &mail, Domain::Email),
        ("read me the second one", &mail, Domain::Email),
        ("delete it", &mail, Domain::Email),
        ("what about Friday?", &day, Domain::Calendar),
        ("move that one to 5", &day, Domain::Calendar),
        ("3pm", &asked, Domain::Calendar),
    ] {
        let reading = route(text, history);
        assert!(reading.route.is_followup, "{text}");
        assert_eq!(reading.route.domains, [domain], "{text}");
        assert_eq!(reading.route.kind, RouteKind::Followup, "{text}");
    }
}

#[test]
fn a_request_of_its_own_is_no_follow_up() {
    let history = said(&[(true, "any new emails?"), (false, "Two mails.")]);
    for text in [
        "remind me to call the bank at noon",
        "what's 15% of 240?",
        "thanks, that is all",
    ] {
        assert!(!route(text, &history).route.is_followup, "{text}");
    }
    assert!(
        !route("delete it", &[]).route.is_followup,
        "nothing to follow"
    );
}

#[test]
fn other_languages_are_not_guessed_at() {
    let reading = route("¿Qué tengo mañana en el calendario?", &[]);
    assert_eq!(reading.language, Language::Other);
    assert!(reading.unsure && reading.route.domains.is_empty());
}

#[test]
fn evidence_points_at_the_words() {
    let text = "Could you schedule a meeting with Bo?";
    let reading = route(text, &[]);
    assert!(
        reading
            .evidence
            .iter()
            .any(|e| &text[e.span.clone()] == "schedule a meeting")
    );
    assert!(reading.route.confidence > 0.9);
}

#[test]
fn quoted_text_is_not_a_request() {
    assert_eq!(
        route("add a task called 'email the boss about the meeting'", &[])
            .route
            .domains,
        [Domain::Task]
    );
}

proptest! {
    #[test]
    fn any_text_is_routed(text in "\\PC{0,300}") {
        let reading = route(&text, &[]);
        prop_assert!((0.0..=1.0).contains(&reading.route.confidence));
        for evidence in &reading.evidence {
            prop_assert!(text.get(evidence.span.clone()).is_some());
        }
    }

    #[test]
    fn words_in_any_order_are_routed(
        words in proptest::collection::vec(
            prop::sample::select(vec!["add", "meeting", "to", "my", "and", "email", "list", "if", "remind", "me", "'", ",", "plot", "5", "%", "calendar", "then", "note", "file.txt"]), 0..400)
    ) {
        let text = words.join(" ");
        let _ = route(&text, &[EarlierMessage { by_person: true, text: &text }]);
    }
}
