//! Streams that end properly.

use adjutant_domain::model::{ModelEvent, ModelFault};
use futures::StreamExt as _;
use futures::stream::{self, BoxStream};

/// Passes a stream on up to its end or first fault. If it stops without either, adds
/// [`ModelFault::Cut`].
pub(crate) fn whole(
    model: String,
    stream: BoxStream<'static, Result<ModelEvent, ModelFault>>,
) -> BoxStream<'static, Result<ModelEvent, ModelFault>> {
    stream::unfold(Some((model, stream)), |state| async move {
        let (model, mut stream) = state?;
        match stream.next().await {
            None => Some((Err(ModelFault::Cut { model }), None)),
            Some(item @ (Err(_) | Ok(ModelEvent::End { .. }))) => Some((item, None)),
            Some(item) => Some((item, Some((model, stream)))),
        }
    })
    .boxed()
}
