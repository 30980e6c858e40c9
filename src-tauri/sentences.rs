//! The sentence-embedding model of this process, for whoever gets better by it. Nobody needs it.

use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use adjutant_domain::model::Embedder;
use adjutant_sentence::{FOLDER, IDLE_DEFAULT, LocalEmbedder};
use adjutant_understanding::route::{Similarity, examples};

/// How long a message that the phrases leave open waits for a comparison. Loading the model takes a part of it; the
/// first time on a machine takes longer, as the vectors of the examples are computed, and then the phrases decide.
const COMPARE_WAIT: Duration = Duration::from_millis(800);

/// Where the model lies, and the model where this process may load it.
///
/// A process that answers one question and ends never loads it: that would take longer than the answer. One that stays
/// loads it when something is to be compared, never before, and lets it go when nothing was for some minutes.
pub struct Sentences {
    folder: PathBuf,
    embedder: OnceLock<Option<Arc<LocalEmbedder>>>,
}

impl Sentences {
    /// The model in a folder of all profiles; nothing is looked at yet.
    #[must_use]
    pub fn of(home: &Path) -> Self {
        Self {
            folder: home.join(FOLDER),
            embedder: OnceLock::new(),
        }
    }

    /// From now on the model may be loaded: this process stays. Tells whether its files are there.
    pub fn stay(&self) -> bool {
        let find = || {
            let texts = examples().map(str::to_owned).collect();
            LocalEmbedder::find(&self.folder, texts, IDLE_DEFAULT).map(Arc::new)
        };
        self.embedder.get_or_init(find).is_some()
    }

    /// Makes vectors, free and offline. None where the files are not there or this process does not stay.
    #[must_use]
    pub fn embedder(&self) -> Option<Arc<dyn Embedder>> {
        let embedder = self.embedder.get()?.clone()?;
        Some(embedder)
    }

    /// The cosines with the examples, however long they take.
    #[must_use]
    pub fn patient(&self) -> impl Similarity + '_ {
        Waiting(self, Duration::MAX)
    }
}

impl Similarity for Sentences {
    fn to_examples(&self, text: &str) -> Option<Vec<f32>> {
        Waiting(self, COMPARE_WAIT).to_examples(text)
    }
}

struct Waiting<'a>(&'a Sentences, Duration);

impl Similarity for Waiting<'_> {
    fn to_examples(&self, text: &str) -> Option<Vec<f32>> {
        let embedder = self.0.embedder.get()?.as_ref()?;
        embedder.cosines(text, self.1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_home_without_the_model_goes_on_without_it() {
        let home = tempfile::tempdir().unwrap();
        let sentences = Sentences::of(home.path());
        assert!(sentences.embedder().is_none());
        assert!(!sentences.stay());
        assert!(sentences.embedder().is_none());
        assert_eq!(sentences.to_examples("anything"), None);
        assert_eq!(sentences.patient().to_examples("anything"), None);
    }

    #[test]
    fn a_process_that_does_not_stay_never_loads_the_model() {
        let home = tempfile::tempdir().unwrap();
        let folder = home.path().join(FOLDER);
        std::fs::create_dir_all(&folder).unwrap();
        for file in adjutant_sentence::WEIGHTS {
            let made = std::fs::File::create(folder.join(file.name)).unwrap();
            made.set_len(file.bytes).unwrap();
        }
        let sentences = Sentences::of(home.path());
        assert_eq!(sentences.to_examples("anything"), None);
        assert!(sentences.embedder().is_none());
        assert!(sentences.stay(), "the files are there");
        assert!(sentences.embedder().is_some());
        // They are full of zeros, which is found when they are loaded.
        assert_eq!(sentences.patient().to_examples("anything"), None);
    }
}
