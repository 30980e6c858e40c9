//! A recurrence whose beginning is said separately: "every Tuesday at seven …, starting in April".

use super::{Compiler, Unfit};
use crate::time::{self, Policy, TimeExpression, Value};

/// Words that introduce the beginning of a recurrence.
const LEADS: &[&str] = &["starting", "beginning", "commencing"];

impl Compiler<'_, '_> {
    /// Combines a recurrence and its beginning into one time, if both are said.
    ///
    /// # Errors
    ///
    /// Returns an error if nothing recurs from the beginning on, or if the combination cannot be read.
    pub(super) fn begun(
        &self,
        founds: &[&TimeExpression],
    ) -> Result<Option<TimeExpression>, Unfit> {
        let lattice = self.lattice;
        let words = |found: &TimeExpression| {
            lattice
                .text
                .source
                .get(found.cut())
                .unwrap_or("")
                .to_owned()
        };
        let leads = |found: &&&TimeExpression| {
            let words = words(found).to_lowercase();
            LEADS.iter().any(|lead| words.starts_with(lead))
        };
        let said = self.frame.times("begin").next();
        let said = said.and_then(|time| lattice.times.get(time));
        let Some(begin) = said.or_else(|| founds.iter().find(leads).copied()) else {
            return Ok(None);
        };
        let repeats = |found: &&TimeExpression| matches!(found.value, Value::Set { .. });
        if !founds.iter().any(repeats) {
            return match said {
                Some(_) => Err(Unfit("a beginning of nothing")),
                None => Ok(None),
            };
        }
        let mut rest: Vec<&TimeExpression> = founds.to_vec();
        rest.retain(|found| !std::ptr::eq(*found, begin));
        rest.sort_by_key(|found| !repeats(found));
        let mut text: Vec<String> = rest.into_iter().map(words).collect();
        let begin = words(begin);
        if !LEADS
            .iter()
            .any(|lead| begin.to_lowercase().starts_with(lead))
        {
            text.push(LEADS[0].to_owned());
        }
        text.push(begin);
        let text = text.join(" ");
        let policy = Policy::of(lattice.said.settings);
        let read = time::find(&text, lattice.said.now, &policy)
            .into_iter()
            .next();
        let whole = read.filter(|read| read.cut() == (0..text.len()) && repeats(&read));
        whole
            .map(Some)
            .ok_or(Unfit("a beginning that was not read"))
    }
}
