//! A stand-in for a model that cannot be used, so that an answer made without it can say why.

use std::sync::Arc;

use adjutant_domain::model::{ChatModel, ModelEvent, ModelFault, ModelProfile, ModelRequest, Tier};
use futures::StreamExt as _;
use futures::stream::{self, BoxStream};

/// Returns a stand-in that reports why no model answers; `None` if none was configured. Problems with the environment
/// come first, because it was set for this run.
pub(super) fn in_place(
    environment: Option<&str>,
    problems: &[(String, ModelFault)],
) -> Option<Arc<dyn ChatModel>> {
    let of_environment = environment.map(|why| ModelFault::Internal {
        why: why.trim_end_matches('.').to_owned(),
    });
    let fault = of_environment.or_else(|| problems.first().map(|(_, fault)| fault.clone()))?;
    Some(Arc::new(UnavailableModel(fault)))
}

struct UnavailableModel(ModelFault);

impl ChatModel for UnavailableModel {
    fn profile(&self) -> ModelProfile {
        ModelProfile {
            id: "none".into(),
            tier: Tier::Standard,
            context_tokens: u32::MAX,
            tools: true,
            structure: true,
            input_micros_per_million: 0,
            output_micros_per_million: 0,
            price_known: true,
            local: true,
        }
    }

    fn stream(
        &self,
        _request: Arc<ModelRequest>,
    ) -> BoxStream<'static, Result<ModelEvent, ModelFault>> {
        stream::iter([Err(self.0.clone())]).boxed()
    }
}
