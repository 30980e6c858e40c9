//! Tests that vectors are paid for like answers.

use async_trait::async_trait;

use super::*;

struct Vectors(Result<(), ModelFault>);

#[async_trait]
impl Embedder for Vectors {
    fn id(&self) -> String {
        "lab/vectors".into()
    }

    async fn embed(&self, texts: Vec<String>) -> Result<Vec<Vec<f32>>, ModelFault> {
        self.0.clone().map(|()| vec![vec![0.5]; texts.len()])
    }
}

#[tokio::test]
async fn vectors_are_paid_for_too() {
    let world = world(SpendLimits {
        background_day: 40,
        ..OPEN
    });
    let mut price = profile("lab/vectors");
    price.input_micros_per_million = 2_000_000;
    let embedder = |answer| {
        GovernedEmbedder::new(
            Arc::new(Vectors(answer)),
            price.clone(),
            Purpose::Background,
            world.costs.clone(),
        )
    };
    let vectors = embedder(Ok(())).embed(vec!["Twelve chars".into()]).await;
    assert_eq!(vectors, Ok(vec![vec![0.5]]));
    let fault = ModelFault::Key {
        model: "lab/vectors".into(),
    };
    let failed = embedder(Err(fault.clone())).embed(vec!["x".into()]).await;
    assert_eq!(failed, Err(fault));
    let long = embedder(Ok(())).embed(vec!["word ".repeat(100)]).await;
    assert!(matches!(long, Err(ModelFault::OverLimit(_))), "{long:?}");
    let calls = world.calls().await;
    let costs: Vec<_> = calls
        .iter()
        .map(|call| {
            let spent = call.spent.as_ref().expect("it ended");
            (call.reserved.stage, spent.state, spent.usage.cost_micros)
        })
        .collect();
    assert_eq!(
        costs,
        [
            (Stage::Embed, CallState::Failed, 0),
            (Stage::Embed, CallState::Done, 4)
        ]
    );
}
