//! Tests of the cost stated before models are paid.

use adjutant_api::Reply;
use adjutant_api::usage::EstimateRow;
use adjutant_domain::model::{
    CallState, Ledger as _, Purpose, Reservation, Spent, Stage, Tier, Usage, tokens,
};
use adjutant_settings::Spend;

use super::{Service, config, connect, draft, estimate, models, world_of};

#[tokio::test]
async fn one_price_does_not_imply_the_other_direction_is_free() {
    const CHAT: &str = "Tell me a story about a dragon";
    let world = world_of(false).await;
    let put = async |input, free: Option<bool>| {
        let mut draft = draft("far");
        for model in draft.models.values_mut() {
            model.input_micros_per_million = input;
            model.free = free;
        }
        connect(&world, draft, None).await.expect("kept");
        let told = estimate::of_message(&world.service, "main", CHAT, None).await;
        told.expect("told").expect("connected")
    };
    let half = put(1_000_000, None).await;
    let output = half.requests[0].output;
    assert!(half.at_most_micros > output * 20, "{half:?}");
    let note = half.unpriced.expect("one price is not known");
    assert!(note.contains("--free"), "{note}");
    assert!(note.contains("1.00 for a million input"), "{note}");
    let unknown = put(0, None).await;
    assert!(unknown.unpriced.is_some() && unknown.at_most_micros > half.at_most_micros);
    let free = put(0, Some(true)).await;
    assert_eq!((free.at_most_micros, free.unpriced), (0, None));
    // A candidate that is only compared is never asked for an answer.
    connect(&world, draft("candidate"), None)
        .await
        .expect("kept");
    let both = estimate::of_message(&world.service, "main", CHAT, None).await;
    assert!(both.expect("told").expect("connected").unpriced.is_some());
    config::set(&world.service, "models.shadow", Some("candidate"))
        .await
        .expect("set");
    let live = estimate::of_message(&world.service, "main", CHAT, None).await;
    assert_eq!(live.expect("told").expect("connected").unpriced, None);
    models::disconnect(&world.service.models, "candidate")
        .await
        .expect("gone");
    let Reply::Models { models } = models::show(&world.service.models).await else {
        panic!("models");
    };
    assert_eq!(models.note, None);
    assert_eq!(models.connections[0].models["standard"].free, Some(true));
}

#[tokio::test]
async fn estimates_use_the_most_expensive_possible_model() {
    const CHAT: &str = "Tell me a story about a dragon";
    let world = world_of(false).await;
    let told = |text: &'static str| estimate::of_message(&world.service, "main", text, None);
    assert_eq!(told(CHAT).await, Ok(None), "no model, no cost");
    let priced = |name: &str, input, output| {
        let mut draft = draft(name);
        for model in draft.models.values_mut() {
            model.context_tokens = 100_000;
            model.input_micros_per_million = input;
            model.output_micros_per_million = output;
        }
        draft
    };
    connect(&world, priced("cheap", 1_000_000, 2_000_000), None)
        .await
        .expect("kept");
    let cheap = told(CHAT).await.expect("told").expect("connected");
    let deep = estimate::of_message(&world.service, "main", CHAT, Some(Tier::Deep))
        .await
        .expect("told")
        .expect("connected");
    let answers = |one: &&EstimateRow| one.stage == "respond";
    assert_eq!(
        deep.requests.iter().find(answers).expect("an answer").tier,
        "deep"
    );
    assert_eq!(
        cheap.requests.iter().find(answers).expect("an answer").tier,
        "standard"
    );
    // One answer: 2000 tokens sent at 2, and its budget received at 1, in millionths.
    let [answer] = cheap.requests.as_slice() else {
        panic!("{cheap:?}");
    };
    assert_eq!((answer.stage.as_str(), answer.times), ("respond", 1));
    assert_eq!(answer.model, "cheap/m");
    assert_eq!(cheap.at_most_micros, answer.input + answer.output * 2);
    assert!((8_000..8_100).contains(&answer.input), "{answer:?}");
    assert_eq!(
        (cheap.currency.as_str(), cheap.over_call_limit),
        ("USD", false)
    );
    connect(&world, priced("dear", 100_000_000, 2_000_000), None)
        .await
        .expect("kept");
    let dear = told(CHAT).await.expect("told").expect("connected");
    assert!(dear.at_most_micros > 50 * cheap.at_most_micros, "{dear:?}");
    assert!(dear.over_call_limit);
    let sure = "Add a task to call mom tomorrow at 5pm";
    let none = told(sure).await.expect("told").expect("connected");
    assert_eq!((none.requests.len(), none.at_most.as_str()), (0, "0.00"));
}

/// Records a request that was answered.
async fn asked(service: &Service, stage: Stage, purpose: Purpose, input: u64, output: u64) {
    let wanted = Reservation {
        at: service.now(),
        turn: None,
        stage,
        tier: Tier::Standard,
        purpose,
        model: "live/m".into(),
        prompt: String::new(),
        input_chars: 4 * input,
        worst_micros: 1,
    };
    let reserved = service.store.reserve(wanted, Spend::default().limits());
    let id = reserved.await.expect("stored").expect("allowed");
    let spent = Spent {
        state: CallState::Done,
        usage: Usage {
            input,
            output,
            ..Usage::default()
        },
        first_ms: Some(1),
        ms: 2,
        fault: None,
    };
    service.store.settle(id, spent).await.expect("stored");
}

#[tokio::test]
async fn estimates_comparisons_at_the_candidates_prices() {
    let world = world_of(false).await;
    let service = &world.service;
    let mut dear = draft("dear");
    let mut small = dear.models["standard"].clone();
    for (model, price) in [
        (dear.models.get_mut("standard").expect("one"), 10_000_000),
        (&mut small, 1_000_000),
    ] {
        model.input_micros_per_million = price;
        model.output_micros_per_million = 4 * price;
    }
    small.id = "small".into();
    dear.models.insert("fast".into(), small);
    connect(&world, dear, None).await.expect("kept");
    connect(&world, draft("unpriced"), None)
        .await
        .expect("kept");
    let told = async |name: &str| {
        let told = estimate::of_comparison(service, name).await;
        told.expect("told")
    };
    let none = told("dear").await;
    assert_eq!((none.requests.len(), none.at_most_micros), (0, 0));
    assert_eq!(told("unpriced").await.unpriced, None, "nothing is counted");

    asked(service, Stage::Plan, Purpose::Foreground, 1_000, 100).await;
    asked(service, Stage::Plan, Purpose::Foreground, 2_000, 300).await;
    asked(service, Stage::Route, Purpose::Foreground, 500, 50).await;
    // These are not compared.
    asked(service, Stage::Respond, Purpose::Foreground, 9_000, 900).await;
    asked(service, Stage::Plan, Purpose::Background, 9_000, 900).await;
    let all = told("dear").await;
    let rows: Vec<_> = all
        .requests
        .iter()
        .map(|row| (row.stage.as_str(), row.model.as_str(), row.times, row.input))
        .collect();
    assert_eq!(
        rows,
        [
            ("route", "dear/small", 1, 500),
            ("plan", "dear/m", 2, 1_500)
        ]
    );
    // Per million: 500 and 50 tokens at 1 and 4; 3000 and 400 at 10 and 40.
    assert_eq!(all.at_most_micros, 500 + 200 + 30_000 + 16_000);
    assert_eq!((all.days, all.unpriced), (Some(31), None));
    let limit = service.settings().models.spend.limits().background_day;
    assert_eq!(all.day_limit_micros, Some(limit));
    let unknown = told("unpriced").await;
    assert!(unknown.unpriced.is_some() && unknown.at_most_micros > 0);
    let nobody = estimate::of_comparison(service, "nobody").await;
    assert_eq!(nobody.expect_err("there is none").code, "not_found");
}

#[tokio::test]
async fn estimates_vectors_before_making_them() {
    let world = world_of(false).await;
    let service = &world.service;
    let priced = |name: &str| {
        let mut draft = draft(name);
        for model in draft.models.values_mut() {
            model.input_micros_per_million = 2_000_000;
            model.output_micros_per_million = 2_000_000;
        }
        draft.embedding = Some("v".into());
        draft
    };
    let told = async |draft| estimate::of_vectors(service, draft).await.expect("told");
    let first = told(priced("far")).await;
    let [row] = first.requests.as_slice() else {
        panic!("{first:?}");
    };
    let texts = service.engine.tool_texts();
    let tokens: u64 = texts.iter().map(|text| tokens::estimate(text)).sum();
    assert_eq!((row.stage.as_str(), row.model.as_str()), ("embed", "far/v"));
    assert_eq!(row.times, texts.len().div_ceil(64) as u64);
    assert_eq!(first.at_most_micros, 2 * tokens);
    assert!(first.day_limit.is_some());
    let mut unpriced = priced("far");
    unpriced.models = draft("far").models;
    assert!(told(unpriced).await.unpriced.is_some());
    assert!(told(draft("far")).await.requests.is_empty(), "no model");
    // Another connection already makes them.
    connect(&world, priced("first"), None).await.expect("kept");
    assert!(told(priced("far")).await.requests.is_empty());
    let wrong = estimate::of_vectors(service, draft("a/b")).await;
    assert_eq!(wrong.expect_err("no name").code, "name");
}
