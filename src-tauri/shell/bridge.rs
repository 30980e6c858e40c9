//! The bridge between pages and engine: requests in, replies and events out. It knows only the few requests that the
//! shell itself needs. The profile behind it may change while it runs.

use std::collections::{HashMap, VecDeque};
use std::sync::atomic::AtomicU32;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use adjutant::profile::place::{DEFAULT_PROFILE, SAMPLE_PROFILE};
use adjutant::service::{Frame, Frames};
use adjutant::session::{Options, Session};
use adjutant_api::{Fault, Reply, Request, WireEvent};
use tauri::async_runtime::{self, JoinHandle};
use tauri::{AppHandle, Manager, State, WebviewWindow};
use tokio::sync::{OwnedMutexGuard, watch};

use crate::listen::Subscription;

/// Number of calls whose keys are remembered. A repeated call follows the original within moments.
const KEYS_MAX: usize = 1_024;

/// Maximum key size in bytes; a UUID has 36.
const KEY_BYTES_MAX: usize = 64;

/// Time allowed for closing; everything stored is safe before that.
const CLOSE_MAX: Duration = Duration::from_secs(5);

/// How long closing waits for commands of other processes before their turns are stopped.
const HAND_OVER_MAX: Duration = Duration::from_secs(2);

/// How long opening another profile waits for the previous one to finish its writes.
const LEAVE_MAX: Duration = Duration::from_secs(10);

/// The profile, once it is open or has failed to open.
type Opened = Option<Result<Arc<Session>, Fault>>;

/// The connection to the engine and its listeners.
pub(crate) struct Bridge {
    target: Mutex<Target>,
    opened: watch::Sender<Opened>,
    /// Held while profiles are switched, until the previous one is closed.
    switching: Arc<tokio::sync::Mutex<()>>,
    subscriptions: Mutex<HashMap<u32, Subscription>>,
    pub(crate) next: AtomicU32,
    /// Keys of the latest calls, oldest first.
    keys: Mutex<VecDeque<String>>,
    /// The shell's own tasks on the engine; aborted before the profile is closed.
    tasks: Mutex<Vec<JoinHandle<()>>>,
    /// The opening number (see [`Target`]) under which each window's page was loaded.
    pages: Mutex<HashMap<String, u64>>,
}

/// The profile to have open.
#[derive(Default)]
struct Target {
    options: Options,
    /// Number of profile switches so far; 0 for the profile opened at startup.
    opening: u64,
    /// The person's own profile, to return to from the sample; `None` if none was open yet.
    own: Option<String>,
    /// Whether the app is closing, so that nothing may be opened any more.
    closing: bool,
}

impl Default for Bridge {
    fn default() -> Self {
        Self {
            target: Mutex::default(),
            opened: watch::Sender::new(None),
            switching: Arc::default(),
            subscriptions: Mutex::default(),
            next: AtomicU32::new(1),
            keys: Mutex::default(),
            tasks: Mutex::default(),
            pages: Mutex::default(),
        }
    }
}

impl Target {
    fn profile(&self) -> &str {
        self.options.profile.as_deref().unwrap_or(DEFAULT_PROFILE)
    }

    fn aim(&mut self, options: Options) {
        self.options = options;
        if self.profile() != SAMPLE_PROFILE {
            self.own = Some(self.profile().to_owned());
        }
    }
}

impl Bridge {
    pub(crate) fn subscriptions(&self) -> MutexGuard<'_, HashMap<u32, Subscription>> {
        held(&self.subscriptions)
    }

    fn target(&self) -> MutexGuard<'_, Target> {
        held(&self.target)
    }

    /// Returns the options with which the current profile is opened.
    pub(crate) fn options(&self) -> Options {
        self.target().options.clone()
    }

    /// Returns the name of the current profile.
    pub(crate) fn profile(&self) -> String {
        self.target().profile().to_owned()
    }

    /// Returns the name of the person's own profile: the latest one that is not the sample.
    pub(crate) fn own_profile(&self) -> String {
        let own = self.target().own.clone();
        own.unwrap_or_else(|| DEFAULT_PROFILE.to_owned())
    }

    /// Returns the number of profile switches so far.
    pub(crate) fn opening(&self) -> u64 {
        self.target().opening
    }

    /// Records that a window loads a new page, which belongs to the current profile.
    pub(crate) fn begin_page(&self, window: &str) {
        let opening = self.opening();
        held(&self.pages).insert(window.to_owned(), opening);
    }

    /// Rejects requests from a page of a profile that was left: they are not meant for the current one.
    pub(crate) fn check_page(&self, window: &str) -> Result<(), Fault> {
        let now = self.opening();
        match held(&self.pages).get(window) {
            Some(&opening) if opening < now => Err(fault(
                "left",
                "A different profile is open now.",
                "Ask again there, or go back first.",
            )),
            _ => Ok(()),
        }
    }

    /// Tells whether the key is new. Returns `false` for overlong keys too, which no page of ours sends.
    pub(crate) fn is_first(&self, key: String) -> bool {
        let mut keys = held(&self.keys);
        if key.len() > KEY_BYTES_MAX || keys.contains(&key) {
            return false;
        }
        if keys.len() == KEYS_MAX {
            keys.pop_front();
        }
        keys.push_back(key);
        true
    }

    /// Waits until the profile is open and returns it.
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

    /// Ends everything that listens to the current session.
    async fn end_listening(&self) {
        let mut tasks: Vec<_> = self
            .subscriptions()
            .drain()
            .map(|(_, held)| held.task)
            .collect();
        tasks.append(&mut held(&self.tasks));
        for task in tasks {
            task.abort();
            // The error only says that the task was aborted.
            drop(task.await);
        }
    }
}

/// Opens the profile while the window is being painted.
pub(crate) fn open(app: &AppHandle, options: Options) {
    app.state::<Bridge>().target().aim(options);
    let app = app.clone();
    async_runtime::spawn(async move {
        let bridge = app.state::<Bridge>();
        let (options, opening) = (bridge.options(), bridge.opening());
        let session = Session::open(&options).await.map(Arc::new);
        if let Err(fault) = &session {
            eprintln!("{}\n{}", fault.message, fault.hint);
        }
        let mut left = Some(session);
        bridge.opened.send_if_modified(|opened| {
            // If closing or another profile came first, keep that.
            let wanted = opened.is_none() && bridge.opening() == opening;
            if wanted {
                *opened = left.take();
            }
            wanted
        });
        if let Some(Ok(session)) = left {
            leave(&session).await;
        }
    });
}

/// The result of a switch; the previous profile still has to be closed.
pub(crate) struct Switched {
    left: Opened,
    _turn: OwnedMutexGuard<()>,
}

/// Opens another profile in place of the current one. The current one stays open until that succeeds, so a failure
/// changes nothing. All its listeners have ended afterwards.
///
/// # Errors
/// Returns a fault if the profile cannot be opened or an earlier switch has not finished.
pub(crate) async fn switch(app: &AppHandle, options: Options) -> Result<Switched, Fault> {
    let bridge = app.state::<Bridge>();
    let turn = tokio::time::timeout(LEAVE_MAX, Arc::clone(&bridge.switching).lock_owned())
        .await
        .map_err(|_| {
            fault(
                "busy",
                "Something in the profile you left is still finishing.",
                "Try again in a moment.",
            )
        })?;
    let session = Arc::new(Session::open(&options).await?);
    let mut left = None;
    let swapped = bridge.opened.send_if_modified(|opened| {
        let mut target = bridge.target();
        if target.closing {
            return false;
        }
        target.aim(options);
        target.opening += 1;
        left = opened.replace(Ok(Arc::clone(&session)));
        true
    });
    if !swapped {
        leave(&session).await;
        return Err(closing());
    }
    bridge.end_listening().await;
    Ok(Switched { left, _turn: turn })
}

impl Switched {
    /// Closes the previous profile in the background: requests finish their writes, and turns store how they ended.
    pub(crate) fn close_left(self) {
        async_runtime::spawn(async move {
            if let Some(Ok(left)) = &self.left {
                leave(left).await;
            }
        });
    }
}

/// Starts a task of the shell that ends with the connection.
pub(crate) fn work(app: &AppHandle, task: impl Future<Output = ()> + Send + 'static) {
    let task = async_runtime::spawn(task);
    held(&app.state::<Bridge>().tasks).push(task);
}

/// Quits the app: hides windows at once, then closes the profile so that pending writes complete.
pub(crate) fn quit(app: &AppHandle) {
    let app = app.clone();
    // Not on the main thread, because tasks being ended may still wait for it.
    async_runtime::spawn(async move {
        for window in app.webview_windows().values() {
            drop(window.hide());
        }
        if tokio::time::timeout(CLOSE_MAX, close(&app)).await.is_err() {
            eprintln!("Something took too long to end. Everything stored is intact.");
        }
        app.exit(0);
    });
}

async fn close(app: &AppHandle) {
    let bridge = app.state::<Bridge>();
    bridge.target().closing = true;
    let session = bridge.opened.send_replace(Some(Err(closing())));
    bridge.end_listening().await;
    if let Some(Ok(session)) = session {
        leave(&session).await;
    }
    // Also wait for a profile that was left just before.
    drop(bridge.switching.lock().await);
}

/// Closes a session. Commands of other processes may finish first if they are quick.
async fn leave(session: &Session) {
    drop(tokio::time::timeout(HAND_OVER_MAX, session.hand_over()).await);
    session.close().await;
}

/// Sends one request of the shell itself.
pub(crate) async fn ask(app: &AppHandle, request: Request) -> Result<Reply, Fault> {
    let session = app.state::<Bridge>().session().await?;
    let mut frames = session.call(request).await;
    reply(&mut frames, |_| ()).await
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

/// Handles one request of a page. Each call has a unique key: if a page is reloaded during a call, Tauri's code in the
/// web view sends the call again, and it must not run twice. Progress goes to the page's subscriptions before the
/// reply.
#[tauri::command]
pub(crate) async fn call(
    window: WebviewWindow,
    bridge: State<'_, Bridge>,
    key: String,
    request: Request,
) -> Result<Reply, Fault> {
    if !bridge.is_first(key) {
        return Err(fault("repeated", "This request was already received.", ""));
    }
    bridge.check_page(window.label())?;
    let session = bridge.session().await?;
    let mut frames = session.call(request).await;
    drop(session);
    reply(&mut frames, |event| {
        for subscription in bridge.subscriptions().values() {
            if subscription.window == window.label() {
                // A page that is gone only misses progress.
                drop(subscription.channel.send(event.clone()));
            }
        }
    })
    .await
}

/// Builds a fault of the shell.
pub(crate) fn fault(code: &str, message: impl Into<String>, hint: &str) -> Fault {
    Fault {
        code: code.to_owned(),
        message: message.into(),
        hint: hint.to_owned(),
    }
}

/// Returns the reply among the frames and passes the events before it to `hear`.
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

fn held<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn closing() -> Fault {
    fault(
        "closing",
        "Adjutant is closing.",
        "Open it again to continue.",
    )
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
