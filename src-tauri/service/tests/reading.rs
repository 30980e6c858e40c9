//! Tests of a profile opened read-only, although a model is connected.

use super::{World, connect, draft, world};
use crate::compose::compose_with;
use crate::profile::Options;
use crate::profile::ProfileLocation;
use crate::service::Service;

#[tokio::test]
async fn opens_a_profile_with_a_connection_read_only() {
    let world = world().await;
    connect(&world, draft("near"), None).await.expect("kept");
    let World {
        home,
        ring,
        service,
    } = world;
    service.models.settled().await;
    drop(service);
    let options = Options {
        home: Some(home.path().to_path_buf()),
        offline: true,
        read_only: true,
        ..Options::default()
    };
    let place = ProfileLocation::find(Some(home.path()), None).expect("a place");
    let composed = compose_with(&place.dir(), &options, ring).await;
    let composed = composed.unwrap_or_else(|fault| panic!("{fault:?}"));
    let opened = Service::open_with(&place, &options, None, composed).await;
    let service = opened.unwrap_or_else(|fault| panic!("{fault:?}"));
    assert_eq!(service.models.all().len(), 1);
    assert!(service.models.answering().is_some());
}
