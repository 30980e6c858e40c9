//! Choices in words.

use adjutant_domain::focus::Focus;
use adjutant_domain::plan::{AnswerKind, Choice};
use adjutant_domain::reading::Utterance;
use adjutant_domain::settings::Settings;
use serde_json::{Value, json};

use crate::fixture::{MessageContext, rendered, short, tools};

fn answered(text: &str, kind: AnswerKind, choices: &[Choice]) -> Option<Value> {
    let now: jiff::Zoned = "2026-03-11T09:30:00+01:00[Europe/Paris]"
        .parse()
        .expect("a time");
    let settings = Settings::default();
    let focus = Focus::default();
    let people = vec![("Ana Ruiz".to_owned(), vec!["ana@example.org".to_owned()])];
    let said = Utterance {
        text,
        now: &now,
        settings: &settings,
        focus: &focus,
        history: &[],
        people: &people,
        roles: &[],
        names: &[],
        tools: tools(),
    };
    super::answer(&said, kind, choices)
}

fn choices(labels: &[(&str, Value)]) -> Vec<Choice> {
    labels
        .iter()
        .map(|(label, value)| Choice::new(*label, value.clone()))
        .collect()
}

#[test]
fn a_choice_is_found_by_number_place_and_words() {
    let list = choices(&[
        ("Standup, Wed 11 Mar, 10:00", json!("ev_1")),
        ("Budget review, Thu 12 Mar, 15:00", json!("ev_2")),
        ("Budget planning, Fri 13 Mar, 9:00", json!("ev_3")),
    ]);
    for (text, expect) in [
        ("1", Some("ev_1")),
        ("the second one", Some("ev_2")),
        ("last", Some("ev_3")),
        ("the standup", Some("ev_1")),
        ("budget review please", Some("ev_2")),
        ("the one on Friday", None),
        ("the one on fri", Some("ev_3")),
        ("budget", None),
        ("number 3", Some("ev_3")),
        ("4", None),
        ("what?", None),
        ("", None),
    ] {
        assert_eq!(
            answered(text, AnswerKind::Choice, &list),
            expect.map(|id| json!(id)),
            "{text}"
        );
    }
}

#[test]
fn which_instances_of_a_series_is_understood() {
    let list = choices(&[
        ("Only Tue 13 Jan 2026", json!("this")),
        ("This and all later ones", json!("following")),
        ("The whole series", json!("series")),
    ]);
    for (text, expect) in [
        ("only this one", "this"),
        ("just this one", "this"),
        ("this one", "this"),
        ("the series", "series"),
        ("all of them", "series"),
        ("the whole thing", "series"),
        ("this and later", "following"),
        ("all future ones", "following"),
        ("2", "following"),
        ("first", "this"),
    ] {
        assert_eq!(
            answered(text, AnswerKind::Choice, &list),
            Some(json!(expect)),
            "{text}"
        );
    }
}

#[test]
fn other_answers_are_read_by_their_kind() {
    for (text, kind, expect) in [
        ("half an hour", AnswerKind::Minutes, Some(json!(30))),
        ("45", AnswerKind::Minutes, Some(json!(45))),
        ("long", AnswerKind::Minutes, None),
        (
            "tomorrow at 3pm",
            AnswerKind::Moment,
            Some(json!("2026-03-12T15:00:00+01:00[Europe/Paris]")),
        ),
        ("Friday", AnswerKind::Moment, Some(json!("2026-03-13"))),
        ("soon", AnswerKind::Moment, None),
        (
            "to Ana and kim@example.com",
            AnswerKind::People,
            Some(json!(["Ana", "kim@example.com"])),
        ),
        (
            "“Hello there”",
            AnswerKind::Text,
            Some(json!("Hello there")),
        ),
        (
            "He said \"no\"",
            AnswerKind::Text,
            Some(json!("He said \"no\"")),
        ),
        ("  ", AnswerKind::Text, None),
    ] {
        assert_eq!(answered(text, kind, &[]), expect, "{text}");
    }
}

/// What a reply is while the first effect of a request waits for approval and the others are done.
fn replied(request: &str, reply: &str) -> adjutant_domain::reading::Resume {
    use adjutant_domain::plan::{Step, StepState};
    use adjutant_domain::reading::{Planner as _, Reading, Resumer as _, Router as _};

    let now: jiff::Zoned = "2026-03-11T09:30:00+01:00[Europe/Paris]"
        .parse()
        .expect("a time");
    let settings = Settings::default();
    let focus = Focus::default();
    let people = ["Ana Ruiz", "Bob Stone"]
        .map(|name| (name.to_owned(), vec![format!("{}@example.org", &name[..3])]));
    let said = |text| Utterance {
        text,
        now: &now,
        settings: &settings,
        focus: &focus,
        history: &[],
        people: &people,
        roles: &[],
        names: &[],
        tools: tools(),
    };
    let engine = crate::Embedded;
    let asked = said(request);
    let Reading::Plan { plan, .. } = engine.plan(&asked, &engine.route(&asked)) else {
        panic!("not planned: {request}");
    };
    let steps = plan
        .steps
        .into_iter()
        .enumerate()
        .map(|(at, draft)| Step {
            state: if at == 0 {
                StepState::NeedsApproval {
                    action: "act_1".into(),
                }
            } else {
                StepState::Done
            },
            ..Step::new(draft)
        })
        .collect();
    let waiting = waits(plan.request, steps);
    engine.resume(&said(reply), request, &waiting, None)
}

#[test]
fn a_yes_to_another_step_of_the_request_approves_nothing() {
    use adjutant_domain::reading::Resume;

    let request = "cancel my meeting with Ana on Thursday and email Bob that it is off";
    for (reply, yes) in [
        ("yes", true),
        ("yes please", true),
        ("go ahead", true),
        ("yes, email Bob", false),
        ("yes, email Bob that it is off", false),
        ("yes and cancel everything on Thursday", false),
        ("yes, show me my tasks", false),
    ] {
        assert_eq!(
            matches!(replied(request, reply), Resume::Yes),
            yes,
            "{reply}"
        );
    }
}

#[test]
fn what_waits_is_kept_and_changed_in_another_way() {
    use adjutant_domain::reading::Resume;

    for reply in [
        "No, leave it. Move it to the 20th instead.",
        "no, keep it, move it to the 20th",
        "Don't delete it. Move it to the 20th rather",
    ] {
        let Resume::Modify { text } = replied("Delete the car insurance task", reply) else {
            panic!("not changed: {reply}");
        };
        assert!(
            text.contains("insurance task") && text.contains("20th"),
            "{text}"
        );
    }
}

#[test]
fn a_no_to_several_choices_drops_the_question() {
    use adjutant_domain::plan::Question;
    use adjutant_domain::reading::Resume;

    let around = MessageContext::new();
    let question = Question {
        text: "Which mail?".into(),
        choices: choices(&[("Offer", json!("mail_1")), ("Invoice", json!("mail_2"))]),
        slot: "/target".into(),
        answer: AnswerKind::Choice,
    };
    let waiting = waits("forward the mail from Marcus".into(), Vec::new());
    let reply = |text: &str| {
        let said = around.utterance(text);
        super::resume(&said, &waiting.request, &waiting, Some(&question))
    };
    assert_eq!(reply("no"), Resume::Abandon);
    assert_eq!(reply("none of them"), Resume::Abandon);
    assert_eq!(reply("no, the second one"), Resume::Answer(json!("mail_2")));
}

#[test]
fn a_request_said_again_does_not_refuse_what_waits() {
    use adjutant_domain::reading::Resume;

    let request = "Cancel the car insurance task";
    assert!(matches!(replied(request, request), Resume::New));
    assert!(matches!(
        replied(request, "cancel it"),
        Resume::No | Resume::Abandon
    ));
}

#[test]
fn a_mail_that_waits_gets_more_and_goes_nowhere_by_itself() {
    use adjutant_domain::reading::Resume;

    for reply in [
        "Oh, and please add that I will send it tonight. Then it may go out.",
        "add that I will send it tonight, then send it",
        "Good. Also say that I will send it tonight. Then it can go out, thanks.",
    ] {
        match replied("email Bob that I found the receipt", reply) {
            Resume::Modify { text } => {
                assert!(
                    text.contains("receipt and I will send it tonight"),
                    "{text}"
                );
                assert!(
                    !text.contains("go out") && !text.contains("then send"),
                    "{text}"
                );
            }
            other => panic!("{reply}: {other:?}"),
        }
    }
}

#[test]
fn an_answer_may_put_itself_right_or_describe_what_it_names() {
    let johns = choices(&[
        ("John Miller", json!("john.miller@a.example")),
        ("John Smith", json!("john.smith@b.example")),
    ]);
    for (text, expect) in [
        ("John Miller, from Legal.", Some("john.miller@a.example")),
        ("Smith (the one in Boston)", Some("john.smith@b.example")),
        ("Miller, not Smith", Some("john.miller@a.example")),
        ("Miller, in Smith's team", None),
        ("Miller, tell him tomorrow", None),
    ] {
        let got = answered(text, AnswerKind::Choice, &johns);
        assert_eq!(got, expect.map(|one| json!(one)), "{text}");
    }
    let now: jiff::Zoned = "2026-03-11T09:30:00+01:00[Europe/Paris]"
        .parse()
        .expect("a time");
    let (settings, focus) = (Settings::default(), Focus::default());
    for (text, expect) in [
        ("Smith - no, Miller.", Some("Miller.")),
        ("the first, I mean the second", Some("the second")),
        ("Smith... no wait, never mind", Some("never mind")),
        ("Smith", None),
        ("no, neither", None),
    ] {
        let said = Utterance {
            text,
            now: &now,
            settings: &settings,
            focus: &focus,
            history: &[],
            people: &[],
            roles: &[],
            names: &[],
            tools: tools(),
        };
        let question = adjutant_domain::plan::Question {
            text: "Which John?".into(),
            choices: johns.clone(),
            slot: "/to/0".into(),
            answer: AnswerKind::Choice,
        };
        let got = super::put_right(&said, &question);
        assert_eq!(got.as_deref(), expect, "{text}");
    }
}

#[test]
fn a_command_of_its_own_is_no_reply_to_what_was_set_aside() {
    use adjutant_domain::reading::Reply;

    let prompt = "Delete \u{201c}Design review\u{201d}, Thu 12 Mar, 10:00";
    for (reply, expect) in [
        ("cancel everything on thursday", Reply::Neither),
        ("cancel everything tomorrow", Reply::Neither),
        ("delete all my meetings on friday", Reply::Neither),
        ("no, cancel all my meetings", Reply::Neither),
        ("please cancel the lunch with Ana", Reply::Neither),
        ("don't cancel the lunch", Reply::Neither),
        ("I do not eat eggs", Reply::Neither),
        ("never mind", Reply::No),
        ("no thanks", Reply::No),
        ("no, show me what is on tomorrow", Reply::Neither),
        ("cancel", Reply::No),
        ("cancel that", Reply::No),
        ("cancel it please", Reply::No),
        ("cancel both", Reply::No),
        ("cancel everything", Reply::No),
        ("cancel the review", Reply::No),
        ("no", Reply::No),
        ("no, not now", Reply::No),
        ("yes", Reply::Yes),
        ("yes, cancel everything on thursday", Reply::Neither),
        ("approve the lunch on friday", Reply::Neither),
    ] {
        assert_eq!(super::confirm(reply, prompt), expect, "{reply}");
    }
}

/// What a reply is while a reminder waits for its time; `since` was answered after the question.
fn to_open_question(reply: &str, since: Option<&str>) -> adjutant_domain::reading::Resume {
    use adjutant_domain::conversation::{Message, Role};
    use adjutant_domain::plan::{Plan, Question, Step, StepDraft, StepState};

    let now: jiff::Zoned = "2026-03-11T09:30:00+01:00[Europe/Paris]"
        .parse()
        .expect("a time");
    let question = Question {
        text: "When shall I remind you?".into(),
        choices: Vec::new(),
        slot: "/due".into(),
        answer: AnswerKind::Moment,
    };
    let draft = StepDraft {
        key: "s1".into(),
        tool: "task.create".into(),
        args: json!({"title": "Water the plants", "due": null}),
        question: Some(question.clone()),
        ..StepDraft::default()
    };
    let waiting = Plan {
        id: "plan_1".into(),
        request: "Add a reminder".into(),
        asked: None,
        asked_tools: Default::default(),
        planner: Default::default(),
        steps: vec![Step {
            state: StepState::NeedsAnswer {
                question: question.clone(),
            },
            ..Step::new(draft)
        }],
        taint: adjutant_domain::source::Taint::Clean,
    };
    let said_before = [Some(question.text.as_str()), since];
    let history: Vec<Message> = said_before
        .into_iter()
        .flatten()
        .map(|text| Message {
            turn: "turn_1".into(),
            role: Role::Assistant,
            text: text.to_owned(),
            at: now.timestamp(),
        })
        .collect();
    let (settings, focus) = (Settings::default(), Focus::default());
    let said = Utterance {
        text: reply,
        now: &now,
        settings: &settings,
        focus: &focus,
        history: &history,
        people: &[],
        roles: &[],
        names: &[],
        tools: tools(),
    };
    super::resume(
        &said,
        "remind me to water the plants",
        &waiting,
        Some(&question),
    )
}

#[test]
fn a_time_answers_the_open_question_also_after_something_else() {
    use adjutant_domain::reading::Resume;

    let reminded = "Nothing on Friday.\n\nStill open: When shall I remind you?";
    for since in [None, Some("Nothing on Friday."), Some(reminded)] {
        for (reply, time) in [
            ("at noon I guess", "T12:00"),
            ("tomorrow at 8", "2026-03-12T08:00"),
            ("make it 10am please", "T10:00"),
            ("next Tuesday works", "2026-03-17"),
        ] {
            let read = to_open_question(reply, since);
            let Resume::Answer(Value::String(answer)) = &read else {
                panic!("{reply}: {read:?}");
            };
            assert!(answer.contains(time), "{reply}: {answer}");
        }
        for reply in [
            "delete the meeting tomorrow at 8",
            "hello",
            "what is on tomorrow?",
        ] {
            let read = to_open_question(reply, since);
            assert!(!matches!(read, Resume::Answer(_)), "{reply}: {read:?}");
        }
    }
    assert_eq!(to_open_question("no", None), Resume::Abandon);
    assert_eq!(to_open_question("no", Some("Moved it.")), Resume::New);
    assert_eq!(to_open_question("no", Some(reminded)), Resume::New);
}

/// A plan that waits.
fn waits(request: String, steps: Vec<adjutant_domain::plan::Step>) -> adjutant_domain::plan::Plan {
    adjutant_domain::plan::Plan {
        id: "plan_1".into(),
        request,
        asked: None,
        asked_tools: Default::default(),
        planner: Default::default(),
        steps,
        taint: adjutant_domain::source::Taint::Clean,
    }
}

/// What a reply is while the plan of a request waits, a line.
fn read_as(around: &MessageContext, request: &str, reply: &str) -> String {
    use adjutant_domain::plan::Step;
    use adjutant_domain::reading::{Planner as _, Reading, Resume, Resumer as _, Router as _};

    let engine = crate::Embedded;
    let asked = around.utterance(request);
    let Reading::Plan { plan, .. } = engine.plan(&asked, &engine.route(&asked)) else {
        return "nothing: the request is not planned".to_owned();
    };
    let question = plan.steps.iter().find_map(|step| step.question.clone());
    let waiting = waits(
        plan.request,
        plan.steps.into_iter().map(Step::new).collect(),
    );
    let said = around.utterance(reply);
    match engine.resume(&said, request, &waiting, question.as_ref()) {
        Resume::Yes => "yes".to_owned(),
        Resume::No => "no".to_owned(),
        Resume::Abandon => "dropped".to_owned(),
        Resume::TakeBack => "taken back".to_owned(),
        Resume::New => "something else".to_owned(),
        Resume::Answer(value) => format!("answer {}", short(&value.to_string())),
        Resume::Modify { text } => {
            let said = around.utterance(&text);
            let read = engine.plan(&said, &engine.route(&said));
            assert!(
                matches!(read, Reading::Plan { .. }),
                "{text}: {}",
                rendered(&read)
            );
            format!("changed: {text}")
        }
    }
}

#[test]
fn replies_mean_what_the_table_says() {
    let mut around = MessageContext::new();
    let (mut request, mut reply) = ("", "");
    let mut wrong = Vec::new();
    for line in include_str!("replies.txt").lines() {
        if let Some(directive) = line.strip_prefix('@') {
            around.directive(directive);
        } else if let Some(said) = line.strip_prefix("> ") {
            request = said;
        } else if let Some(said) = line.strip_prefix("< ") {
            reply = said;
        } else if let Some(wanted) = line.strip_prefix("  ") {
            let got = read_as(&around, request, reply);
            if got != wanted {
                wrong.push(format!("> {request}\n< {reply}\n  {wanted}\n  not {got}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
