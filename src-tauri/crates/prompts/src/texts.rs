//! Replacement texts for trying out a wording.

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

use adjutant_domain::model::{ModelMessage, ModelRequest};

use crate::library::Library;
use crate::sources::compiled_in;
use crate::{Prompt, PromptFault, RequestOptions, request};

/// The prompt texts with some of them replaced. They are rendered as strictly as the compiled-in ones; the code
/// determines the schema of a reply, whatever the texts say.
#[derive(Clone)]
pub struct Texts {
    library: Arc<Library>,
}

impl Texts {
    /// Returns all texts with some replaced. `stand_ins` are pairs of name (without `.md`, such as `route/route.v1`)
    /// and text.
    ///
    /// # Errors
    /// Returns a fault if no compiled-in text has that name, or if a replacement cannot be parsed.
    pub fn with(
        stand_ins: impl IntoIterator<Item = (String, String)>,
    ) -> Result<Self, PromptFault> {
        let mut texts = compiled_in();
        for (file, text) in stand_ins {
            match texts.get_mut(file.as_str()) {
                Some(place) => *place = Cow::Owned(text),
                None => return Err(PromptFault::NoSuchFile { file }),
            }
        }
        let library = Arc::new(Library::new(texts)?);
        Ok(Self { library })
    }

    /// Like [`crate::request`], with these texts.
    ///
    /// # Errors
    /// Like [`crate::request`].
    pub fn request<P: Prompt>(
        &self,
        prompt: &P,
        ask: RequestOptions,
        conversation: Vec<ModelMessage>,
    ) -> Result<ModelRequest, PromptFault> {
        request::of(&self.library, prompt, ask, conversation)
    }
}

impl fmt::Debug for Texts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Texts").finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use adjutant_domain::model::{Purpose, Stage, Tier};
    use serde::Serialize;

    use super::*;

    #[derive(Serialize)]
    struct Probe {
        word: &'static str,
    }

    impl Prompt for Probe {
        const FILE: &'static str = "probe/structure.v1";
        const STAGE: Stage = Stage::Probe;
        const REPLY_TOKENS_MAX: u32 = 10;
        type Reply = String;
    }

    fn asked(texts: Option<&Texts>) -> Result<ModelRequest, PromptFault> {
        let ask = RequestOptions {
            tier: Tier::Fast,
            purpose: Purpose::Background,
            turn: None,
        };
        let probe = Probe { word: "harbour" };
        match texts {
            Some(texts) => texts.request(&probe, ask, Vec::new()),
            None => request::request(&probe, ask, Vec::new()),
        }
    }

    fn with(file: &str, text: &str) -> Result<Texts, PromptFault> {
        Texts::with([(file.to_owned(), text.to_owned())])
    }

    #[test]
    fn another_wording_is_asked_with_and_has_a_revision_of_its_own() {
        let texts = with(Probe::FILE, "Echo.\n<!-- message -->\nThe word: {{ word }}")
            .expect("it can be rendered");
        let tried = asked(Some(&texts)).expect("a request");
        assert_eq!(tried.system.text, "Echo.");
        assert_eq!(tried.messages[0].text, "The word: harbour");
        let live = asked(None).expect("a request");
        assert_ne!(tried.system.revision, live.system.revision);
        assert_eq!(tried.reply, live.reply);
        let same = Texts::with([]).expect("all texts");
        assert_eq!(asked(Some(&same)), Ok(live));
    }

    #[test]
    fn what_is_no_text_of_ours_or_cannot_be_rendered_is_told() {
        assert_eq!(
            with("probe/other.v1", "x").err(),
            Some(PromptFault::NoSuchFile {
                file: "probe/other.v1".into()
            })
        );
        assert!(matches!(
            with(Probe::FILE, "{{ word").err(),
            Some(PromptFault::Render { .. })
        ));
        let texts = with(Probe::FILE, "<!-- message -->\n{{ sentence }}").expect("well formed");
        assert!(matches!(
            asked(Some(&texts)),
            Err(PromptFault::Render { .. })
        ));
    }
}
