//! Words that say what somebody thinks of a thing: no record has them, so nothing can be chosen by them.

use super::clause::{Unread, Why};
use super::model::Sel;
use super::said::Said;

/// Adjectives of opinion and mood.
const OPINIONS: &str = "funny boring annoying useless useful silly stupid dumb good bad best worst great nice lovely ugly \
pretty interesting uninteresting irrelevant relevant pointless unnecessary necessary easy difficult hard simple complicated \
weird strange odd fun sad happy angry rude polite friendly mean serious exciting dull favorite favourite cool lame awful \
terrible horrible amazing awesome cute dangerous safe expensive cheap wrong right correct stressful tiring relaxing pleasant \
unpleasant optional crucial minor major real fake trivial tedious worthwhile worthless helpful unhelpful disappointing \
sensitive confidential personal private";

/// The word of opinion by which something is chosen here, if it is chosen by nothing else in words.
pub(super) fn of(sel: &Sel) -> Option<&str> {
    let own = [&sel.title, &sel.about]
        .into_iter()
        .flatten()
        .filter(|words| !words.quoted)
        .find(|words| {
            let mut all = words.text.split_whitespace().peekable();
            all.peek().is_some()
                && all.all(|word| {
                    let low = word.to_lowercase();
                    matches!(
                        low.as_str(),
                        "really" | "very" | "most" | "more" | "ones" | "and"
                    ) || OPINIONS.split(' ').any(|opinion| opinion == low)
                })
        })
        .map(|words| words.text.as_str());
    own.or_else(|| sel.except.iter().find_map(of))
}

/// The refusal that names the word.
pub(super) fn refusal(said: &Said<'_>, sel: &Sel) -> Option<Unread> {
    let word = of(sel)?;
    Some(Unread {
        span: said.span(&sel.span),
        why: Why::CanNot(format!(
            "I cannot tell which ones are “{word}”, so I have done nothing. Please name them by title, person or date."
        )),
    })
}
