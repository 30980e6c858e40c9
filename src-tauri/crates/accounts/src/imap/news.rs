//! Waits for changes that the server announces (IDLE, RFC 2177).

use std::time::Duration;

use adjutant_domain::operation::RemoteFault;

use super::reply::{Reply, Status, Untagged};
use super::session::Session;
use super::wire::Broken;

/// Interval after which IDLE is renewed. Servers end it after 30 minutes, and routers drop connections that are silent
/// for less than that.
const AGAIN_AFTER: Duration = Duration::from_secs(9 * 60);

impl Session {
    /// Waits until the server announces that a mail in the open mailbox arrived, left or changed its flags.
    ///
    /// # Errors
    /// Returns a fault if the connection breaks.
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

    /// Runs one IDLE command and returns whether something changed.
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
        // If the wait timed out, the server announced nothing.
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
