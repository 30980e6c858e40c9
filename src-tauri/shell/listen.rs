//! Delivers engine events: to windows through their channels, to the shell's own tasks through a [`Listener`].

use std::sync::atomic::Ordering;

use adjutant::service::{Frame, Frames};
use adjutant_api::{Fault, Request, WireEvent};
use serde::Deserialize;
use tauri::async_runtime::{self, JoinHandle};
use tauri::ipc::Channel;
use tauri::{AppHandle, Manager, State, WebviewWindow};

use crate::bridge::{Bridge, fault};

/// Maximum number of subscriptions per window; a page needs one for each conversation it shows.
const SUBSCRIPTIONS_MAX: usize = 32;

/// One subscription of a page.
pub(crate) struct Subscription {
    pub(crate) window: String,
    pub(crate) channel: Channel<WireEvent>,
    pub(crate) task: JoinHandle<()>,
}

/// What a page subscribes to.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct From {
    /// The conversation; `None` for changes of data only.
    conversation: Option<String>,
    /// Number of the last event already received.
    from_seq: i64,
}

/// A stream of events of one conversation or of data changes. It continues if the process that held the profile ends.
pub(crate) struct Listener {
    app: AppHandle,
    /// Id of the conversation; empty for data changes.
    conversation: String,
    /// Number of the last event received.
    heard: i64,
    open: Option<Frames>,
}

impl Listener {
    /// Creates a listener for events after `heard`; without a conversation, for data changes.
    pub(crate) fn new(app: &AppHandle, conversation: Option<String>, heard: i64) -> Self {
        Self {
            app: app.clone(),
            conversation: conversation.unwrap_or_default(),
            heard,
            open: None,
        }
    }

    /// Returns the next event; `None` once the engine has closed.
    pub(crate) async fn next(&mut self) -> Result<Option<WireEvent>, Fault> {
        self.begin().await?;
        let Some(frames) = &mut self.open else {
            return Ok(None);
        };
        loop {
            match frames.recv().await {
                Some(Frame::Event(event)) => return Ok(Some(*event)),
                Some(Frame::Reply(_)) => {}
                Some(Frame::Fault(fault)) => return Err(fault),
                Some(Frame::End) | None => return Ok(None),
            }
        }
    }

    /// Subscribes now if it has not done so yet.
    pub(crate) async fn begin(&mut self) -> Result<(), Fault> {
        if self.open.is_some() {
            return Ok(());
        }
        let session = self.app.state::<Bridge>().session().await?;
        let subscribe = Request::Subscribe {
            conversation: self.conversation.clone(),
            // The engine expects the number of the first wanted event.
            from: self.heard.saturating_add(1),
        };
        let mut frames = session.call(subscribe).await;
        match frames.recv().await {
            Some(Frame::Reply(_)) => self.open = Some(frames),
            Some(Frame::Fault(fault)) => return Err(fault),
            // The engine has closed.
            _ => {}
        }
        Ok(())
    }
}

/// Removes all subscriptions of a page that is gone.
pub(crate) fn forget(app: &AppHandle, window: &str) {
    app.state::<Bridge>()
        .subscriptions()
        .retain(|_, subscription| {
            let stays = subscription.window != window;
            if !stays {
                subscription.task.abort();
            }
            stays
        });
}

/// Sends events to a page through its channel until it unsubscribes or is gone.
#[tauri::command]
pub(crate) fn subscribe(
    app: AppHandle,
    window: WebviewWindow,
    from: From,
    channel: Channel<WireEvent>,
) -> Result<u32, Fault> {
    let bridge = app.state::<Bridge>();
    bridge.check_page(window.label())?;
    let held = bridge
        .subscriptions()
        .values()
        .filter(|held| held.window == window.label())
        .count();
    if held >= SUBSCRIPTIONS_MAX {
        return Err(fault(
            "subscriptions",
            "Too many conversations are open in this window.",
            "Close one and try again.",
        ));
    }
    let id = bridge.next.fetch_add(1, Ordering::Relaxed);
    let mut listener = Listener::new(&app, from.conversation, from.from_seq);
    let (to, listening) = (channel.clone(), app.clone());
    // Hold the lock until the entry is added, so that a listener that ends at once finds it.
    let mut subscriptions = bridge.subscriptions();
    let task = async_runtime::spawn(async move {
        loop {
            match listener.next().await {
                Ok(Some(event)) => {
                    if to.send(event).is_err() {
                        break;
                    }
                }
                Ok(None) => break,
                Err(fault) => {
                    eprintln!("A window no longer receives updates: {}", fault.message);
                    break;
                }
            }
        }
        listening.state::<Bridge>().subscriptions().remove(&id);
    });
    let window = window.label().to_owned();
    subscriptions.insert(
        id,
        Subscription {
            window,
            channel,
            task,
        },
    );
    Ok(id)
}

/// Ends one subscription of the calling page; leaves those of other pages alone.
#[tauri::command]
pub(crate) fn unsubscribe(window: WebviewWindow, bridge: State<'_, Bridge>, subscription: u32) {
    let mut subscriptions = bridge.subscriptions();
    if subscriptions
        .get(&subscription)
        .is_some_and(|held| held.window == window.label())
        && let Some(held) = subscriptions.remove(&subscription)
    {
        held.task.abort();
    }
}
