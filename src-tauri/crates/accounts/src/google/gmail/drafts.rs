//! Reads and writes Gmail drafts. A draft keeps its id while its message is replaced, so the two ids together identify
//! a text.

use adjutant_domain::ids::RemoteId;
use adjutant_domain::operation::RemoteFault;
use adjutant_domain::ports::DraftBackend;
use async_trait::async_trait;

use super::{Gmail, mail};
use crate::google::gmail::wire::Draft;

/// Maximum number of pages listed, with 500 drafts each.
const PAGES_MAX: usize = 10;

#[async_trait]
impl DraftBackend for Gmail {
    fn is_writable(&self) -> bool {
        self.writable
    }

    async fn drafts(&self) -> Result<Option<Vec<RemoteId>>, RemoteFault> {
        let (mut all, mut page) = (Vec::new(), None);
        for _ in 0..PAGES_MAX {
            let listed = self.api.drafts(page.as_deref()).await?;
            all.extend(listed.drafts.iter().filter_map(name));
            page = listed.next_page_token;
            if page.is_none() {
                // Gmail lists the newest first.
                all.reverse();
                return Ok(Some(all));
            }
        }
        let what = "there are more drafts than Adjutant reads".to_owned();
        Err(RemoteFault::Refused { what })
    }

    async fn draft(&self, id: &RemoteId) -> Result<Vec<u8>, RemoteFault> {
        let (draft, message) = parts(id)?;
        let found = self.api.draft(draft).await?;
        if found.message.id != message {
            return Err(RemoteFault::Gone);
        }
        let source = found.message.raw.as_deref().and_then(mail::decoded);
        source.ok_or_else(|| RemoteFault::Refused {
            what: "what Google has of this draft cannot be read".into(),
        })
    }

    async fn put_draft(
        &self,
        mime: &str,
        replaces: Option<&RemoteId>,
    ) -> Result<RemoteId, RemoteFault> {
        let old = replaces.map(parts).transpose()?;
        let put = self.api.put_draft(mime, old.map(|(draft, _)| draft)).await;
        let put = put.map_err(|failed| failed.fault())?;
        name(&put).ok_or_else(|| RemoteFault::Refused {
            what: "Google's answer cannot be read".into(),
        })
    }

    async fn drop_draft(&self, id: &RemoteId) -> Result<(), RemoteFault> {
        let (draft, _) = parts(id)?;
        match self.api.drop_draft(draft).await {
            Ok(()) => Ok(()),
            Err(failed) if failed.status() == Some(404) => Ok(()),
            Err(failed) => Err(failed.fault()),
        }
    }
}

fn name(draft: &Draft) -> Option<RemoteId> {
    let is_plain = |id: &str| !id.is_empty() && !id.contains('/');
    let fits = is_plain(&draft.id) && is_plain(&draft.message.id);
    fits.then(|| RemoteId(format!("{}/{}", draft.id, draft.message.id)))
}

fn parts(id: &RemoteId) -> Result<(&str, &str), RemoteFault> {
    id.0.split_once('/').ok_or(RemoteFault::Gone)
}
