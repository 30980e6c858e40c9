//! Tests of the sample data, including the conversations of its fictional person.

use adjutant_api::rows::Rows;
use adjutant_api::{Reply, Topic};

use super::{data, world};
use crate::service::show::{self, ShowParams};

#[tokio::test]
async fn sample_data_contains_memories_effects_and_waiting_cards() {
    let world = world().await;
    for _ in 0..2 {
        data::fill(&world.service).await.expect("filled once");
    }
    let rows = async |topic| match show::reply(&world.service, topic, &ShowParams::default()).await
    {
        Ok(Reply::Rows { rows, .. }) => rows,
        other => panic!("{other:?}"),
    };
    let Rows::Memories(memories) = rows(Topic::Memories).await else {
        panic!("memories");
    };
    assert_eq!(memories.len(), 1, "{memories:?}");
    let Rows::Approvals(waiting) = rows(Topic::Approvals).await else {
        panic!("approvals");
    };
    assert_eq!(waiting.len(), 1, "{waiting:?}");
    assert!(waiting[0].shown.title.contains("Lunch with Sofia"));
    let Rows::Activity(done) = rows(Topic::Activity).await else {
        panic!("activity");
    };
    assert_eq!(done.len(), 2, "{done:?}");
}
