//! Phrases that tools bring themselves: requests with the call each becomes, and phrases that are not taken.

use adjutant_domain::focus::Focus;
use adjutant_domain::reading::{Reading, Utterance};
use adjutant_domain::settings::Settings;
use adjutant_domain::tool::ToolSpec;
use serde_json::{Value, json};

use super::super::decide::{plan, plan_own};

fn tool(name: &str, phrases: &[&str], schema: Value) -> ToolSpec {
    let spec = json!({
        "name": name, "domain": "task", "description": "", "risk": "read", "server": "home", "phrases": phrases,
        "participle": "done", "schema": schema,
    });
    serde_json::from_value(spec).expect("a tool")
}

/// Tools of somebody's server, of which no data file knows.
fn tools() -> Vec<ToolSpec> {
    let (text, number) = (json!({"type": "string"}), json!({"type": "integer"}));
    let moment = json!({"type": "string", "format": "date-time"});
    vec![
        tool(
            "home.dim",
            &[
                "dim|brighten the {room} [lights] to {level} percent",
                "set the {room} to {level} percent",
            ],
            json!({"type": "object", "required": ["room", "level"],
                "properties": {"room": {"enum": ["kitchen", "Living Room"]}, "level": number}}),
        ),
        tool(
            "home.lock",
            &["lock up the house"],
            json!({"type": "object"}),
        ),
        tool(
            "egg.start",
            &["boil an egg for {minutes} [minutes]"],
            json!({"type": "object", "required": ["minutes"], "properties": {"minutes": number}}),
        ),
        tool(
            "taxi.order",
            &[
                "order a taxi to {destination} [{when}]",
                "hail a taxi to {destination} [{when}]",
            ],
            json!({"type": "object", "required": ["destination"],
                "properties": {"destination": text, "when": moment}}),
        ),
        tool(
            "gift.send",
            &[
                "send a gift card to {who} [saying {words}]",
                "surprise {who} on {day}",
            ],
            json!({"type": "object", "required": ["who"], "properties": {
                "who": {"$ref": "#/$defs/People"}, "words": text,
                "day": {"type": "string", "format": "date"}},
                "$defs": {"People": {"type": "array", "items": {"type": "string"}}}}),
        ),
        tool(
            "ticket.open",
            &["open a ticket [about] {title}", "ticket: {title} {nothing}"],
            json!({"type": "object", "required": ["title"], "properties": {
                "title": text, "nothing": {"type": "boolean"}}}),
        ),
    ]
}

/// What a message becomes by the phrases of these tools: tools and arguments, or nothing.
fn read(text: &str, tools: &[ToolSpec]) -> Option<Vec<(String, Value)>> {
    let now = "2026-03-11T09:00:00-04:00[America/New_York]"
        .parse()
        .expect("a time");
    let (settings, focus) = (Settings::default(), Focus::default());
    let people = [("Ana Ruiz".to_owned(), vec!["ana@example.org".to_owned()])];
    let said = Utterance {
        text,
        now: &now,
        settings: &settings,
        focus: &focus,
        history: &[],
        people: &people,
        roles: &[],
        names: &[],
        tools,
    };
    assert_eq!(plan(&said), None, "{text}: read without phrases");
    match plan_own(&said)? {
        Reading::Plan { plan, .. } => {
            let steps = plan.steps.into_iter();
            Some(steps.map(|step| (step.tool, step.args)).collect())
        }
        other => panic!("{text}: {other:?}"),
    }
}

#[test]
fn phrases_of_tools_are_requests_with_typed_slots() {
    let tools = tools();
    let mut faults = String::new();
    for (text, tool, args) in [
        (
            "dim the kitchen lights to 40 percent",
            "home.dim",
            json!({"room": "kitchen", "level": 40}),
        ),
        (
            "please brighten the living room to 80 percent!",
            "home.dim",
            json!({"room": "Living Room", "level": 80}),
        ),
        (
            "Set the kitchen to 5 percent",
            "home.dim",
            json!({"room": "kitchen", "level": 5}),
        ),
        ("lock up the house", "home.lock", json!({})),
        ("please lock up the house", "home.lock", json!({})),
        (
            "boil an egg for 6 minutes",
            "egg.start",
            json!({"minutes": 6}),
        ),
        (
            "boil an egg for six minutes",
            "egg.start",
            json!({"minutes": 6}),
        ),
        ("boil an egg for 7", "egg.start", json!({"minutes": 7})),
        (
            "order a taxi to the airport",
            "taxi.order",
            json!({"destination": "the airport"}),
        ),
        (
            "order a taxi to the airport tomorrow at 6am",
            "taxi.order",
            json!({"destination": "the airport", "when": "2026-03-12T06:00:00-04:00"}),
        ),
        (
            "hail a taxi to 12 Main Street at 5pm",
            "taxi.order",
            json!({"destination": "12 Main Street", "when": "2026-03-11T17:00:00-04:00"}),
        ),
        (
            "send a gift card to Ana Ruiz",
            "gift.send",
            json!({"who": ["Ana Ruiz"]}),
        ),
        (
            "send a gift card to Ana saying thanks for everything",
            "gift.send",
            json!({"who": ["Ana"], "words": "thanks for everything"}),
        ),
        (
            "surprise Ana on Friday",
            "gift.send",
            json!({"who": ["Ana"], "day": "2026-03-13"}),
        ),
        (
            "open a ticket about the broken printer",
            "ticket.open",
            json!({"title": "the broken printer"}),
        ),
        (
            "open a ticket \"Door jams\"",
            "ticket.open",
            json!({"title": "Door jams"}),
        ),
    ] {
        let found = read(text, &tools);
        if found != Some(vec![(tool.to_owned(), args)]) {
            faults += &format!(
                "{text}: {found:?}
"
            );
        }
    }
    assert_eq!(faults, "");
}

#[test]
fn several_phrases_may_stand_in_one_message() {
    let found = read(
        "lock up the house and order a taxi to the airport",
        &tools(),
    );
    let tools: Vec<String> = found
        .unwrap_or_default()
        .into_iter()
        .map(|one| one.0)
        .collect();
    assert_eq!(tools, ["home.lock", "taxi.order"]);
}

#[test]
fn what_does_not_fit_a_slot_is_not_read() {
    let tools = tools();
    let mut faults = String::new();
    for text in [
        "dim the garage lights to 40 percent",
        "dim the kitchen lights to very dark percent",
        "dim the kitchen lights",
        "lock up the house tomorrow and the shed",
        "boil an egg for an hour or so",
        "order a taxi",
        "order a taxi to the airport every Monday",
        "order a taxi to the airport by 6pm",
        "order a taxi to the airport tomorrow",
        "surprise Ana on Friday at 5pm",
        "surprise everybody",
        "what is a taxi",
        "I will not order a taxi to the airport",
        "ticket: doors no",
    ] {
        if let Some(found) = read(text, &tools) {
            faults += &format!("{text}: {found:?}\n");
        }
    }
    assert_eq!(faults, "");
}

#[test]
fn hostile_phrases_read_nothing() {
    let text = json!({"type": "object", "properties": {"text": {"type": "string"}}});
    let long = "word ".repeat(40);
    let deep = "[a] ".repeat(20) + "fetch {text}";
    let hostile = [
        "{text}",
        "a {text}",
        "the of {text}",
        "to {text} fetch",
        "fetch {text",
        "fetch {other}",
        "[fetch [all] {text}]",
        "fetch] {text}",
        "fetch {text} {text}",
        "fetch @it {text}",
        "fetch => text=yes",
        "",
        "fetch",
        &long,
        &deep,
    ];
    let tools = [
        tool("evil.tool", &hostile[..8], text.clone()),
        tool("evil.more", &hostile[8..], text),
    ];
    for message in [
        "fetch the paper",
        "a word",
        "to the moon fetch",
        "the of all",
        &long,
    ] {
        assert_eq!(read(message, &tools), None, "{message}");
    }
    let many: Vec<String> = (0..2_000)
        .map(|number| format!("fetch{number} {{text}}"))
        .collect();
    let many: Vec<&str> = many.iter().map(String::as_str).collect();
    let schema = json!({"type": "object", "properties": {"text": {"type": "string"}}});
    let tools = [tool("evil.many", &many, schema)];
    assert!(read("fetch3 the paper", &tools).is_some());
    assert_eq!(
        read("fetch1999 the paper", &tools),
        None,
        "too many phrases"
    );
}

#[test]
fn phrases_change_with_the_tools() {
    let schema = json!({"type": "object", "properties": {"text": {"type": "string"}}});
    for round in 0..12 {
        let phrase = format!("shout{round} {{text}}");
        let tools = [tool("shout.out", &[&phrase], schema.clone())];
        assert!(read(&format!("shout{round} louder"), &tools).is_some());
        assert_eq!(read(&format!("shout{} louder", round + 1), &tools), None);
    }
}

#[test]
fn a_slot_of_speech_takes_whole_sentences() {
    let objective = json!({"type": "object", "required": ["objective"],
        "properties": {"objective": {"type": "string"}}});
    let phrases = [
        "research [:] {objective:speech}",
        "do [some] research on|into [:] {objective:speech}",
    ];
    let tools = [tool("research.start", &phrases, objective)];
    let mut faults = String::new();
    for (text, objective) in [
        ("research the lease", "the lease"),
        (
            "research what the lease says about heating costs",
            "what the lease says about heating costs",
        ),
        (
            "Research: what does a heat pump cost?",
            "what does a heat pump cost?",
        ),
        (
            "please do some research on which of the two films is older",
            "which of the two films is older",
        ),
    ] {
        let found = read(text, &tools);
        let wanted = vec![(
            "research.start".to_owned(),
            json!({ "objective": objective }),
        )];
        if found.as_ref() != Some(&wanted) {
            faults += &format!("{text}: {found:?}\n");
        }
    }
    assert_eq!(faults, "");
}
