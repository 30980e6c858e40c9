//! What the tools of the web promise.

use std::sync::Arc;
use std::time::Duration;

use adjutant_domain::ports::{
    Lookup, NoLookup, Pages, Reach, SearchEngine, SearchResult, Snapshot, SourceAddress,
    SourceFault,
};
use adjutant_domain::source::Taint;
use adjutant_testkit::World;
use async_trait::async_trait;
use serde_json::json;

use crate::testing::{check, observe};

const NOW: &str = "2026-01-14T10:00:00+01:00[Europe/Berlin]";

/// A web of one page.
pub(crate) struct OnePage;

#[async_trait]
impl SearchEngine for OnePage {
    fn name(&self) -> &str {
        "A test"
    }

    fn reach(&self) -> Reach {
        Reach::Here
    }

    async fn search(
        &self,
        _: &str,
        _: usize,
        _: Duration,
    ) -> Result<Vec<SearchResult>, SourceFault> {
        Ok(vec![SearchResult {
            title: "Tower [x](https://evil.example)".into(),
            at: SourceAddress::Page {
                url: "https://a.example/".into(),
            },
            snippet: "Built <b>in</b> 1874.".into(),
            taint: Taint::Tainted,
        }])
    }
}

#[async_trait]
impl Pages for OnePage {
    async fn open(&self, address: &SourceAddress, _: Duration) -> Result<Snapshot, SourceFault> {
        Ok(Snapshot {
            address: address.clone(),
            final_address: address.clone(),
            title: "Tower".into(),
            text: "Built in 1874.\n\n![x](https://evil.example/?q=1)".into(),
            fetched_at: jiff::Timestamp::UNIX_EPOCH,
            sha256: "0".into(),
            media: "text/html".into(),
            cut: false,
            taint: Taint::Tainted,
        })
    }
}

impl Lookup for OnePage {
    fn outside(&self) -> Result<Arc<dyn SearchEngine>, SourceFault> {
        Ok(Arc::new(Self))
    }

    fn own(&self) -> Arc<dyn SearchEngine> {
        NoLookup.own()
    }

    fn pages(&self) -> Arc<dyn Pages> {
        Arc::new(Self)
    }
}

fn world() -> World {
    let mut world = World::at(NOW);
    world.cx.lookup = Arc::new(OnePage);
    world
}

#[tokio::test]
async fn without_an_engine_it_says_what_to_do() {
    let stopped = observe(&World::at(NOW), "web.search", json!({"query": "x"})).await;
    let said = format!("{stopped:?}");
    assert!(said.contains("web.search.engine wikipedia"), "{said}");
    let stopped = observe(&world(), "web.read", json!({"url": "the report"})).await;
    assert!(format!("{stopped:?}").contains("not the address of a page"));
}

#[tokio::test]
async fn text_of_others_is_shown_with_its_source_and_links_nowhere() {
    check(
        world,
        &[
            (
                "web.search",
                json!({"query": "tower"}),
                "What the web says about “tower”, by A test:\n\n1. Tower (x)(https://evil.example): “Built ‹b›in‹/b› 1874.”\n   https://a.example/",
            ),
            (
                "web.read",
                json!({"url": "https://a.example/"}),
                "Tower\n\n> Built in 1874.\n>\n> !(x)(https://evil.example/?q=1)\n\nSource: https://a.example/",
            ),
        ],
    )
    .await;
}
