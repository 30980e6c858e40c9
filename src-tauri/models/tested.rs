//! Tests a connection. A test is paid for, limited and recorded like any other call.

use std::collections::BTreeMap;
use std::sync::Arc;

use adjutant_domain::model::{ChatModel, Embedder, Purpose, Tier};
use adjutant_models::govern::{GovernedEmbedder, Governor};
use adjutant_models::probe::{ProbeAsks, ProbeReport, Subject, Verdict, probe};
use adjutant_models::tiers::Watched;

use super::{Connected, Models, stack};

impl Models {
    /// Tests the connection's model for a tier. Bypasses the breaker, since a person wants the result now. If the model
    /// answers, ends its pause.
    pub(crate) async fn test(&self, one: &Connected, tier: Tier, asks: ProbeAsks) -> ProbeReport {
        let connection = &one.connection;
        let keys = self
            .keys(std::slice::from_ref(connection), &BTreeMap::new())
            .await;
        let wanted = self.state().settings.models.clone();
        let bare = Subject::of(connection, tier, &self.net(), &keys);
        let costs = &self.0.shared.costs;
        let chat = bare.chat.map(|model| -> Arc<dyn ChatModel> {
            let patience = stack::patience(&wanted, model.profile().local);
            let watched = Arc::new(Watched::new(model, patience));
            Arc::new(Governor::new(watched, costs.clone()))
        });
        let embedder = bare.embedder.map(|embedder| {
            let inner = embedder?;
            let id = inner.id();
            let profile = connection.profile(tier)?;
            let profile = adjutant_domain::model::ModelProfile { id, ..profile };
            let paid = GovernedEmbedder::new(inner, profile, Purpose::Foreground, costs.clone());
            Some(Arc::new(paid) as Arc<dyn Embedder>)
        });
        let subject = Subject {
            name: bare.name,
            chat,
            embedder,
        };
        let report = probe(subject, asks).await;
        if report.chat == Verdict::Works {
            self.0.shared.gauges.renew(&connection.name);
        }
        report
    }
}
