//! Waiting for what a server says by itself (IDLE, RFC 2177).

use std::time::Duration;

use adjutant_domain::operation::RemoteFault;

use super::reply::{Reply, Status, Untagged};
use super::session::Session;
use super::wire::Broken;

/// The request to tell what comes is made again after this time: servers end it after 30 minutes, and routers on the way
/// forget connections that are silent for less.
const AGAIN_AFTER: Duration = Duration::from_secs(9 * 60);

impl Session {
    /// Waits until the server says that something in the open mailbox came, went or was marked.
    ///
    /// # Errors
    /// When the connection breaks.
    pub(super) async fn until_changed(&mut self) -> Result<(), RemoteFault> {
        loop {
            match self.idle().await {
                Ok(true) => return Ok(()),
                Ok(false) => {}
                Err(broken) => {
                    self.is_broken = true;
                    return Err(broken.unread());
                }
            }
        }
    }

    /// Listens for a while. Tells whether there is news.
    async fn idle(&mut self) -> Result<bool, Broken> {
        self.tag += 1;
        let tag = format!("a{}", self.tag);
        let mut said = Vec::new();
        self.wire
            .write(format!("{tag} IDLE\r\n").as_bytes())
            .await?;
        if self.until(&tag, &mut said).await?.is_some() {
            return Err(Broken::Nonsense);
        }
        let mut is_news = said.iter().any(is_change);
        self.wire.set_silent(AGAIN_AFTER * 2);
        let listened = tokio::time::timeout(AGAIN_AFTER, async {
            while !is_news {
                self.wire.heard().await?;
                is_news = match self.next_reply().await? {
                    Reply::Untagged(Untagged::Condition(condition))
                        if condition.status == Status::Bye =>
                    {
                        return Err(Broken::Closed);
                    }
                    Reply::Untagged(said) => is_change(&said),
                    Reply::GoOn | Reply::Done { .. } => return Err(Broken::Nonsense),
                };
            }
            Ok(())
        });
        // Otherwise nothing was said for so long.
        if let Ok(heard) = listened.await {
            heard?;
        }
        self.wire.set_silent(self.patience.silent);
        self.wire.write(b"DONE\r\n").await?;
        let mut said = Vec::new();
        match self.until(&tag, &mut said).await? {
            Some(condition) if condition.status == Status::Ok => {
                Ok(is_news || said.iter().any(is_change))
            }
            _ => Err(Broken::Nonsense),
        }
    }
}

fn is_change(said: &Untagged) -> bool {
    matches!(
        said,
        Untagged::Exists(_) | Untagged::Expunged | Untagged::Vanished(_) | Untagged::Fetch(_)
    )
}
