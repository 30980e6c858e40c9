//! Retrieval with hundreds of foreign tools registered: the page keeps its budget, and the right tool is on it.

use std::sync::Arc;

use super::*;
use crate::context::tokens::estimate;
use adjutant_domain::faults::ToolFault;
use adjutant_domain::gate::Risk;
use adjutant_domain::ports::{Calculated, Calculator};
use adjutant_domain::route::Domain;
use adjutant_domain::tool::ToolSpec;
use proptest::prelude::*;
use serde_json::{Value, json};

/// The tools' section (D1).
const BUDGET: u64 = 1_500;

struct NoCalculator;

impl Calculator for NoCalculator {
    fn evaluate(&self, _: &str, _: &jiff::Zoned) -> Result<Calculated, ToolFault> {
        Err(ToolFault::UnknownTool {
            name: "none".into(),
        })
    }
}

/// The tools there are.
fn own() -> Vec<ToolSpec> {
    adjutant_tools::all(Arc::new(NoCalculator))
        .iter()
        .map(|tool| tool.spec().clone())
        .collect()
}

fn tool(name: String, description: String, schema: Value) -> ToolSpec {
    ToolSpec {
        name,
        domain: Domain::Research,
        description,
        risk: Risk::Destroys,
        schema,
        phrases: Vec::new(),
    }
}

/// Servers as people connect them: name, what it is, the things it has.
const SERVERS: &[(&str, &str, &[&str])] = &[
    (
        "github",
        "GitHub",
        &["issue", "pull request", "branch", "release", "workflow run"],
    ),
    (
        "gitlab",
        "GitLab",
        &["merge request", "pipeline", "epic", "snippet", "runner"],
    ),
    (
        "jira",
        "Jira",
        &["ticket", "sprint", "board", "worklog", "component"],
    ),
    (
        "linear",
        "Linear",
        &[
            "cycle",
            "project milestone",
            "triage item",
            "roadmap",
            "label group",
        ],
    ),
    (
        "slack",
        "Slack",
        &[
            "channel",
            "direct message",
            "canvas",
            "user group",
            "reaction",
        ],
    ),
    (
        "notion",
        "Notion",
        &[
            "page",
            "database row",
            "block",
            "comment",
            "workspace member",
        ],
    ),
    (
        "confluence",
        "Confluence",
        &[
            "space",
            "wiki article",
            "whiteboard",
            "attachment",
            "template",
        ],
    ),
    (
        "salesforce",
        "Salesforce",
        &["lead", "opportunity", "account", "quote", "campaign"],
    ),
    (
        "stripe",
        "Stripe",
        &["invoice", "refund", "subscription", "payout", "coupon"],
    ),
    (
        "shopify",
        "Shopify",
        &[
            "product",
            "order",
            "discount code",
            "inventory level",
            "collection",
        ],
    ),
    (
        "aws",
        "AWS",
        &[
            "bucket",
            "lambda function",
            "instance",
            "log group",
            "hosted zone",
        ],
    ),
    (
        "kubernetes",
        "Kubernetes",
        &["pod", "deployment", "namespace", "secret", "ingress"],
    ),
    (
        "postgres",
        "PostgreSQL",
        &[
            "table",
            "index",
            "role",
            "materialized view",
            "replication slot",
        ],
    ),
    (
        "sentry",
        "Sentry",
        &[
            "error event",
            "alert rule",
            "replay",
            "release health",
            "team",
        ],
    ),
    (
        "datadog",
        "Datadog",
        &[
            "monitor",
            "dashboard",
            "metric",
            "synthetic check",
            "service level objective",
        ],
    ),
    (
        "figma",
        "Figma",
        &[
            "design file",
            "frame",
            "component set",
            "design token",
            "prototype",
        ],
    ),
    (
        "spotify",
        "Spotify",
        &["playlist", "track", "album", "podcast", "playback device"],
    ),
    (
        "hue",
        "Philips Hue",
        &["light", "scene", "room", "motion sensor", "bridge"],
    ),
    (
        "maps",
        "Maps",
        &[
            "route",
            "place",
            "travel time",
            "elevation",
            "street view image",
        ],
    ),
    (
        "weather",
        "Weather",
        &[
            "forecast",
            "air quality reading",
            "storm warning",
            "tide table",
            "pollen count",
        ],
    ),
    (
        "zendesk",
        "Zendesk",
        &[
            "support request",
            "macro",
            "satisfaction rating",
            "help center entry",
            "agent",
        ],
    ),
    (
        "trello",
        "Trello",
        &["card", "checklist", "list column", "power-up", "due badge"],
    ),
    (
        "dropbox",
        "Dropbox",
        &[
            "shared folder",
            "file request",
            "paper doc",
            "share link",
            "revision",
        ],
    ),
    (
        "banking",
        "Bank",
        &[
            "transaction",
            "standing order",
            "statement",
            "balance",
            "payee",
        ],
    ),
    (
        "flights",
        "Flights",
        &["flight", "fare", "seat map", "boarding pass", "airport"],
    ),
    (
        "hotels",
        "Hotels",
        &[
            "hotel",
            "room rate",
            "guest review",
            "booking",
            "loyalty card",
        ],
    ),
    (
        "fitness",
        "Fitness",
        &[
            "workout",
            "step count",
            "heart rate zone",
            "sleep record",
            "body weight",
        ],
    ),
    (
        "recipes",
        "Recipes",
        &[
            "recipe",
            "shopping list",
            "meal plan",
            "ingredient substitute",
            "nutrition label",
        ],
    ),
    (
        "stocks",
        "Stocks",
        &[
            "share price",
            "earnings report",
            "watchlist",
            "exchange rate",
            "dividend",
        ],
    ),
    (
        "news",
        "News",
        &[
            "headline",
            "press article",
            "topic feed",
            "source ranking",
            "archive edition",
        ],
    ),
];

/// Two tools for each thing: 300 in all.
fn foreign() -> Vec<ToolSpec> {
    let mut tools = Vec::new();
    for (number, (server, title, things)) in SERVERS.iter().enumerate() {
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

/// What people say, what the router made of it (nothing: it was unsure), and the tool that has to be on the page.
const QUERIES: &[(&str, &[Domain], &str)] = &[
    // Ours, with the route known.
    (
        "remind me to water the plants on Sunday",
        &[Domain::Task],
        "task.create",
    ),
    (
        "what do I still have to do this week",
        &[Domain::Task],
        "task.list",
    ),
    ("I finished the tax form", &[Domain::Task], "task.complete"),
    (
        "push the dentist reminder to Monday",
        &[Domain::Task],
        "task.update",
    ),
    (
        "drop the errand about the parcel",
        &[Domain::Task],
        "task.delete",
    ),
    (
        "am I free for lunch tomorrow",
        &[Domain::Calendar],
        "calendar.free",
    ),
    (
        "put dinner with Ana on Friday at eight",
        &[Domain::Calendar],
        "calendar.create",
    ),
    (
        "where is the workshop and who comes",
        &[Domain::Calendar],
        "calendar.read",
    ),
    (
        "move the review by an hour",
        &[Domain::Calendar],
        "calendar.update",
    ),
    (
        "tell them I accept the invitation",
        &[Domain::Calendar],
        "calendar.respond",
    ),
    (
        "cancel everything on Thursday afternoon",
        &[Domain::Calendar],
        "calendar.delete",
    ),
    (
        "did Nadia write anything about the lease",
        &[Domain::Email],
        "email.search",
    ),
    ("answer him that I agree", &[Domain::Email], "email.reply"),
    (
        "pass the contract on to my lawyer",
        &[Domain::Email],
        "email.forward",
    ),
    (
        "put all newsletters into the archive",
        &[Domain::Email],
        "email.archive",
    ),
    (
        "save the attached invoice",
        &[Domain::Email],
        "email.attachment",
    ),
    (
        "write to Bob that I am late",
        &[Domain::Email, Domain::Calendar],
        "email.send",
    ),
    (
        "jot down the idea for the garden",
        &[Domain::Note],
        "note.create",
    ),
    (
        "add milk to my shopping note",
        &[Domain::Note],
        "note.append",
    ),
    (
        "what is my wifi password",
        &[Domain::Memory],
        "memory.search",
    ),
    (
        "remember that Leo is allergic to nuts",
        &[Domain::Memory],
        "memory.store",
    ),
    ("forget my old address", &[Domain::Memory], "memory.forget"),
    (
        "find the lease in my documents",
        &[Domain::Files],
        "file.search",
    ),
    (
        "what is 18 percent of 240",
        &[Domain::Calc],
        "calc.evaluate",
    ),
    // Ours, with the router unsure.
    ("create a task for the quarterly report", &[], "task.create"),
    ("list my tasks that are overdue", &[], "task.list"),
    (
        "show the events of next week in my calendar",
        &[],
        "calendar.list",
    ),
    (
        "find free time for a meeting with the team",
        &[],
        "calendar.free",
    ),
    ("send an email to Kim about the delay", &[], "email.send"),
    (
        "forward the mail with its attachments",
        &[],
        "email.forward",
    ),
    (
        "search my notes for the recipe of the soup",
        &[],
        "note.search",
    ),
    ("delete the note on the old flat", &[], "note.delete"),
    ("what do you remember about my sister", &[], "memory.search"),
    (
        "search the files in my folder for the word budget",
        &[],
        "file.search",
    ),
    ("convert 12 miles to kilometers", &[], "calc.evaluate"),
    ("add Pia to my address book", &[], "contact.create"),
    // Of connected servers: the embedded router knows nothing of them.
    (
        "open a pull request on GitHub for the fix",
        &[],
        "mcp.github.pull_request",
    ),
    (
        "show me the open issues on github",
        &[],
        "mcp.github.list_issues",
    ),
    (
        "which pipelines failed in gitlab",
        &[],
        "mcp.gitlab.list_pipelines",
    ),
    ("log my work on the ticket in Jira", &[], "mcp.jira.worklog"),
    (
        "what is in the current sprint",
        &[],
        "mcp.jira.list_sprints",
    ),
    (
        "post to the marketing channel on Slack",
        &[],
        "mcp.slack.list_channels",
    ),
    (
        "find the onboarding wiki article",
        &[],
        "mcp.confluence.list_wiki_articles",
    ),
    (
        "list new leads in salesforce",
        &[],
        "mcp.salesforce.list_leads",
    ),
    (
        "refund the last payment in Stripe",
        &[],
        "mcp.stripe.refund",
    ),
    (
        "how many orders did the shop get today, shopify",
        &[],
        "mcp.shopify.list_orders",
    ),
    ("which pods are crashing", &[], "mcp.kubernetes.list_pods"),
    (
        "show the lambda functions",
        &[],
        "mcp.aws.list_lambda_functions",
    ),
    (
        "which monitors are alerting in datadog",
        &[],
        "mcp.datadog.list_monitors",
    ),
    ("make a playlist for running", &[], "mcp.spotify.playlist"),
    (
        "turn on the lights in the kitchen",
        &[],
        "mcp.hue.list_lights",
    ),
    (
        "how long is the travel time to the airport",
        &[],
        "mcp.maps.list_travel_times",
    ),
    (
        "what is the weather forecast for Saturday",
        &[Domain::Research],
        "mcp.weather.list_forecasts",
    ),
    ("add a card to my Trello board", &[], "mcp.trello.card"),
    (
        "share link for the photo folder on dropbox",
        &[],
        "mcp.dropbox.list_share_links",
    ),
    (
        "which transactions did my bank book yesterday",
        &[],
        "mcp.banking.list_transactions",
    ),
    (
        "find flights to Lisbon in May",
        &[],
        "mcp.flights.list_flights",
    ),
    (
        "how did I sleep, show my sleep records",
        &[],
        "mcp.fitness.list_sleep_records",
    ),
    ("a recipe with lentils", &[], "mcp.recipes.list_recipes"),
    (
        "the share price of Siemens",
        &[],
        "mcp.stocks.list_share_prices",
    ),
    ("today's headlines", &[], "mcp.news.list_headlines"),
    (
        "book a hotel room in Rome",
        &[],
        "mcp.hotels.list_room_rates",
    ),
    // Foreign and ours in one message.
    (
        "look up the open issues on GitHub and mail them to Kim",
        &[Domain::Email],
        "mcp.github.list_issues",
    ),
    (
        "put my flight to Oslo into the calendar",
        &[Domain::Calendar],
        "mcp.flights.list_flights",
    ),
];

/// Of the queries, so many find their tool, at least, in hundredths.
const RECALL_MIN: usize = 97;

#[test]
fn the_right_tool_is_found_among_hundreds() {
    let specs = everything();
    assert!(foreign().len() >= 300);
    let retriever = Retriever::new(&specs, None);
    let mut missed = Vec::new();
    for (text, domains, wanted) in QUERIES {
        assert!(specs.iter().any(|spec| spec.name == *wanted), "{wanted}");
        let found = retriever.select(text, domains, &[], None, BUDGET);
        assert!(found.page.tokens <= BUDGET, "{text}: {}", found.page.tokens);
        if !found.suggested.iter().any(|name| name == wanted) {
            missed.push(format!("{text}: {wanted} not in {:?}", found.suggested));
        }
    }
    let hits = QUERIES.len() - missed.len();
    assert!(
        hits * 100 >= QUERIES.len() * RECALL_MIN,
        "{hits} of {}:\n{}",
        QUERIES.len(),
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
fn the_page_is_what_it_says_it_costs() {
    let retriever = Retriever::new(&everything(), None);
    for (text, domains, _) in QUERIES {
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
fn vectors_find_what_words_do_not() {
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
fn a_message_that_leans_on_the_one_before_is_looked_for_with_it() {
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
fn what_became_of_suggestions_is_told() {
    use adjutant_domain::plan::{Plan, Step, StepDraft, StepState};
    let step = |tool: &str, state| Step {
        draft: StepDraft {
            tool: tool.into(),
            ..StepDraft::default()
        },
        state,
        result: None,
    };
    let plan = Plan {
        id: adjutant_domain::ids::PlanId("plan_1".into()),
        request: String::new(),
        asked: None,
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
    let told = ToolUse::of(Some(&selection), Some(&plan));
    assert_eq!(told.approved, ["email.delete", "email.search"]);
    assert_eq!(told.rejected, ["email.send"]);
    assert_eq!(told.used, ["email.search"]);
    assert_eq!(ToolUse::of(None, None), ToolUse::default());
}

#[test]
fn specialists_are_chosen_for_their_work() {
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
                ..tool(
                    name,
                    description,
                    json!({"type": "object", "properties": properties}),
                )
            }
        })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]
    #[test]
    fn no_set_of_tools_breaks_the_budget(
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
