//! A message and its circumstances, as the embedded engine sees them.

use std::sync::Arc;

use adjutant_domain::conversation::Past;
use adjutant_domain::mentioned_name::MentionedName;
use adjutant_domain::reading::Utterance;
use jiff::Zoned;

use crate::context::people::AddressBook;
use crate::core::Core;
use crate::panics;
use crate::stopwatch::Stopwatch;
use crate::tools::Tools;

/// A message with everything needed to interpret it.
pub(crate) struct Scene<'a> {
    pub(crate) text: &'a str,
    pub(crate) now: &'a Zoned,
    pub(crate) past: &'a Past,
    pub(crate) people: &'a AddressBook,
    pub(crate) names: &'a [MentionedName],
    pub(crate) tools: &'a Tools,
}

impl Scene<'_> {
    /// Runs a stage of understanding on the message. `None` if the stage panicked.
    pub(crate) fn read<T>(
        &self,
        core: &Core,
        stage: &'static str,
        work: impl FnOnce(&Core, &Utterance<'_>) -> T,
    ) -> Option<T> {
        let settings = core.settings();
        let said = Utterance {
            text: self.text,
            now: self.now,
            settings: &settings,
            focus: &self.past.focus,
            history: &self.past.messages,
            people: self.people,
            roles: self.people.roles(),
            names: self.names,
            tools: self.tools.catalog().specs(),
        };
        let watch = Stopwatch::start();
        let done = panics::contained(stage, || work(core, &said));
        watch.stage(stage);
        done
    }
}

/// Like [`Scene::read`], for a stage that may block (the sentence model): runs on a separate thread, so that turns keep
/// theirs.
pub(crate) async fn read_aside<T: Send + 'static>(
    core: &Arc<Core>,
    scene: &Scene<'_>,
    (people, names, tools): (Arc<AddressBook>, Arc<[MentionedName]>, Arc<Tools>),
    stage: &'static str,
    work: impl FnOnce(&Core, &Utterance<'_>) -> T + Send + 'static,
) -> Option<T> {
    let (core, text, now) = (core.clone(), scene.text.to_owned(), scene.now.clone());
    let past = Past {
        messages: scene.past.messages.clone(),
        focus: scene.past.focus.clone(),
        ..Past::default()
    };
    let read = tokio::task::spawn_blocking(move || {
        let scene = Scene {
            text: &text,
            now: &now,
            past: &past,
            people: &people,
            names: &names,
            tools: &tools,
        };
        scene.read(&core, stage, work)
    });
    // Panics are contained already; joining fails only when the runtime ends.
    read.await.ok().flatten()
}
