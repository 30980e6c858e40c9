//! Tests of retrieval with hundreds of tools from servers: the page keeps within its budget and contains the right
//! tool.

use std::sync::Arc;

use super::*;
use adjutant_domain::faults::ToolFault;
use adjutant_domain::gate::Risk;
use adjutant_domain::model::tokens::estimate;
use adjutant_domain::ports::{Calculated, Calculator};
use adjutant_domain::route::Domain;
use adjutant_domain::settings::Settings;
use adjutant_domain::tool::{Icon, ToolSpec};
use proptest::prelude::*;
use serde_json::{Value, json};

/// Token budget of the tools section (D1).
const BUDGET: u64 = 1_500;

struct NoCalculator;

impl Calculator for NoCalculator {
    fn evaluate(&self, _: &str, _: &jiff::Zoned, _: &Settings) -> Result<Calculated, ToolFault> {
        Err(ToolFault::UnknownTool {
            name: "none".into(),
        })
    }
}

/// Returns the built-in tools.
fn own() -> Vec<ToolSpec> {
    adjutant_tools::all(
        Arc::new(NoCalculator),
        Arc::new(adjutant_tools::providers::NoAccounts),
    )
    .iter()
    .map(|tool| tool.spec().clone())
    .collect()
}

fn tool(name: String, description: String, schema: Value) -> ToolSpec {
    ToolSpec {
        name,
        domain: Domain::Research,
        server: None,
        description,
        risk: Risk::Destroys,
        schema: schema.into(),
        phrases: Vec::new(),
        participle: "done".into(),
        kept_by: None,
        icon: Icon::Usual,
        judges: false,
        glances: false,
    }
}

/// Returns servers as people connect them: name, purpose, and the things they hold.
fn servers() -> Vec<(&'static str, &'static str, Vec<&'static str>)> {
    rows(include_str!("servers.tsv"))
        .map(|[name, title, things]| (name, title, things.split(", ").collect()))
        .collect()
}

/// Returns messages with the router's domains (none if it was unsure) and the tool that must be on the page.
fn queries() -> Vec<(&'static str, Vec<Domain>, &'static str)> {
    rows(include_str!("queries.tsv"))
        .map(|[text, domains, tool]| {
            let domains = domains
                .split(", ")
                .filter(|name| !name.is_empty())
                .map(|name| serde_json::from_value(json!(name)).expect("a domain"))
                .collect();
            (text, domains, tool)
        })
        .collect()
}

/// Returns the lines of a table with three columns.
fn rows(table: &'static str) -> impl Iterator<Item = [&'static str; 3]> {
    table
        .lines()
        .filter(|line| !line.starts_with('#'))
        .map(|line| {
            let columns: Vec<_> = line.split('\t').collect();
            columns.try_into().expect("three columns")
        })
}

/// Returns two tools for each thing, 300 in all.
fn foreign() -> Vec<ToolSpec> {
    let mut tools = Vec::new();
    for (number, (server, title, things)) in servers().iter().enumerate() {
        for (at, thing) in things.iter().enumerate() {
            let name = thing.replace([' ', '-'], "_");
            let many = json!({
                "type": "object",
                "properties": {
                    "query": {"type": "string", "description": "Free-text filter, supports the usual operators."},
                    "limit": {"type": "integer", "description": "Maximum number of results to return (default 50)."},
                    "cursor": {"type": ["string", "null"], "description": "Opaque pagination cursor from a previous call."},
                    "sort": {"type": "string", "enum": ["created", "updated", "name"], "description": "Sort key."}
                },
                "required": ["query"]
            });
            let one = json!({
                "type": "object",
                "properties": {
                    "name": {"type": "string", "description": format!("Display name of the {thing}.")},
                    "fields": {"type": "object", "properties": {
                        "description": {"type": "string"}, "owner": {"type": "string"}, "tags": {"type": "array", "items": {"type": "string"}}
                    }},
                    "dry_run": {"type": "boolean", "description": "Validate only, change nothing."}
                },
                "required": ["name"]
            });
            let verb = ["Creates", "Updates", "Adds", "Changes", "Opens"][(at + number) % 5];
            tools.push(tool(
                format!("mcp.{server}.list_{name}s"),
                format!("Lists {thing}s in {title}, newest first, with their properties. Results are paginated."),
                many,
            ));
            tools.push(tool(
                format!("mcp.{server}.{name}"),
                format!("{verb} a {thing} in {title} and returns it. Needs write access."),
                one,
            ));
        }
    }
    tools
}

fn everything() -> Vec<ToolSpec> {
    own().into_iter().chain(foreign()).collect()
}

/// Minimum share of the queries that find their tool, in per cent.
const RECALL_MIN: usize = 97;

#[test]
fn finds_the_right_tool_among_hundreds() {
    let specs = everything();
    assert!(foreign().len() >= 300);
    let retriever = Retriever::new(&specs, None);
    let mut missed = Vec::new();
    let queries = queries();
    for (text, domains, wanted) in &queries {
        assert!(specs.iter().any(|spec| spec.name == *wanted), "{wanted}");
        let found = retriever.select(text, domains, &[], None, BUDGET);
        assert!(found.page.tokens <= BUDGET, "{text}: {}", found.page.tokens);
        if !found.suggested.iter().any(|name| name == wanted) {
            missed.push(format!("{text}: {wanted} not in {:?}", found.suggested));
        }
    }
    let hits = queries.len() - missed.len();
    assert!(
        hits * 100 >= queries.len() * RECALL_MIN,
        "{hits} of {}:\n{}",
        queries.len(),
        missed.join("\n")
    );
}

#[test]
fn tools_of_the_routed_domains_are_always_on_the_page() {
    let specs = everything();
    let retriever = Retriever::new(&specs, None);
    for domains in [
        &[Domain::Task][..],
        &[Domain::Calendar],
        &[Domain::Email],
        &[Domain::Note],
        &[Domain::Memory],
        &[Domain::Email, Domain::Calendar],
        &[Domain::Email, Domain::Calendar, Domain::Task],
    ] {
        let found = retriever.select("do the thing with github", domains, &[], None, BUDGET);
        for spec in specs
            .iter()
            .filter(|spec| domains.contains(&spec.domain) && !spec.name.starts_with(page::FOREIGN))
        {
            assert!(
                found.suggested.contains(&spec.name),
                "{domains:?}: {}",
                spec.name
            );
        }
        assert!(found.page.tokens <= BUDGET);
    }
}

#[test]
fn the_page_has_its_stated_cost() {
    let retriever = Retriever::new(&everything(), None);
    for (text, domains, _) in &queries() {
        let page = retriever.select(text, domains, &[], None, BUDGET).page;
        let foreign = page.foreign.as_ref().map_or("", |one| one.text());
        let real = estimate(&page.own) + estimate(foreign) + estimate(&page.rows);
        assert!(real <= page.tokens, "{text}: {real} > {}", page.tokens);
    }
}

#[test]
fn a_page_reads_well() {
    let retriever = Retriever::new(&everything(), None);
    let found = retriever.select(
        "what is due today, and open an issue on GitHub",
        &[Domain::Task],
        &[],
        None,
        BUDGET,
    );
    let foreign = found.page.foreign.as_ref().map_or("", |one| one.text());
    insta::assert_snapshot!(format!(
        "{}\n\n{foreign}\n\n{}\n\n{} tokens",
        found.page.own, found.page.rows, found.page.tokens
    ));
}

#[test]
fn vectors_find_tools_that_words_miss() {
    let specs = vec![
        tool("mcp.a.x".into(), "Dims lamps".into(), json!({})),
        tool("mcp.b.y".into(), "Plays songs".into(), json!({})),
    ];
    let vectors = ToolVectors {
        model: "mini".into(),
        rows: vec![vec![1.0, 0.0], vec![0.0, 1.0]],
    };
    let retriever = Retriever::new(&specs, Some(vectors));
    let first = |model: &str, vector: &[f32]| {
        retriever
            .select("quiero música", &[], &[], Some((model, vector)), BUDGET)
            .suggested
            .first()
            .cloned()
    };
    assert_eq!(first("mini", &[0.1, 0.9]).as_deref(), Some("mcp.b.y"));
    assert_eq!(
        first("other", &[0.1, 0.9]),
        None,
        "another model's vectors say nothing"
    );
    assert_eq!(first("mini", &[f32::NAN, 0.0]), None);
    assert_eq!(first("mini", &[1.0]), None);
}

#[test]
fn searches_a_follow_up_together_with_the_previous_message() {
    use adjutant_domain::conversation::{Message, Role};
    let message = |role, text: &str| Message {
        turn: adjutant_domain::ids::TurnId("turn_1".into()),
        role,
        text: text.into(),
        at: jiff::Timestamp::UNIX_EPOCH,
    };
    let past = [
        message(Role::User, "which pods are crashing"),
        message(Role::Assistant, "Two of them."),
    ];
    assert!(query("and yesterday?", &past, true).contains("pods"));
    assert!(query("the second", &past, false).contains("pods"));
    let own = "remind me to water the plants on Sunday";
    assert_eq!(query(own, &past, false), own);
    assert_eq!(query("hm", &[], true), "hm");
}

#[test]
fn reports_the_use_of_suggestions() {
    use adjutant_domain::plan::{Plan, Step, StepDraft, StepState};
    let step = |tool: &str, state| Step {
        state,
        ..Step::new(StepDraft {
            tool: tool.into(),
            ..StepDraft::default()
        })
    };
    let plan = Plan {
        id: adjutant_domain::ids::PlanId("plan_1".into()),
        request: String::new(),
        asked: None,
        asked_tools: Default::default(),
        planner: Default::default(),
        steps: vec![
            step("email.search", StepState::Done),
            step(
                "email.delete",
                StepState::Cancelled {
                    reason: "no".into(),
                },
            ),
        ],
        taint: Default::default(),
    };
    let selection = Selection {
        suggested: vec![
            "email.send".into(),
            "email.search".into(),
            "email.delete".into(),
        ],
        ..Selection::default()
    };
    let refused = ["email.delete".to_owned()].into();
    let told = tool_use(&selection.suggested, Some(&plan), &refused);
    assert_eq!(told.approved, ["email.search"]);
    assert_eq!(told.rejected, ["email.delete", "email.send"]);
    assert_eq!(told.used, ["email.search"]);
    assert_eq!(tool_use(&[], None, &Default::default()), Default::default());
}

#[test]
fn chooses_specialised_tools_for_their_work() {
    for (text, wanted) in [
        ("why does this Rust function not compile?", Some("code")),
        ("write a regular expression for dates", Some("code")),
        ("proofread this cover letter", Some("writing")),
        ("compare the two offers, pros and cons", Some("analysis")),
        ("help me plan my week, I am overwhelmed", Some("planning")),
        (
            "explain how photosynthesis works in simple terms",
            Some("explaining"),
        ),
        ("translate this into French", Some("translation")),
        (
            "summarise the key points of this thread",
            Some("summarising"),
        ),
        ("gift ideas for my brother", Some("brainstorming")),
        (
            "what is the monthly interest on a loan of 5000",
            Some("numbers"),
        ),
        (
            "should I talk to my boss about the conflict",
            Some("advice"),
        ),
        ("hello", None),
        ("thanks a lot", None),
        ("", None),
    ] {
        assert_eq!(specialist(text).map(|one| one.name), wanted, "{text}");
    }
}

fn any_spec() -> impl Strategy<Value = ToolSpec> {
    (
        prop_oneof!["mcp\\.[a-z]{1,8}\\.[a-z_]{1,30}", "[a-z]{1,8}\\.[a-z]{1,8}"],
        ".{0,400}",
        prop::collection::vec(("[a-z_]{1,20}", ".{0,200}"), 0..12),
        prop_oneof![
            Just(Domain::Task),
            Just(Domain::Email),
            Just(Domain::Research)
        ],
    )
        .prop_map(|(name, description, fields, domain)| {
            let properties: serde_json::Map<_, _> = fields
                .into_iter()
                .map(|(name, note)| (name, json!({"type": "string", "description": note})))
                .collect();
            ToolSpec {
                domain,
                server: None,
                ..tool(
                    name,
                    description,
                    json!({"type": "object", "properties": properties}),
                )
            }
        })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]
    #[test]
    fn no_set_of_tools_exceeds_the_budget(
        specs in prop::collection::vec(any_spec(), 0..40),
        text in ".{0,200}",
        budget in 0_u64..2_000,
    ) {
        let retriever = Retriever::new(&specs, None);
        let found = retriever.select(&text, &[Domain::Task], &[], None, budget);
        prop_assert!(found.page.tokens <= budget);
        let foreign = found.page.foreign.as_ref().map_or("", |one| one.text());
        let real = estimate(&found.page.own) + estimate(foreign) + estimate(&found.page.rows);
        prop_assert!(real <= budget.max(found.page.tokens), "{real} > {budget}");
        let again = retriever.select(&text, &[Domain::Task], &[], None, budget);
        prop_assert_eq!(found, again);
    }
}
