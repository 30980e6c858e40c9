//! A selection as the filters of a family of tools, with the same in words.

use super::filter_kinds::{event, file, mail, note, task};
use serde_json::{Map, Value as Json, json};

use super::super::lexicon::Noun;
use super::super::model::{Pick, Sel, Who, Words};
use super::super::said::Said;
use super::when::{self, Window};

/// Filters, how many are meant, and the same in words.
#[derive(Clone, Debug, Default)]
pub(in super::super) struct Filter {
    /// Arguments, without `pick`.
    pub args: Map<String, Json>,
    /// `pick`, where it says something.
    pub pick: Option<Json>,
    /// Whether several may be meant.
    pub many: bool,
    /// In words, for the restatement.
    pub words: String,
    /// The range.
    pub window: Window,
}

/// Whether the request acts on what is chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) enum Purpose {
    /// It reads.
    Read,
    /// It acts.
    Act,
}

/// Words to look for: small words of a title that was not quoted are not looked for, as records word them otherwise.
pub(super) fn needle(words: &Words) -> String {
    const SMALL: &[&str] = &[
        "the", "a", "an", "my", "our", "and", "of", "to", "for", "&", "-", "/", "in", "on", "about",
    ];
    if words.quoted {
        return words.text.clone();
    }
    let kept: Vec<&str> = words
        .text
        .split_whitespace()
        .filter(|word| !SMALL.contains(&word.to_lowercase().as_str()))
        .collect();
    if kept.is_empty() {
        words.text.clone()
    } else {
        kept.join(" ")
    }
}

/// The name of a person in arguments.
pub(in super::super) fn name_of(who: &Who) -> Option<String> {
    match who {
        Who::Named { name, .. } => Some(name.clone()),
        Who::Address(address) => Some(address.clone()),
        _ => None,
    }
}

/// "The bank", "my insurance company": what a sender calls itself. A team has no address of its own.
pub(super) fn sender(who: &Who) -> Option<String> {
    /// Last words of groups of people.
    const MANY: &[&str] = &[
        "team",
        "group",
        "department",
        "staff",
        "people",
        "guys",
        "folks",
        "members",
        "committee",
        "board",
        "others",
        "rest",
        "everyone",
        "clients",
        "customers",
        "colleagues",
        "friends",
        "squad",
        "crew",
        "class",
    ];
    let Who::Group(name) = who else {
        return None;
    };
    let name = strip_article(name);
    let last = name.rsplit(' ').next().unwrap_or("").to_lowercase();
    (!MANY.contains(&last.as_str())).then(|| name.to_owned())
}

pub(super) fn names(list: &[Who]) -> Vec<String> {
    list.iter().filter_map(name_of).collect()
}

/// Turns a selection into filters. `None`: something in it cannot be said to the tools.
pub(in super::super) fn filter(said: &Said<'_>, sel: &Sel, purpose: Purpose) -> Option<Filter> {
    let mut filter = Filter {
        window: when::window(said, sel)?,
        ..Filter::default()
    };
    match sel.noun? {
        Noun::Event => event(said, sel, purpose, &mut filter)?,
        Noun::Mail => mail(sel, purpose, &mut filter)?,
        Noun::Task | Noun::Reminder => task(sel, &mut filter)?,
        Noun::Note => note(sel, &mut filter)?,
        Noun::File => file(sel, &mut filter)?,
        Noun::Memory => {
            if let Some(words) = sel.about.as_ref().or(sel.title.as_ref()) {
                filter.args.insert("text".into(), json!(words.text));
            }
        }
        Noun::Contact | Noun::Slot | Noun::Any => return None,
    }
    let mut left = Vec::new();
    for except in &sel.except {
        let mut except = except.clone();
        except.noun = sel.noun;
        let inner = self::filter(said, &except, purpose)?;
        let mut args = inner.args;
        if let Some(pick) = inner.pick.filter(|_| except.pick.is_some()) {
            args.insert("pick".into(), pick);
        }
        if args.is_empty() {
            return None;
        }
        left.push(Json::Object(args));
    }
    if !left.is_empty() {
        filter.args.insert("except".into(), Json::Array(left));
    }
    if let Some(order) = sel.order {
        filter.args.insert("order".into(), json!(order));
    }
    filter.words = super::words::selection(said, sel, &filter.window);
    Some(filter)
}

/// How many: order, pick and limit.
pub(super) fn choose(
    sel: &Sel,
    filter: &mut Filter,
    purpose: Purpose,
    ascending: &str,
    descending: &str,
) {
    let plural = sel.plural || sel.all;
    let (ascending, descending) = match sel.order {
        Some(order) => (order, order),
        None => (ascending, descending),
    };
    let mut set = |order: &str, n: usize| {
        filter.args.insert("order".into(), json!(order));
        if n == 1 {
            filter.pick = Some(json!("first"));
        } else {
            filter.args.insert("limit".into(), json!(n));
            filter.pick = Some(json!("all"));
            filter.many = true;
        }
    };
    match sel.pick {
        Some(Pick::First(n) | Pick::Next(n)) => set(ascending, n),
        Some(Pick::Last(n) | Pick::Latest(n)) => set(descending, n),
        Some(Pick::Nth(n)) => filter.pick = Some(json!({ "nth": n })),
        Some(Pick::Longest) => set("-duration", 1),
        Some(Pick::Shortest) => set("duration", 1),
        None if plural => {
            filter.pick = (purpose == Purpose::Act).then(|| json!("all"));
            filter.many = true;
        }
        None => filter.pick = (purpose == Purpose::Act).then(|| json!("one")),
    }
}

/// A group without its article.
pub(in super::super) fn strip_article(name: &str) -> &str {
    ["the ", "my ", "our ", "a ", "an "]
        .iter()
        .find_map(|article| {
            name.get(..article.len())
                .filter(|start| start.eq_ignore_ascii_case(article))
                .and_then(|_| name.get(article.len()..))
        })
        .unwrap_or(name)
}
