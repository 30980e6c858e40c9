//! Waits for long requests, with a progress bar on a terminal.

use std::time::Duration;

use adjutant::service::Frame;
use adjutant::session::Session;
use adjutant_api::{EventBody, Fault, Reply, Request};
use indicatif::{ProgressBar, ProgressStyle};

use crate::{print, unexpected};

/// Template for progress without a known total.
const COUNTER: &str = "{spinner} {pos} {msg}";
/// Template for a wait.
const WAITING: &str = "{spinner} {msg}";
/// Delay before a wait is shown.
const SHOWN_AFTER: Duration = Duration::from_millis(300);
/// Interval at which the spinner moves.
const TICK: Duration = Duration::from_millis(100);

/// Creates a progress bar from `template`; `None` if output is not a terminal or is JSON.
pub(crate) fn bar(template: &str, as_json: bool) -> Option<ProgressBar> {
    (print::on_terminal() && !as_json).then(|| {
        let style = ProgressStyle::with_template(template);
        ProgressBar::new(0).with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
    })
}

/// Sends a request and waits for its reply. `template` is the template of the [`bar`].
pub(crate) async fn follow(
    session: &Session,
    request: Request,
    template: &str,
    as_json: bool,
) -> Result<Reply, Fault> {
    let mut frames = session.call(request).await;
    let bar = bar(template, as_json);
    let mut reply = Err(unexpected());
    while let Some(frame) = frames.recv().await {
        match frame {
            Frame::Event(event) => {
                if let (
                    Some(bar),
                    EventBody::Progress {
                        what, done, total, ..
                    },
                ) = (&bar, &event.body)
                {
                    show(bar, *done, *total);
                    bar.set_message(what.clone());
                }
            }
            Frame::Reply(whole) => reply = Ok(*whole),
            Frame::Fault(fault) => {
                reply = Err(fault);
                break;
            }
            Frame::End => break,
        }
    }
    // Clear the bar before a fault is printed, which would otherwise appear behind it.
    if let Some(bar) = bar {
        bar.finish_and_clear();
    }
    reply
}

/// Shows progress. If the total is unknown, shows a counter instead of a bar, which would always be full.
fn show(bar: &ProgressBar, done: u64, total: Option<u64>) {
    match total {
        Some(total) => bar.set_length(total),
        None if bar.length().is_some() => {
            let style = ProgressStyle::with_template(COUNTER);
            bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_spinner()));
            bar.unset_length();
        }
        None => {}
    }
    bar.set_position(done);
}

/// Waits for work without known progress and, after a moment, shows what it waits for.
pub(crate) async fn waited<T>(
    what: &'static str,
    as_json: bool,
    work: impl Future<Output = T>,
) -> T {
    let mut work = std::pin::pin!(work);
    tokio::select! {
        biased;
        done = &mut work => return done,
        () = tokio::time::sleep(SHOWN_AFTER) => {}
    }
    let bar = bar(WAITING, as_json);
    if let Some(bar) = &bar {
        bar.set_message(what);
        bar.enable_steady_tick(TICK);
    }
    let done = work.await;
    if let Some(bar) = bar {
        bar.finish_and_clear();
    }
    done
}

#[cfg(test)]
mod tests {
    use super::show;
    use indicatif::ProgressBar;

    #[test]
    fn a_bar_is_full_only_at_the_end() {
        let bar = ProgressBar::hidden();
        for done in [500, 1_000] {
            show(&bar, done, None);
            assert_eq!((bar.position(), bar.length()), (done, None));
        }
        show(&bar, 1_500, Some(3_000));
        assert_eq!((bar.position(), bar.length()), (1_500, Some(3_000)));
    }
}
