//! A model from a file, in builds that can run one and in those that cannot.

use std::path::Path;
use std::sync::Arc;

use adjutant_domain::model::{ChatModel, ModelFault, ModelProfile};

use crate::connection::Connection;
pub use crate::gguf::{Facts, LOCAL_MODEL, WrongFile, check, name, ready};

/// Looks at a file closely: a process of its own reads its head.
///
/// # Errors
/// Why it is no model that can be run here, and what to do, in words for the person.
#[cfg(feature = "local-model")]
pub async fn look(path: &Path) -> Result<Facts, WrongFile> {
    check(path).await?;
    crate::local::look(&crate::gguf::program()?, path)
        .await
        .map_err(|why| WrongFile::Unusable(path.display().to_string(), why))
}

/// The same, in a build that can run none.
///
/// # Errors
/// Always.
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
