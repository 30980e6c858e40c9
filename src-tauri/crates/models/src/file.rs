//! Models from files, in builds that can run them and in builds that cannot.

use std::path::Path;
use std::sync::Arc;

use adjutant_domain::model::{ChatModel, ModelFault, ModelProfile};

use crate::connection::Connection;
pub use crate::gguf::{Facts, LOCAL_MODEL, WrongFile, check, name, ready};

/// Inspects a file closely: a separate process reads its header.
///
/// # Errors
/// [`WrongFile`] if it is not a model that can be run here; its text says why and what to do.
#[cfg(feature = "local-model")]
pub async fn look(path: &Path) -> Result<Facts, WrongFile> {
    check(path).await?;
    crate::local::look(&crate::gguf::program()?, path)
        .await
        .map_err(|why| WrongFile::Unusable(path.display().to_string(), why))
}

/// Refuses every file, because this build cannot run models.
///
/// # Errors
/// Always: the error of [`check`], otherwise [`WrongFile::NotBuiltIn`].
#[cfg(not(feature = "local-model"))]
pub async fn look(path: &Path) -> Result<Facts, WrongFile> {
    check(path).await?;
    Err(WrongFile::NotBuiltIn)
}

#[cfg(feature = "local-model")]
pub(crate) fn open(
    connection: &Connection,
    profile: ModelProfile,
) -> Result<Arc<dyn ChatModel>, ModelFault> {
    crate::local::open(connection, profile)
}

#[cfg(not(feature = "local-model"))]
pub(crate) fn open(_: &Connection, _: ModelProfile) -> Result<Arc<dyn ChatModel>, ModelFault> {
    Err(ModelFault::Internal {
        why: WrongFile::NotBuiltIn.to_string(),
    })
}
