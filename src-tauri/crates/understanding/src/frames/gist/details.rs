//! What a message that is guessed at says besides the name: times, lengths, people.

use std::ops::Range;

use adjutant_domain::record::Kind;

use super::super::lattice::{Edge, Filler, Lattice, PersonMention};
use super::named::{Named, is_somebody};
use super::table::Needs;

/// Words before the time that something is moved to.
const TOWARDS: &[&str] = &["to", "until", "till", "for", "by", "on", "before"];
/// Maximum number of tokens in a place or a label.
const WORDS_MAX: usize = 5;

/// A time or person, and where it stands.
#[derive(Clone)]
struct Said {
    words: String,
    tokens: Range<usize>,
    /// Whether a word like "to" introduces it.
    towards: bool,
    /// Whether it is part of the name that follows: "this Friday's".
    owns: bool,
}

impl Said {
    /// Returns the length of "an hour later", which is no time of its own.
    fn shift(&self, lattice: &Lattice<'_>) -> Option<Self> {
        let last = self.tokens.end.checked_sub(1)?;
        let shifts = matches!(lattice.word(last), "later" | "earlier") && last > self.tokens.start;
        let tokens = self.tokens.start..last;
        shifts.then(|| Self {
            words: lattice.slice(tokens.clone()).to_owned(),
            tokens,
            ..self.clone()
        })
    }
}

/// What the segments of a guess say besides the name.
pub(super) struct Details<'l, 'm> {
    lattice: &'l Lattice<'m>,
    named: &'l Named,
    times: Vec<Said>,
    lengths: Vec<Said>,
    people: Vec<Said>,
    /// The times of the other segments.
    times_beside: Vec<Said>,
}

impl<'l, 'm> Details<'l, 'm> {
    /// Collects the longest expressions of the segments outside the name. What something replaces ("instead of three") is
    /// passed over.
    pub fn of(
        lattice: &'l Lattice<'m>,
        named: &'l Named,
        segments: &[Range<usize>],
        others: &[Range<usize>],
    ) -> Self {
        let mut details = Self {
            lattice,
            named,
            times: Vec::new(),
            lengths: Vec::new(),
            people: Vec::new(),
            times_beside: Vec::new(),
        };
        for (at, edge) in expressions(lattice, named, segments) {
            let said = details.said(at, edge);
            match edge.filler {
                _ if is_replaced(lattice, at) => {}
                Filler::Time(_) => match said.shift(lattice) {
                    Some(length) => details.lengths.push(length),
                    None => details.times.push(said),
                },
                Filler::Length(_) => details.lengths.push(said),
                _ => details.people.push(said),
            }
        }
        let beside = expressions(lattice, named, others);
        let times = beside.filter(|(_, edge)| matches!(edge.filler, Filler::Time(_)));
        details.times_beside = times.map(|(at, edge)| details.said(at, edge)).collect();
        details
    }

    /// Takes an expression without the words that only connect it.
    fn said(&self, at: usize, edge: &Edge) -> Said {
        let lattice = self.lattice;
        let towards = |at: usize| TOWARDS.contains(&lattice.word(at));
        let (mut start, mut end) = (at, edge.end);
        let mut introduced = at > 0 && towards(at - 1);
        while start + 1 < end && towards(start) {
            start += 1;
            introduced = true;
        }
        let possessive = lattice.word(end - 1) == "'s" && start + 1 < end;
        end -= usize::from(possessive);
        Said {
            words: lattice.slice(start..end).to_owned(),
            tokens: start..end,
            towards: introduced,
            owns: lattice.word(end) == "'s" || self.named.tokens.contains(&end),
        }
    }

    /// Puts a guess into words. `name` is what the thing is called. Returns `None` if the guess lacks something, or if
    /// something of its segments has no place in it.
    pub fn request(
        &self,
        request: &str,
        needs: Needs,
        name: &str,
        cue: &Range<usize>,
    ) -> Option<String> {
        let lengths = matches!(needs, Needs::Length | Needs::Shift);
        if !lengths && !self.lengths.is_empty() {
            return None;
        }
        let mut people: Vec<&Said> = self.people.iter().collect();
        let mut day = self.day();
        let it = match needs {
            Needs::Nothing => None,
            Needs::Time => {
                let (to, of) = self.target_time()?;
                day = of;
                Some(to.words.clone())
            }
            Needs::Length => Some(single(&self.lengths)?.words.clone()),
            Needs::Shift => Some(self.shift()?),
            Needs::People => {
                let to = self.recipient(&people)?;
                people.retain(|one| one.tokens != to.tokens);
                Some(to.words.clone())
            }
            Needs::Words => {
                let (words, tokens) = self.words_behind(cue)?;
                people.retain(|one| !overlaps(&one.tokens, &tokens));
                Some(words)
            }
        };
        if self.times.len() > 1 && needs != Needs::Time {
            return None;
        }
        let mut target = self.target(name, &people)?;
        // A task is named well enough without a day, and has only one.
        if let Some(day) = day.filter(|_| self.named.kind != Kind::Task) {
            target = format!("{target} {}", day.words);
        }
        let request = request.replace("{name}", &target);
        Some(match it {
            Some(it) => request.replace("{it}", &it),
            None => request,
        })
    }

    /// Names the thing: its kind, its name, and who takes part in it or sent it.
    fn target(&self, name: &str, people: &[&Said]) -> Option<String> {
        let who = match people {
            [] => None,
            [one] => Some(&one.words),
            _ => return None,
        };
        let quoted = format!("\"{name}\"");
        Some(match (self.named.kind, who) {
            (Kind::Mail, None) if self.named.by_sender => format!("the mail from {name}"),
            (Kind::Mail, Some(who)) if !self.named.by_sender => {
                format!("the mail {quoted} from {who}")
            }
            (Kind::Event, Some(who)) => format!("the event {quoted} with {who}"),
            (_, Some(_)) => return None,
            (kind, None) => format!("the {} {quoted}", kind.word()),
        })
    }

    /// Returns the day that says which of several is meant: that of the segments of the guess, or the only one beside
    /// them.
    fn day(&self) -> Option<&Said> {
        self.times.first().or(match self.named.kind {
            Kind::Event => single(&self.times_beside),
            _ => None,
        })
    }

    /// Returns the time to move to, and the day that says which of several is meant.
    fn target_time(&self) -> Option<(&Said, Option<&Said>)> {
        match self.times.as_slice() {
            [to] => (!to.owns).then_some((to, None)),
            [one, other] => match (one.towards && !one.owns, other.towards && !other.owns) {
                (true, false) => Some((one, Some(other))),
                (false, true) => Some((other, Some(one))),
                _ => None,
            },
            _ => None,
        }
    }

    /// Returns the only length with the direction behind or before it: "an hour later", "by a week".
    fn shift(&self) -> Option<String> {
        let length = single(&self.lengths)?;
        let (before, behind) = (length.tokens.start.checked_sub(1)?, length.tokens.end);
        let way = match self.lattice.word(behind) {
            "later" | "back" => "later",
            "earlier" | "sooner" | "forward" => "earlier",
            _ if self.lattice.word(before) == "by" => "later",
            _ => return None,
        };
        Some(format!("{} {way}", length.words))
    }

    /// Returns who gets something: the only person, or the one behind "to".
    fn recipient(&self, people: &[&'l Said]) -> Option<Said> {
        if let [one] = people {
            return Some((*one).clone());
        }
        let mut to = people.iter().filter(|one| {
            let before = one.tokens.start.checked_sub(1);
            before.is_some_and(|at| self.lattice.word(at) == "to")
        });
        let only = to.next()?;
        to.next().is_none().then(|| (*only).clone())
    }

    /// Returns the words behind a cue, to the end of their segment.
    fn words_behind(&self, cue: &Range<usize>) -> Option<(String, Range<usize>)> {
        let lattice = self.lattice;
        let ends = |at: &usize| lattice.is_mark(*at) || lattice.word(*at) == "instead";
        let mut from = cue.end;
        while matches!(lattice.word(from), "to" | "in" | "at" | "as" | "the") {
            from += 1;
        }
        let end = (from..lattice.len()).find(ends).unwrap_or(lattice.len());
        let tokens = from..end;
        let timed = self
            .times
            .iter()
            .any(|time| overlaps(&time.tokens, &tokens));
        let named = self.named.tokens.iter().any(|at| tokens.contains(at));
        let short = !tokens.is_empty() && tokens.len() <= WORDS_MAX;
        (short && !timed && !named).then(|| (lattice.slice(tokens.clone()).to_owned(), tokens))
    }
}

/// Returns the longest times, lengths and people of some segments, outside a name.
fn expressions<'l>(
    lattice: &'l Lattice<'_>,
    named: &'l Named,
    segments: &[Range<usize>],
) -> impl Iterator<Item = (usize, &'l Edge)> {
    let mut found = Vec::new();
    for segment in segments {
        let mut at = segment.start;
        while at < segment.end {
            let edges = lattice.edges(at).iter();
            let free = edges.filter(|edge| (at..edge.end).all(|at| !named.tokens.contains(&at)));
            let typed = free.filter(|edge| match edge.filler {
                Filler::Time(_) | Filler::Length(_) => true,
                _ => is_somebody(edge) && is_sure(lattice, at, edge),
            });
            match typed.max_by_key(|edge| edge.end) {
                Some(edge) => {
                    found.push((at, edge));
                    at = edge.end;
                }
                None => at += 1,
            }
        }
    }
    found.into_iter()
}

/// Reports whether an expression names people for certain: those the engine knows, or those behind a word for them.
fn is_sure(lattice: &Lattice<'_>, at: usize, edge: &Edge) -> bool {
    let before = at.checked_sub(1).map_or("", |at| lattice.word(at));
    let Filler::People(people) = &edge.filler else {
        return false;
    };
    let unknown = |one: &PersonMention| matches!(one, PersonMention::Named(_, false));
    matches!(before, "from" | "by" | "with" | "to") || !people.iter().any(unknown)
}

/// Reports whether something else replaces the expression at a token: "instead of three", "rather than Monday".
fn is_replaced(lattice: &Lattice<'_>, at: usize) -> bool {
    let before = |back: usize| at.checked_sub(back).map_or("", |at| lattice.word(at));
    matches!(
        (before(2), before(1)),
        ("instead", "of") | ("rather", "than")
    )
}

fn overlaps(one: &Range<usize>, other: &Range<usize>) -> bool {
    one.start < other.end && other.start < one.end
}

/// Returns the only entry.
fn single<T>(entries: &[T]) -> Option<&T> {
    match entries {
        [one] => Some(one),
        _ => None,
    }
}
