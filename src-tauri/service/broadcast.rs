//! Broadcasts events to everyone who follows the profile, and chooses who shows a reminder.
//!
//! A reminder is shown once: by the front end that has offered to show them ([`adjutant_api::Request::Notify`]) for the
//! longest time, otherwise by the process that holds the profile. All others only receive it as an event.

use std::sync::{Mutex, MutexGuard, PoisonError};

use adjutant_api::{EventBody, Fault, Reply};
use tokio::sync::broadcast;

use super::{Service, Sink};

/// Number of events a follower may lag behind before it misses some; they are for display only.
const FOLLOWERS_LAG_MAX: usize = 256;
/// Maximum number of front ends waiting to show reminders.
const NOTIFIERS_MAX: usize = 64;

/// The followers of the profile as a whole.
pub(super) struct Broadcast {
    told: broadcast::Sender<EventBody>,
    notifiers: Mutex<Notifiers>,
}

#[derive(Default)]
struct Notifiers {
    next: u64,
    /// Ordered by waiting time, longest first.
    waiting: Vec<(u64, Sink)>,
}

impl Default for Broadcast {
    fn default() -> Self {
        Self {
            told: broadcast::channel(FOLLOWERS_LAG_MAX).0,
            notifiers: Mutex::default(),
        }
    }
}

impl Broadcast {
    fn notifiers(&self) -> MutexGuard<'_, Notifiers> {
        self.notifiers
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }

    /// Sends an event to all followers.
    pub(super) fn tell(&self, body: EventBody) {
        // Having no followers is not an error.
        let _ = self.told.send(body);
    }

    pub(super) fn follow(&self) -> broadcast::Receiver<EventBody> {
        self.told.subscribe()
    }

    /// Offers a reminder to the waiting front ends until one accepts it, and tells all followers. Returns `false` if
    /// none accepted; the holder then shows it itself.
    pub(super) fn remind(&self, reminder: Reminder) -> bool {
        let taken = self
            .notifiers()
            .waiting
            .iter()
            .any(|(_, sink)| sink.offer(reminder.event(true)));
        self.tell(reminder.event(false));
        taken
    }

    fn join(&self, sink: &Sink) -> Option<Joined<'_>> {
        let mut notifiers = self.notifiers();
        if notifiers.waiting.len() >= NOTIFIERS_MAX {
            return None;
        }
        let number = notifiers.next;
        notifiers.next += 1;
        notifiers.waiting.push((number, sink.clone()));
        Some(Joined {
            broadcast: self,
            number,
        })
    }
}

/// A reminder to be shown.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Reminder {
    pub(super) task: String,
    pub(super) title: String,
    pub(super) at: String,
    pub(super) due: String,
    pub(super) missed: bool,
}

impl Reminder {
    fn event(&self, show: bool) -> EventBody {
        EventBody::Reminder {
            task: self.task.clone(),
            title: self.title.clone(),
            at: self.at.clone(),
            due: self.due.clone(),
            missed: self.missed,
            show,
        }
    }
}

/// A place among the front ends that show reminders, released when dropped.
struct Joined<'a> {
    broadcast: &'a Broadcast,
    number: u64,
}

impl Drop for Joined<'_> {
    fn drop(&mut self) {
        self.broadcast
            .notifiers()
            .waiting
            .retain(|(number, _)| *number != self.number);
    }
}

/// Sends reminders to a front end that shows them, until it disconnects.
pub(super) async fn notify(service: &Service, out: &Sink) -> Result<(), Fault> {
    // Reply before joining, so that the queue delivers the reply before any reminder.
    out.reply(Reply::Ok {}).await;
    let Some(_place) = service.broadcast.join(out) else {
        return Err(Fault {
            code: "busy".into(),
            message: "Too many windows are open to show reminders.".into(),
            hint: "Close one of them.".into(),
        });
    };
    tokio::select! {
        () = service.stop.cancelled() => {}
        () = out.closed() => {}
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::service::Frame;

    fn reminder(title: &str) -> Reminder {
        Reminder {
            task: "task_1".into(),
            title: title.into(),
            at: "11:15".into(),
            due: "2026-01-12T11:15:00+01:00".into(),
            missed: false,
        }
    }

    fn shown(frames: &mut crate::service::Frames) -> Vec<(String, bool)> {
        let mut shown = Vec::new();
        while let Ok(frame) = frames.try_recv() {
            if let Frame::Event(event) = frame
                && let EventBody::Reminder { title, show, .. } = event.body
            {
                shown.push((title, show));
            }
        }
        shown
    }

    #[test]
    fn one_shows_it_and_everybody_hears_of_it() {
        let broadcast = Broadcast::default();
        let mut following = broadcast.follow();
        assert!(!broadcast.remind(reminder("nobody")), "the holder shows it");

        let ((one, mut first), (two, mut second)) = (Sink::new(), Sink::new());
        let (_one, _two) = (broadcast.join(&one), broadcast.join(&two));
        assert!(broadcast.remind(reminder("stretch")));
        assert_eq!(shown(&mut first), [("stretch".to_owned(), true)]);
        assert_eq!(shown(&mut second), []);
        let heard: Vec<bool> = std::iter::from_fn(|| following.try_recv().ok())
            .filter_map(|body| match body {
                EventBody::Reminder { show, .. } => Some(show),
                _ => None,
            })
            .collect();
        assert_eq!(heard, [false, false], "followers are not asked to show it");
    }

    #[test]
    fn the_next_takes_over_from_one_that_is_gone() {
        let broadcast = Broadcast::default();
        let ((one, first), (two, mut second)) = (Sink::new(), Sink::new());
        let joined = broadcast.join(&one);
        let other = broadcast.join(&two);
        // Gone, but its place is not given up yet.
        drop(first);
        assert!(broadcast.remind(reminder("a")));
        assert_eq!(shown(&mut second), [("a".to_owned(), true)]);
        drop((joined, other));
        assert!(!broadcast.remind(reminder("b")), "no place is left over");
        assert_eq!(shown(&mut second), []);
    }

    #[test]
    fn places_are_limited() {
        let broadcast = Broadcast::default();
        let (sink, _frames) = Sink::new();
        let places: Vec<_> = (0..NOTIFIERS_MAX).map(|_| broadcast.join(&sink)).collect();
        assert!(places.iter().all(Option::is_some));
        assert!(broadcast.join(&sink).is_none());
    }
}
