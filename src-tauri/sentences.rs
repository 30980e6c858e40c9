//! The sentence-embedding model of this process. Every feature that uses it also works without it.

use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use adjutant_domain::model::Embedder;
use adjutant_sentence::{FOLDER, IDLE_DEFAULT, LocalEmbedder};
use adjutant_understanding::route::{Similarity, examples};

/// How long routing waits for a sentence comparison when the phrases leave a message undecided. Loading the model takes
/// part of that time. On its first use on a machine the model must also compute the vectors of the examples, which
/// takes longer; the phrases then decide alone.
const COMPARE_WAIT: Duration = Duration::from_millis(800);

/// The model's folder and, once [`Sentences::stay`] was called, the model itself.
///
/// A process that answers one question and exits never loads the model: that would take longer than the answer. A
/// process that stays loads it on the first comparison and unloads it after some idle minutes.
pub struct Sentences {
    folder: PathBuf,
    embedder: OnceLock<Option<Arc<LocalEmbedder>>>,
}

impl Sentences {
    /// Refers to the model below `home`, the folder of all profiles, without accessing the disk.
    #[must_use]
    pub fn of(home: &Path) -> Self {
        Self {
            folder: home.join(FOLDER),
            embedder: OnceLock::new(),
        }
    }

    /// Allows the model to be loaded, because this process stays. Returns whether the model's files exist.
    pub fn stay(&self) -> bool {
        let find = || {
            let texts = examples().map(str::to_owned).collect();
            LocalEmbedder::find(&self.folder, texts, IDLE_DEFAULT).map(Arc::new)
        };
        self.embedder.get_or_init(find).is_some()
    }

    /// Returns the embedder, which is free and works offline. `None` if the files are missing or [`Sentences::stay`]
    /// was not called.
    #[must_use]
    pub fn embedder(&self) -> Option<Arc<dyn Embedder>> {
        let embedder = self.embedder.get()?.clone()?;
        Some(embedder)
    }

    /// Compares with the examples without a time limit.
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
