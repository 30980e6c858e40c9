//! Reads Google's paged lists.

use adjutant_domain::operation::{RemoteFault, Why};
use serde::Deserialize;
use serde::de::DeserializeOwned;

use super::client::{Ask, Client, Failed};

/// Maximum number of pages in one list.
const PAGES_MAX: usize = 20;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Page<T> {
    /// Google's `kind`, which is checked: any other readable JSON would look like an empty list.
    kind: String,
    #[serde(default = "Vec::new")]
    items: Vec<T>,
    next_page_token: Option<String>,
}

impl Client {
    /// Reads a whole list of this kind. Never returns part of it, since missing entries would count as deleted.
    pub(super) async fn all<T: DeserializeOwned>(
        &self,
        ask: Ask<'_>,
        kind: &str,
    ) -> Result<Vec<T>, RemoteFault> {
        let mut all = Vec::new();
        let mut token: Option<String> = None;
        for _ in 0..PAGES_MAX {
            let mut ask = ask.clone();
            if let Some(token) = &token {
                ask = ask.with("pageToken", token);
            }
            let page: Page<T> = self.json(ask).await.map_err(Failed::fault)?;
            if page.kind != kind {
                return Err(Failed::Unknown(Why::Unreadable).fault());
            }
            all.extend(page.items);
            match page.next_page_token {
                Some(next) => token = Some(next),
                None => return Ok(all),
            }
        }
        Err(RemoteFault::Refused {
            what: "Google's list has no end".to_owned(),
        })
    }
}
