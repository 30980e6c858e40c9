//! Tests of which tier answers, and of cheaper tiers once the money is spent.

use std::collections::BTreeMap;

use adjutant_domain::model::Tier;

use super::*;
use crate::tiers::Tiers;

fn tiers(
    models: [(Tier, &Arc<Script>); 3],
    allowed: &[Tier],
    local: Option<&Arc<Script>>,
) -> Tiers {
    let chains: BTreeMap<Tier, Arc<dyn ChatModel>> = models
        .into_iter()
        .map(|(tier, model)| (tier, model.clone() as Arc<dyn ChatModel>))
        .collect();
    Tiers::new(
        chains,
        allowed,
        local.map(|model| model.clone() as Arc<dyn ChatModel>),
    )
}

fn of_tier(tier: Tier) -> ModelRequest {
    ModelRequest { tier, ..request() }
}

#[tokio::test]
async fn the_requested_tier_answers_if_allowed() {
    let (fast, standard, deep) = (
        Script::says("lab/fast", "f"),
        Script::says("lab/standard", "s"),
        Script::says("lab/deep", "d"),
    );
    let models = [
        (Tier::Fast, &fast),
        (Tier::Standard, &standard),
        (Tier::Deep, &deep),
    ];
    use Tier::{Deep, Fast, Standard};
    for (allowed, asked, who) in [
        (&Tier::ALL[..], Deep, Some("lab/deep")),
        (&Tier::ALL[..], Fast, Some("lab/fast")),
        (&[Fast, Standard][..], Deep, Some("lab/standard")),
        (&[Fast][..], Standard, Some("lab/fast")),
        (&[Standard, Deep][..], Fast, Some("lab/standard")),
        (&[Deep][..], Fast, Some("lab/deep")),
        (&[][..], Standard, None),
    ] {
        let told = all(&tiers(models, allowed, None), of_tier(asked)).await;
        let expected = who.map_or(Err(ModelFault::None), |id| answering(id, None));
        assert_eq!(told[0], expected, "{asked:?} of {allowed:?}");
    }
    assert_eq!(tiers(models, &[], None).profile().id, "none");
    assert_eq!(tiers(models, &[Fast], None).profile().id, "lab/fast");
}

#[tokio::test]
async fn steps_down_and_says_so_when_the_money_is_spent() {
    let deep = Script::fails("lab/deep", over(Limit::Call));
    let standard = Script::fails("lab/standard", over(Limit::Day));
    let fast = Script::fails("lab/fast", over(Limit::Month));
    let models = [
        (Tier::Fast, &fast),
        (Tier::Standard, &standard),
        (Tier::Deep, &deep),
    ];
    let local = Script::says("here/small", "l").with(|profile| profile.local = true);

    let told = all(
        &tiers(models, &Tier::ALL, Some(&local)),
        of_tier(Tier::Deep),
    )
    .await;
    let why =
        |limit: &str, who: &str| format!("the limit for {limit} is reached, so {who} answers");
    assert_eq!(
        told,
        [
            answering("lab/deep", None),
            answering("lab/standard", Some(&why("one request", "a cheaper model"))),
            answering("lab/fast", Some(&why("today", "a cheaper model"))),
            answering(
                "here/small",
                Some(&why("this month", "a model on this computer"))
            ),
            token("l"),
            end(),
        ]
    );
    // Without a local model, the fault names the limit of the cheapest one. More expensive ones are not asked.
    let told = all(&tiers(models, &Tier::ALL, None), of_tier(Tier::Standard)).await;
    assert_eq!(told.last(), Some(&Err(over(Limit::Month))));
    assert_eq!(deep.calls(), 1);
    // The chain handles other faults.
    let broken = Script::fails(
        "lab/fast",
        ModelFault::Key {
            model: "lab/fast".into(),
        },
    );
    let models = [
        (Tier::Fast, &broken),
        (Tier::Standard, &broken),
        (Tier::Deep, &broken),
    ];
    let told = all(
        &tiers(models, &Tier::ALL, Some(&local)),
        of_tier(Tier::Deep),
    )
    .await;
    assert!(
        matches!(told.last(), Some(Err(ModelFault::Key { .. }))),
        "{told:?}"
    );
    assert_eq!((local.calls(), broken.calls()), (1, 1));
}

#[tokio::test]
async fn asks_one_model_for_every_tier_only_once() {
    let only = Script::fails("lab/only", over(Limit::Day));
    let models = [
        (Tier::Fast, &only),
        (Tier::Standard, &only),
        (Tier::Deep, &only),
    ];
    let told = all(&tiers(models, &Tier::ALL, None), of_tier(Tier::Deep)).await;
    assert_eq!(told, [answering("lab/only", None), Err(over(Limit::Day))]);
    assert_eq!(only.calls(), 1);
}
