//! A guess at what a message wants that no rule reads as a whole: "We've decided to skip the market this weekend, so do
//! take it off my calendar."
//!
//! A cue says what is wanted, the names of the person's own things say with what, and every time, length and person of
//! the message has to find its place. The guess is put into the words of a plain request and read by the rules. That
//! request contains only words of the message: a name may be by somebody else, and is never read as a request. Its
//! steps are marked as guessed, so the person decides on the card.

use std::cmp::Reverse;
use std::collections::HashSet;
use std::ops::Range;

use adjutant_domain::reading::{Reading, TraceLine, Utterance};
use adjutant_domain::record::Kind;
use adjutant_text::message::Text;
use adjutant_text::{says_nothing, stem};

use super::decide;
use super::grammar::GRAMMAR;
use super::lattice::{Filler, Lattice};

/// Maximum number of tokens in a message that is guessed at; a longer one wants more than one thing.
const TOKENS_MAX: usize = 32;

/// Words for somebody whom the message has already named, or who need not be.
const PRONOUNS: &[&str] = &[
    "he", "she", "him", "her", "they", "them", "me", "us", "we", "i",
];

/// What a guess needs besides a name.
#[derive(Clone, Copy, PartialEq)]
enum Needs {
    /// Nothing; a time says which of several.
    Nothing,
    /// A time.
    Time,
    /// A length of time.
    Length,
    /// Somebody.
    People,
}

/// What a cue means for a kind of thing.
struct Gist {
    kind: Kind,
    /// Class of the words by which it is recognised.
    cue: &'static str,
    needs: Needs,
    /// The request, with `{name}`, and `{it}` for what it needs.
    request: &'static str,
}

const fn gist(kind: Kind, cue: &'static str, needs: Needs, request: &'static str) -> Gist {
    Gist {
        kind,
        cue,
        needs,
        request,
    }
}

/// What is guessed. Several may fit a message; then it has to say which by more words.
const GISTS: &[Gist] = &[
    gist(
        Kind::Event,
        "gist_cancel",
        Needs::Nothing,
        "cancel the event {name}",
    ),
    gist(
        Kind::Event,
        "gist_move",
        Needs::Time,
        "move the event {name} to {it}",
    ),
    gist(
        Kind::Event,
        "gist_longer",
        Needs::Length,
        "make the event {name} {it} longer",
    ),
    gist(
        Kind::Event,
        "gist_shorter",
        Needs::Length,
        "make the event {name} {it} shorter",
    ),
    gist(
        Kind::Event,
        "gist_invite",
        Needs::People,
        "invite {it} to the event {name}",
    ),
    gist(
        Kind::Event,
        "gist_uninvite",
        Needs::People,
        "remove {it} from the event {name}",
    ),
    gist(
        Kind::Task,
        "gist_done",
        Needs::Nothing,
        "mark the task {name} as done",
    ),
    gist(
        Kind::Task,
        "gist_due",
        Needs::Time,
        "move the task {name} to {it}",
    ),
    gist(
        Kind::Task,
        "gist_urgent",
        Needs::Nothing,
        "set the priority of the task {name} to high",
    ),
    gist(
        Kind::Task,
        "gist_unhurried",
        Needs::Nothing,
        "set the priority of the task {name} to low",
    ),
    gist(
        Kind::Task,
        "gist_drop",
        Needs::Nothing,
        "delete the task {name}",
    ),
    gist(
        Kind::Mail,
        "gist_file",
        Needs::Nothing,
        "archive the mail {name}",
    ),
    gist(
        Kind::Mail,
        "gist_read",
        Needs::Nothing,
        "mark the mail {name} as read",
    ),
    gist(
        Kind::Mail,
        "gist_star",
        Needs::Nothing,
        "star the mail {name}",
    ),
    gist(
        Kind::Mail,
        "gist_bin",
        Needs::Nothing,
        "delete the mail {name}",
    ),
    gist(
        Kind::Mail,
        "gist_forward",
        Needs::People,
        "forward the mail {name} to {it}",
    ),
];

/// A name of one of the person's things in a message.
struct Named<'a> {
    kind: Kind,
    label: &'a str,
    /// The tokens that belong to it.
    tokens: HashSet<usize>,
    /// Whether all its words are said, how many of them name nobody, and how many there are.
    rank: (bool, usize, usize),
}

impl Named<'_> {
    /// Returns the words of the message that belong to the name.
    fn words(&self, lattice: &Lattice<'_>) -> String {
        let mut parts: Vec<&str> = Vec::new();
        let mut at = 0;
        while at < lattice.len() {
            let end = (at..lattice.len())
                .take_while(|at| self.tokens.contains(at))
                .count()
                + at;
            if end > at {
                parts.push(lattice.slice(at..end));
            }
            at = end + 1;
        }
        parts.join(" ")
    }
}

/// A plain request for one of the person's things.
struct Guess<'a> {
    named: &'a Named<'a>,
    request: String,
}

/// Plans what a message probably wants. Returns `None` if it names nothing of the person's or more than one thing, or
/// if something in it has no place in the guess.
pub(super) fn plan(said: &Utterance<'_>) -> Option<Reading> {
    let lattice = Lattice::read(said.text, said)?;
    let holds = |class: &str, at: usize| lattice.phrase(class, at).is_some();
    let never = |at: usize| holds("gist_never", at) || holds("limits", at);
    let quoted = lattice
        .text
        .tokens
        .iter()
        .any(|token| token.quote.is_some());
    if lattice.len() > TOKENS_MAX || quoted || asks(&lattice) || (0..lattice.len()).any(never) {
        return None;
    }
    let kinds = kinds(&lattice);
    let mut named = named(&lattice);
    named.retain(|one| kinds.is_empty() || kinds.contains(&one.kind.word()));
    let mut guesses: Vec<Guess<'_>> = named
        .iter()
        .filter_map(|one| guess(&lattice, one))
        .collect();
    guesses.sort_by_key(|guess| Reverse(guess.named.rank));
    let Guess {
        named: best,
        request,
    } = guesses.first()?;
    let rival = guesses
        .get(1)
        .is_some_and(|next| next.named.rank == best.rank);
    let beside = |other: &Named<'_>| other.rank.0 && other.tokens.is_disjoint(&best.tokens);
    if rival || named.iter().any(beside) {
        return None;
    }
    let Reading::Plan { mut plan, trace } = decide::plan(&Utterance {
        text: request,
        ..*said
    })?
    else {
        return None;
    };
    if plan.steps.iter().any(|step| step.question.is_some()) {
        return None;
    }
    plan.steps.iter_mut().for_each(|step| step.guessed = true);
    // The words of the request are not those of the message, so they mark nothing in it.
    let without_place = |line: TraceLine| TraceLine { span: None, ..line };
    Some(Reading::Plan {
        plan,
        trace: trace.into_iter().map(without_place).collect(),
    })
}

/// Returns the kinds of things that the message says by a noun: "my note about the trip" is no event.
fn kinds(lattice: &Lattice<'_>) -> Vec<&'static str> {
    let nouns = ["kind", "kinds"]
        .into_iter()
        .filter_map(|class| GRAMMAR.class(class));
    let nouns: Vec<usize> = nouns.collect();
    // "Mail" behind an article is a noun.
    let said = (1..lattice.len()).filter(|at| lattice.phrase("det", at - 1).is_some());
    let words = said.flat_map(|at| {
        nouns
            .iter()
            .flat_map(move |class| lattice.phrases_at(*class, at))
    });
    words.map(|noun| noun.value).collect()
}

/// Reports whether a message is a question, apart from one that asks Adjutant to do something.
fn asks(lattice: &Lattice<'_>) -> bool {
    let can = matches!(lattice.word(0), "can" | "could" | "would" | "will");
    let question = (0..lattice.len()).any(|at| lattice.word(at) == "?");
    !can && (question || lattice.phrase("question", 0).is_some())
}

/// Returns the number of words of the longest phrase of a class in the message, outside the name.
fn cued(lattice: &Lattice<'_>, class: &str, name: &HashSet<usize>) -> Option<usize> {
    let free = |tokens: Range<usize>| tokens.into_iter().all(|at| !name.contains(&at));
    let hits = (0..lattice.len()).filter_map(|at| {
        let end = lattice.phrase(class, at)?;
        free(at..end).then_some(end - at)
    });
    hits.max()
}

/// Returns the plain request that the longest cue makes for a thing, unless another cue is as long.
fn guess<'a>(lattice: &Lattice<'_>, named: &'a Named<'a>) -> Option<Guess<'a>> {
    let found = Found::of(lattice, &named.tokens);
    let gists = GISTS.iter().filter(|gist| gist.kind == named.kind);
    let mut cued: Vec<(usize, String)> = gists
        .filter_map(|gist| {
            let cue = cued(lattice, gist.cue, &named.tokens)?;
            Some((cue, found.request(gist, &named.words(lattice))?))
        })
        .collect();
    cued.sort_by_key(|(cue, _)| Reverse(*cue));
    let longest = cued.first()?.0;
    let rival = cued.get(1).is_some_and(|(next, _)| *next == longest);
    let (_, request) = cued.into_iter().next().filter(|_| !rival)?;
    Some(Guess { named, request })
}

/// Returns the things of which the message says more than a person's name.
fn named<'a>(lattice: &Lattice<'a>) -> Vec<Named<'a>> {
    let people = lattice.said.people.iter();
    let people: HashSet<String> = people.flat_map(|(name, _)| stems(name)).collect();
    let words = (0..lattice.len()).map(|at| stem(lattice.word(at)));
    let words: Vec<String> = words.collect();
    let mut found: Vec<Named<'a>> = Vec::new();
    for name in lattice.said.names {
        let Some((kind, _)) = name.record() else {
            continue;
        };
        let wanted = stems(&name.label);
        let places = (0..words.len()).filter(|at| wanted.contains(&words[*at]));
        let tokens: HashSet<usize> = places.collect();
        let said: HashSet<&String> = tokens.iter().map(|at| &words[*at]).collect();
        let telling = said.iter().filter(|word| !people.contains(**word)).count();
        let same = |one: &Named<'_>| one.kind == kind && one.label == name.label;
        if telling > 0 && !found.iter().any(same) {
            found.push(Named {
                kind,
                label: &name.label,
                rank: (said.len() == wanted.len(), telling, said.len()),
                tokens,
            });
        }
    }
    found
}

/// Returns the stems of the words of a name that say something.
fn stems(name: &str) -> HashSet<String> {
    let words = Text::read(name).tokens.into_iter().map(|token| token.word);
    let telling =
        words.filter(|word| word.chars().any(char::is_alphanumeric) && !says_nothing(word));
    telling.map(|word| stem(&word)).collect()
}

/// What the message says besides the name.
struct Found {
    times: Vec<String>,
    lengths: Vec<String>,
    people: Vec<String>,
}

impl Found {
    /// Collects the longest expressions outside the name. A time that something replaces ("instead of three") is passed
    /// over.
    fn of(lattice: &Lattice<'_>, name: &HashSet<usize>) -> Self {
        let (mut times, mut lengths, mut people) = (Vec::new(), Vec::new(), Vec::new());
        let mut at = 0;
        while at < lattice.len() {
            let edges = lattice.edges(at).iter();
            let free = edges.filter(|edge| (at..edge.end).all(|at| !name.contains(&at)));
            let typed = free.filter(|edge| {
                matches!(
                    edge.filler,
                    Filler::Time(_) | Filler::Length(_) | Filler::People(_)
                )
            });
            let Some(edge) = typed.max_by_key(|edge| edge.end) else {
                at += 1;
                continue;
            };
            let words = lattice.slice(at..edge.end).to_owned();
            let replaced =
                at > 1 && lattice.word(at - 1) == "of" && lattice.word(at - 2) == "instead";
            match edge.filler {
                _ if replaced || PRONOUNS.contains(&lattice.word(at)) => {}
                Filler::Time(_) => times.push(words),
                Filler::Length(_) => lengths.push(words),
                _ => people.push(words),
            }
            at = edge.end;
        }
        Self {
            times,
            lengths,
            people,
        }
    }

    /// Puts a guess into words. Returns `None` if it lacks something, or if something of the message has no place in it.
    fn request(&self, gist: &Gist, name: &str) -> Option<String> {
        let (it, day) = match gist.needs {
            Needs::Nothing => (None, self.times.as_slice()),
            Needs::Time => match self.times.as_slice() {
                [to] => (Some(to), &[][..]),
                _ => return None,
            },
            Needs::Length => (Some(single(&self.lengths)?), self.times.as_slice()),
            Needs::People => (Some(single(&self.people)?), self.times.as_slice()),
        };
        let lengths = self.lengths.is_empty() || gist.needs == Needs::Length;
        let people = self.people.is_empty() || gist.needs == Needs::People;
        if !lengths || !people || day.len() > 1 {
            return None;
        }
        let mut request = gist.request.replace("{name}", &format!("\"{name}\""));
        if let Some(it) = it {
            request = request.replace("{it}", it);
        }
        if let Some(day) = day.first() {
            request = format!("{request} {day}");
        }
        Some(request)
    }
}

/// Returns the only entry.
fn single(entries: &[String]) -> Option<&String> {
    match entries {
        [one] => Some(one),
        _ => None,
    }
}
