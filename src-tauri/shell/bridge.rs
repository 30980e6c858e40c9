//! The bridge between pages and engine: requests in, replies and events out. It knows no request by name but the few
//! the shell itself needs.

use std::collections::{HashMap, VecDeque};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use std::time::Duration;

use adjutant::service::{Frame, Frames, everything_changed};
use adjutant::session::{Options, Session};
use adjutant_api::{EventBody, Fault, Reply, Request, WireEvent};
use serde::Deserialize;
use tauri::async_runtime::{self, JoinHandle};
use tauri::ipc::Channel;
use tauri::{AppHandle, Manager, State, WebviewWindow};
use tokio::sync::watch;

/// Subscriptions a window may hold at once; a page needs one for each conversation it shows.
const SUBSCRIPTIONS_MAX: usize = 32;

/// Calls whose keys are remembered. A repetition follows its call within moments.
const KEYS_MAX: usize = 1_024;

/// Longest key; a UUID has 36 bytes.
const KEY_BYTES_MAX: usize = 64;

/// How long closing may take; everything stored is safe before.
const CLOSE_MAX: Duration = Duration::from_secs(5);

/// The profile, once it is open or has failed to open.
type Opened = Option<Result<Arc<Session>, Fault>>;

/// The connection to the engine, and who listens to it.
pub(crate) struct Bridge {
    options: OnceLock<Options>,
    opened: watch::Sender<Opened>,
    subscriptions: Mutex<HashMap<u32, Subscription>>,
    next: AtomicU32,
    /// Keys of the latest calls, oldest first.
    keys: Mutex<VecDeque<String>>,
    /// The shell's own work on the engine; ended before the profile is closed.
    tasks: Mutex<Vec<JoinHandle<()>>>,
}

struct Subscription {
    window: String,
    channel: Channel<WireEvent>,
    task: JoinHandle<()>,
}

/// What a page wants to hear.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct From {
    /// One conversation; none for changes of data only.
    conversation: Option<String>,
    /// Events of the conversation after this number.
    from_seq: i64,
}

impl Default for Bridge {
    fn default() -> Self {
        Self {
            options: OnceLock::new(),
            opened: watch::Sender::new(None),
            subscriptions: Mutex::default(),
            next: AtomicU32::new(1),
            keys: Mutex::default(),
            tasks: Mutex::default(),
        }
    }
}

impl Bridge {
    fn subscriptions(&self) -> MutexGuard<'_, HashMap<u32, Subscription>> {
        self.subscriptions
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether no call had this key before. An overlong key is none of ours.
    fn is_first(&self, key: String) -> bool {
        let mut keys = self.keys.lock().unwrap_or_else(PoisonError::into_inner);
        if key.len() > KEY_BYTES_MAX || keys.contains(&key) {
            return false;
        }
        if keys.len() == KEYS_MAX {
            keys.pop_front();
        }
        keys.push_back(key);
        true
    }

    /// The profile, as soon as it is open.
    pub(crate) async fn session(&self) -> Result<Arc<Session>, Fault> {
        let mut opened = self.opened.subscribe();
        match opened
            .wait_for(Option::is_some)
            .await
            .map(|opened| opened.clone())
        {
            Ok(Some(session)) => session,
            Ok(None) | Err(_) => Err(closing()),
        }
    }
}

/// Opens the profile, while the window is painting.
pub(crate) fn open(app: &AppHandle, options: Options) {
    let bridge = app.state::<Bridge>();
    drop(bridge.options.set(options));
    reopen(app);
}

fn reopen(app: &AppHandle) {
    let app = app.clone();
    async_runtime::spawn(async move {
        let bridge = app.state::<Bridge>();
        let options = bridge.options.get().cloned().unwrap_or_default();
        let session = Session::open(&options).await.map(Arc::new);
        if let Err(fault) = &session {
            eprintln!("{}\n{}", fault.message, fault.hint);
        }
        bridge.opened.send_if_modified(|opened| {
            // Closing came first: the answer stays that.
            let wanted = opened.is_none();
            if wanted {
                *opened = Some(session);
            }
            wanted
        });
    });
}

/// Work of the shell that ends with the connection.
pub(crate) fn work(app: &AppHandle, task: impl Future<Output = ()> + Send + 'static) {
    let task = async_runtime::spawn(task);
    app.state::<Bridge>()
        .tasks
        .lock()
        .unwrap_or_else(PoisonError::into_inner)
        .push(task);
}

impl Bridge {
    /// Waits until `session` is no longer the one in use.
    pub(crate) async fn replaced(&self, session: &Arc<Session>) {
        let mut opened = self.opened.subscribe();
        let other = |opened: &Opened| !matches!(opened, Some(Ok(now)) if Arc::ptr_eq(now, session));
        // The sender lives as long as the app.
        drop(opened.wait_for(other).await);
    }
}

/// The process that held the profile is gone: this one, or the next, takes its place.
fn lost(app: &AppHandle, session: &Arc<Session>) {
    let first = app.state::<Bridge>().opened.send_if_modified(|opened| {
        let same = matches!(opened, Some(Ok(now)) if Arc::ptr_eq(now, session));
        if same {
            *opened = None;
        }
        same
    });
    if first {
        reopen(app);
    }
}

/// Ends the app: windows go at once, then the profile is closed, so that what is being written is finished.
pub(crate) fn quit(app: &AppHandle) {
    let app = app.clone();
    // Not on the main thread: work that is being ended may still wait for it.
    async_runtime::spawn(async move {
        for window in app.webview_windows().values() {
            drop(window.hide());
        }
        if tokio::time::timeout(CLOSE_MAX, close(&app)).await.is_err() {
            eprintln!("Something took too long to end; what was stored is intact.");
        }
        app.exit(0);
    });
}

async fn close(app: &AppHandle) {
    let bridge = app.state::<Bridge>();
    let mut tasks: Vec<_> = bridge
        .subscriptions()
        .drain()
        .map(|(_, held)| held.task)
        .collect();
    tasks.append(&mut bridge.tasks.lock().unwrap_or_else(PoisonError::into_inner));
    let session = bridge.opened.send_replace(Some(Err(closing())));
    for task in tasks {
        task.abort();
        // Ended by us, so the error says only that.
        drop(task.await);
    }
    if let Some(session) = session.and_then(Result::ok).and_then(Arc::into_inner) {
        session.close().await;
    }
}

/// One request for the shell itself.
pub(crate) async fn ask(app: &AppHandle, request: Request) -> Result<Reply, Fault> {
    let session = app.state::<Bridge>().session().await?;
    let mut frames = session.call(request).await;
    reply(&mut frames, |_| ()).await
}

/// Events of one conversation, or of changes of data. When another process held the profile and ends, goes on where that
/// one stopped.
pub(crate) struct Listener {
    app: AppHandle,
    /// Empty: changes of data.
    conversation: String,
    /// Number of the last event heard.
    heard: i64,
    open: Option<(Arc<Session>, Frames)>,
    /// An earlier connection was lost, and changes with it.
    missed_some: bool,
}

impl Listener {
    /// Listens after the event `heard`; without a conversation, to changes of data.
    pub(crate) fn new(app: &AppHandle, conversation: Option<String>, heard: i64) -> Self {
        Self {
            app: app.clone(),
            conversation: conversation.unwrap_or_default(),
            heard,
            open: None,
            missed_some: false,
        }
    }

    /// The next event; `None` when the engine has closed.
    pub(crate) async fn next(&mut self) -> Result<Option<WireEvent>, Fault> {
        loop {
            if self.begin().await? {
                return Ok(Some(no_turn(everything_changed())));
            }
            let Some((session, frames)) = &mut self.open else {
                return Ok(None);
            };
            match frames.recv().await {
                Some(Frame::Event(event)) => {
                    self.heard = self.heard.max(event.seq);
                    return Ok(Some(*event));
                }
                Some(Frame::Reply(_)) => {}
                end => {
                    if matches!(**session, Session::Here(..)) {
                        return match end {
                            Some(Frame::Fault(fault)) => Err(fault),
                            _ => Ok(None),
                        };
                    }
                    lost(&self.app, session);
                    self.open = None;
                    self.missed_some = self.conversation.is_empty();
                }
            }
        }
    }

    /// Listens from now on, if it does not yet. True when changes may have been missed since it last did.
    pub(crate) async fn begin(&mut self) -> Result<bool, Fault> {
        while self.open.is_none() {
            let session = self.app.state::<Bridge>().session().await?;
            let subscribe = Request::Subscribe {
                conversation: self.conversation.clone(),
                // The engine counts from the first event wanted.
                from: self.heard.saturating_add(1),
            };
            let mut frames = session.call(subscribe).await;
            match frames.recv().await {
                Some(Frame::Reply(_)) => self.open = Some((session, frames)),
                Some(Frame::Fault(fault)) if matches!(*session, Session::Here(..)) => {
                    return Err(fault);
                }
                _ => lost(&self.app, &session),
            }
        }
        Ok(std::mem::take(&mut self.missed_some))
    }
}

/// An event that belongs to no turn.
fn no_turn(body: EventBody) -> WireEvent {
    WireEvent {
        body,
        turn: String::new(),
        seq: 0,
        conversation: String::new(),
    }
}

/// Stops every turn and every queued action.
pub(crate) fn stop_everything(app: &AppHandle) {
    let app = app.clone();
    async_runtime::spawn(async move {
        let everything = Request::Interrupt {
            turn: None,
            conversation: None,
        };
        if let Err(fault) = ask(&app, everything).await {
            eprintln!("Not everything could be stopped: {}", fault.message);
        }
    });
}

/// A page that is gone hears no more.
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

/// One request of a page, which names each call with a key of its own: when a page is reloaded while a call is under way,
/// the web view's side of Tauri sends that call a second time, and it must not run twice. Progress goes to the page's subscriptions while the reply is made.
#[tauri::command]
pub(crate) async fn call(
    window: WebviewWindow,
    bridge: State<'_, Bridge>,
    key: String,
    request: Request,
) -> Result<Reply, Fault> {
    if !bridge.is_first(key) {
        return Err(fault("repeated", "This was asked before.", ""));
    }
    let session = bridge.session().await?;
    let mut frames = session.call(request).await;
    reply(&mut frames, |event| {
        for subscription in bridge.subscriptions().values() {
            if subscription.window == window.label() {
                // A page that has just gone misses progress, nothing else.
                drop(subscription.channel.send(event.clone()));
            }
        }
    })
    .await
}

/// Events for a page, through its channel, until it unsubscribes or is gone.
#[tauri::command]
pub(crate) fn subscribe(
    app: AppHandle,
    window: WebviewWindow,
    from: From,
    channel: Channel<WireEvent>,
) -> Result<u32, Fault> {
    let bridge = app.state::<Bridge>();
    let held = bridge
        .subscriptions()
        .values()
        .filter(|held| held.window == window.label())
        .count();
    if held >= SUBSCRIPTIONS_MAX {
        return Err(fault(
            "subscriptions",
            "This window listens to too much already.",
            "Close a conversation.",
        ));
    }
    let id = bridge.next.fetch_add(1, Ordering::Relaxed);
    let mut listener = Listener::new(&app, from.conversation, from.from_seq);
    let (to, listening) = (channel.clone(), app.clone());
    // Held until the entry is there, so that a listener that ends at once finds it.
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
                    eprintln!("A window hears no more: {}", fault.message);
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

/// Ends one subscription of a page; others' are left alone.
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

/// A fault of the shell.
pub(crate) fn fault(code: &str, message: impl Into<String>, hint: &str) -> Fault {
    Fault {
        code: code.to_owned(),
        message: message.into(),
        hint: hint.to_owned(),
    }
}

/// The reply among the frames; `hear` gets the events before it.
async fn reply(frames: &mut Frames, hear: impl Fn(&WireEvent)) -> Result<Reply, Fault> {
    while let Some(frame) = frames.recv().await {
        match frame {
            Frame::Reply(reply) => return Ok(*reply),
            Frame::Fault(fault) => return Err(fault),
            Frame::Event(event) => hear(&event),
            Frame::End => break,
        }
    }
    Err(closing())
}

fn closing() -> Fault {
    fault("closing", "Adjutant is closing.", "Open it again.")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_call_that_is_sent_twice_runs_once() {
        let bridge = Bridge::default();
        assert!(bridge.is_first("a".into()));
        assert!(!bridge.is_first("a".into()));
        assert!(bridge.is_first("b".into()));
        assert!(!bridge.is_first("x".repeat(KEY_BYTES_MAX + 1)));
    }

    #[test]
    fn the_memory_of_keys_does_not_grow() {
        let bridge = Bridge::default();
        for number in 0..=KEYS_MAX {
            assert!(bridge.is_first(number.to_string()));
        }
        assert!(bridge.is_first("0".into()), "the oldest was let go");
        assert!(
            !bridge.is_first(KEYS_MAX.to_string()),
            "the newest was kept"
        );
    }
}
