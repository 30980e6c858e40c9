//! Passive wordings of requests: "the review should be moved to Friday", "can the review be moved to Friday" and "I want
//! the review moved to Friday" follow from `@move {target:np} to {to:time}`, so the data files need not repeat them.

use super::{Category, Grammar, Rule, RulePart, SlotType};

/// Class of what stands between the thing and the verb: "should be", "can now be".
const AFTER_THING: &str = "to_be_done";
/// Class of what begins a passive question: "can" in "can the review be moved".
const BEFORE_QUESTION: &str = "can_it";
/// Class of what stands between the thing and the verb of such a question: "be".
const IN_QUESTION: &str = "it_be";
/// Class of what stands before the thing in a wish: "I want", "get".
const BEFORE_WISH: &str = "want_it";
/// Added to the weight of the rule: a wording that a data file spells out comes first.
const WEIGHT: f32 = -0.1;
/// Maximum number of words before the thing: a verb and a particle, as in "put away {target}".
const VERB_PARTS_MAX: usize = 2;

/// Adds the passive wordings to every category of requests that change something and may stand in the passive.
pub(super) fn add(grammar: &mut Grammar) {
    let class = |name| grammar.class(name);
    let (Some(verbs), Some(to_be), Some(can), Some(be), Some(want)) = (
        class("imperative"),
        class(AFTER_THING),
        class(BEFORE_QUESTION),
        class(IN_QUESTION),
        class(BEFORE_WISH),
    ) else {
        return;
    };
    let orders = Orders { grammar, verbs };
    let made: Vec<Vec<Rule>> = grammar
        .categories
        .iter()
        .map(|category| {
            let rules = category.rules.iter().filter(|_| acts(category));
            let split = rules.filter_map(|rule| Some((rule, orders.split(rule)?)));
            let wordings = split.flat_map(|(rule, (verb, thing, rest))| {
                [
                    (vec![], vec![to_be]),
                    (vec![can], vec![be]),
                    (vec![want], vec![]),
                ]
                .map(|(before, between)| {
                    let class = |class: usize| RulePart::Class(class);
                    let parts = before.into_iter().map(class);
                    let parts = parts.chain([thing.clone()]);
                    let parts = parts.chain(between.into_iter().map(class));
                    Rule {
                        parts: parts.chain(verb.clone()).chain(rest.to_vec()).collect(),
                        constants: rule.constants.clone(),
                        weight: rule.weight + WEIGHT,
                    }
                })
            });
            wordings.collect()
        })
        .collect();
    for (category, rules) in grammar.categories.iter_mut().zip(made) {
        category.rules.extend(rules);
    }
}

/// Reports whether a category requests a change that may be said in the passive.
fn acts(category: &Category) -> bool {
    let asks = category.filters.is_some() || category.condition || category.fallback;
    category.tool.is_some() && !asks && !category.active_only
}

/// Recognises rules that begin with a verb of request.
struct Orders<'a> {
    grammar: &'a Grammar,
    verbs: usize,
}

impl Orders<'_> {
    /// Splits a rule into its verb, the thing the verb is done to, and the rest. Returns `None` if it does not begin
    /// with a verb of request, or if its passive would be any sentence at all.
    fn split<'r>(&self, rule: &'r Rule) -> Option<(Vec<RulePart>, &'r RulePart, &'r [RulePart])> {
        let fixed = |part: &RulePart| matches!(part, RulePart::Words(_) | RulePart::Class(_));
        let at = rule.parts.iter().take_while(|part| fixed(part)).count();
        let (verb, rest) = rule.parts.split_at(at);
        let (thing, rest) = rest.split_first()?;
        let RulePart::Slot { takes, .. } = thing else {
            return None;
        };
        let fits = match takes {
            SlotType::Category(_) | SlotType::People | SlotType::Quote => true,
            SlotType::Text => rest.iter().any(fixed),
            _ => false,
        };
        let first = self.verb(verb.first()?)?;
        let verb = [&[first], &verb[1..]].concat();
        (fits && verb.len() <= VERB_PARTS_MAX).then_some((verb, thing, rest))
    }

    /// Returns the verbs of request among the words of a part.
    fn verb(&self, part: &RulePart) -> Option<RulePart> {
        let verbs = &self.grammar.classes[self.verbs].phrases;
        match part {
            RulePart::Words(words) => {
                let words = words.iter().copied();
                let kept: Vec<_> = words.filter(|word| verbs.contains_key(word)).collect();
                (!kept.is_empty()).then_some(RulePart::Words(kept))
            }
            RulePart::Class(class) => {
                let mut begins = self.grammar.classes[*class].phrases.keys();
                begins
                    .any(|word| verbs.contains_key(word))
                    .then(|| part.clone())
            }
            _ => None,
        }
    }
}
