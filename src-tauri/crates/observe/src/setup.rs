//! Set-up of logging.

use std::io;
use std::sync::OnceLock;

use tracing_subscriber::Layer as _;
use tracing_subscriber::filter::{LevelFilter, Targets};
use tracing_subscriber::fmt::{self, MakeWriter};
use tracing_subscriber::layer::SubscriberExt as _;
use tracing_subscriber::util::SubscriberInitExt as _;
use tracing_subscriber::{EnvFilter, Registry};

use crate::redact::Redacting;
use crate::timings::{STAGE_TARGET, Timings};

/// Default filter. Certificate errors are omitted because they are reported as failures of their connections.
const DEFAULT_FILTER: &str = "warn,rustls_platform_verifier=off";

/// Logging options.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Setup {
    /// Filter in the syntax of `RUST_LOG` (`debug`, `adjutant_store=debug,warn`); empty for the default, warnings.
    pub filter: String,
    /// Format of the lines.
    pub form: Form,
}

/// Format of a log line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Form {
    /// Text for people.
    #[default]
    Text,
    /// One JSON object per line.
    Json,
}

/// Why logging could not be set up.
#[derive(Debug, PartialEq, Eq)]
pub enum NotSetUp {
    /// The filter is invalid, for this reason.
    Filter(String),
    /// This process has already set up logging.
    Twice,
}

impl std::fmt::Display for NotSetUp {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Filter(why) => write!(
                f,
                "the log filter cannot be read ({why}); use for example “info” or “adjutant_store=debug,warn”"
            ),
            Self::Twice => f.write_str("logs are set up already"),
        }
    }
}

impl std::error::Error for NotSetUp {}

/// Sets up logging to standard error for this process, with secrets masked, and starts measuring stages.
///
/// # Errors
/// Returns [`NotSetUp`] if the filter is invalid or logging was set up before.
pub fn init(setup: &Setup) -> Result<Timings, NotSetUp> {
    let timings = live();
    subscriber(setup, io::stderr, timings.clone())?
        .try_init()
        .map_err(|_| NotSetUp::Twice)?;
    Ok(timings)
}

/// Returns the measurements of this process, which are empty before [`init`].
#[must_use]
pub fn live() -> Timings {
    static LIVE: OnceLock<Timings> = OnceLock::new();
    LIVE.get_or_init(Timings::default).clone()
}

/// Runs `work` and measures its stages separately from those of the process. Only what it does on this thread is
/// counted.
pub fn measured<T>(work: impl FnOnce() -> T) -> (T, Timings) {
    let timings = Timings::default();
    let stages = timings
        .clone()
        .with_filter(Targets::new().with_target(STAGE_TARGET, LevelFilter::DEBUG));
    let done = tracing::subscriber::with_default(Registry::default().with(stages), work);
    (done, timings)
}

/// Builds the subscriber that [`init`] installs, with any writer, for tests.
pub(crate) fn subscriber<W>(
    setup: &Setup,
    place: W,
    timings: Timings,
) -> Result<impl tracing::Subscriber + Send + Sync, NotSetUp>
where
    W: for<'a> MakeWriter<'a> + Send + Sync + 'static,
{
    let filter = if setup.filter.trim().is_empty() {
        DEFAULT_FILTER
    } else {
        &setup.filter
    };
    let filter = EnvFilter::try_new(filter).map_err(|error| NotSetUp::Filter(error.to_string()))?;
    let lines = fmt::layer().with_writer(Redacting(place)).with_ansi(false);
    let lines = match setup.form {
        Form::Text => lines.compact().with_filter(filter).boxed(),
        Form::Json => lines.json().with_filter(filter).boxed(),
    };
    // Stages are measured independently of the log filter.
    let stages = timings.with_filter(Targets::new().with_target(STAGE_TARGET, LevelFilter::DEBUG));
    Ok(Registry::default().with(lines).with(stages))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::{Arc, Mutex};

    #[derive(Clone, Default)]
    struct Page(Arc<Mutex<Vec<u8>>>);

    impl io::Write for Page {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().expect("a page").extend_from_slice(bytes);
            Ok(bytes.len())
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    impl<'a> MakeWriter<'a> for Page {
        type Writer = Self;
        fn make_writer(&'a self) -> Self {
            self.clone()
        }
    }

    fn logged(setup: &Setup, work: impl FnOnce()) -> (String, Timings) {
        let (page, timings) = (Page::default(), Timings::default());
        let subscriber = subscriber(setup, page.clone(), timings.clone()).expect("a filter");
        tracing::subscriber::with_default(subscriber, work);
        let bytes = page.0.lock().expect("a page").clone();
        (String::from_utf8(bytes).expect("text"), timings)
    }

    #[test]
    fn what_is_measured_apart_is_not_counted_twice() {
        let stage = |micros: u64| tracing::debug!(target: STAGE_TARGET, stage = "route", micros);
        let (counted, outer) = measured(|| {
            stage(5);
            let ((), inner) = measured(|| stage(7));
            stage(6);
            inner.read().iter().map(|one| one.count).sum::<u64>()
        });
        assert_eq!(counted, 1);
        assert_eq!(outer.read()[0].count, 2);
        assert!(live().read().is_empty());
    }

    #[test]
    fn warnings_are_logged_without_secrets() {
        let (text, _) = logged(&Setup::default(), || {
            tracing::info!("quiet");
            tracing::warn!(
                password = "hunter2",
                "sign-in with Bearer abc.def-ghi failed"
            );
        });
        assert!(text.contains("sign-in with"), "{text}");
        for secret in ["hunter2", "abc.def", "quiet"] {
            assert!(!text.contains(secret), "{text}");
        }
    }

    #[test]
    fn json_stays_json() {
        let setup = Setup {
            filter: "info".into(),
            form: Form::Json,
        };
        let (text, _) = logged(&setup, || tracing::info!(token = "s3cr3t", "told"));
        assert!(!text.contains("s3cr3t"), "{text}");
        assert_eq!(text.matches('\n').count(), 1, "{text}");
        let balance = text.matches('"').count();
        assert_eq!(balance % 2, 0, "{text}");
        assert!(text.trim_end().ends_with('}'), "{text}");
    }

    #[test]
    fn stages_are_measured_whatever_is_logged() {
        let (text, timings) = logged(&Setup::default(), || {
            for micros in [10_u64, 20, 30] {
                tracing::debug!(target: "adjutant::stage", stage = "plan", micros);
            }
            tracing::debug!(target: "other", stage = "not this", micros = 5_u64);
        });
        assert_eq!(text, "");
        let stages = timings.read();
        assert_eq!(stages.len(), 1);
        assert_eq!((stages[0].stage.as_str(), stages[0].count), ("plan", 3));
        assert_eq!((stages[0].p50_micros, stages[0].max_micros), (20, 30));
    }

    #[test]
    fn a_filter_that_cannot_be_read_is_named() {
        let setup = Setup {
            filter: "adjutant=loud=very".into(),
            form: Form::Text,
        };
        let refused = subscriber(&setup, Page::default(), Timings::default()).err();
        assert!(matches!(refused, Some(NotSetUp::Filter(_))));
    }
}
