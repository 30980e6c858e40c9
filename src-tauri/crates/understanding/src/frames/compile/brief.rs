//! Requests that ask for several things at once: "summarize my day".

use super::super::binding::{Binding, Value};
use super::super::grammar::GRAMMAR;
use super::select::kind_of;

/// Returns the frames of a request: its own, and one for each category that its category also asks. If the message
/// names kinds of things, only theirs.
pub(super) fn parts(frame: &Binding) -> Vec<Binding> {
    let named: Vec<&Value> = frame.all("part").collect();
    let own = (frame.rule.0, frame.rule.1);
    let beside = frame.category().also.iter().map(|number| (*number, 0));
    std::iter::once(own)
        .chain(beside)
        .filter(|(number, _)| named.is_empty() || named.iter().any(|part| is_of(*number, part)))
        .map(|rule| part(frame, rule, rule == own))
        .collect()
}

/// Reports whether a category asks for things of a kind.
fn is_of(category: usize, part: &Value) -> bool {
    let tool = GRAMMAR.categories[category].tool.unwrap_or("");
    let kind = tool.split('.').next().and_then(kind_of);
    let said = match part {
        Value::Inner(inner) => inner.constant("part"),
        Value::Constant(word) => Some(*word),
        _ => None,
    };
    kind.is_some_and(|kind| said == Some(kind.word()))
}

/// Adapts a frame to one of the categories: drops the roles that the category drops, and adds the constants of its
/// first rule.
fn part(frame: &Binding, rule: (usize, usize), own: bool) -> Binding {
    let category = &GRAMMAR.categories[rule.0];
    let said = frame.roles.iter().filter(|(role, _)| {
        *role != "part" && (own || !category.drops.contains(role) && *role != "ask")
    });
    let mut roles: Vec<(&'static str, Value)> = said.cloned().collect();
    if let (false, Some(rule)) = (own, category.rules.get(rule.1)) {
        let fixed = rule.constants.iter();
        roles.extend(fixed.map(|(role, word)| (*role, Value::Constant(word))));
    }
    Binding {
        rule,
        roles,
        ..frame.clone()
    }
}
