//! Finds where a message may be cut into requests, and how each part relates to what precedes it.

use super::super::lattice::Lattice;

/// Maximum number of places at which a message may be cut.
const CUTS_MAX: usize = 14;

/// Words and marks that may separate two requests.
const JOINTS: &[&str] = &[
    "and",
    "then",
    "also",
    "plus",
    "but",
    "&",
    "+",
    ",",
    ";",
    ".",
    "!",
    "?",
    "afterwards",
    "finally",
    "because",
    "cause",
    "cuz",
    "coz",
    "since",
    "-",
    "–",
    "—",
];

/// Words that introduce a reason before a request: "since Hugo can't come, move the lunch".
const REASONS: &[&str] = &["since", "because", "as", "cause", "cuz"];

/// How a part relates to what precedes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ClauseLink {
    /// It is a separate request.
    Next,
    /// It is a condition: "if …", or negated "unless …".
    If {
        /// Whether it is negated.
        denied: bool,
        /// Whether it may also be a question: "check if …".
        asks: bool,
    },
    /// A request for the case that the preceding condition or question holds: "if so".
    Yes,
    /// A request for the case that it does not hold: "if not", "otherwise".
    No,
}

/// A place at which the message may be cut.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Cut {
    /// The token after the part before the cut.
    pub end: usize,
    /// The first token of the part after the cut.
    pub start: usize,
    /// How that part relates to what precedes it.
    pub link: ClauseLink,
    /// Whether a sentence ends here.
    pub stop: bool,
    /// Whether a word such as "and" joins the parts, rather than a comma or nothing.
    pub joined: bool,
    /// Whether nothing separates the parts; only a request directly after its condition begins like that.
    pub bare: bool,
}

/// Returns all places at which a message may be cut; the first one is its beginning.
pub(super) fn cuts(lattice: &Lattice<'_>) -> Vec<Cut> {
    let clock = (0..lattice.len()).any(|at| lattice.phrase("time_is", at).is_some());
    let (link, start) = match clock || lattice.is_sum(0..lattice.len()) {
        // "If it is 4pm here, what time is it in Sydney?" is no condition.
        true => (ClauseLink::Next, 0),
        false => link_at(lattice, opening(lattice)),
    };
    let mut cuts = vec![Cut {
        end: 0,
        start,
        link,
        stop: true,
        joined: false,
        bare: false,
    }];
    let mut at = start;
    let mut conditions = link != ClauseLink::Next;
    while at < lattice.len() && cuts.len() < CUTS_MAX {
        let end = at;
        while at < lattice.len() && is_joint(lattice, at) && !spares(lattice, at) {
            at += 1;
        }
        let (link, start) = link_at(lattice, at);
        conditions |= link != ClauseLink::Next;
        let joint = at > end;
        let bare = !joint && link == ClauseLink::Next;
        let begins = conditions && lattice.phrase("imperative", at).is_some();
        let told = bare && tells_of_it(lattice, at);
        if (!bare || begins || told)
            && end > cuts.last().map_or(0, |cut| cut.start)
            && start < lattice.len()
        {
            let is = |words: &[&str]| (end..at).any(|at| words.contains(&lattice.word(at)));
            cuts.push(Cut {
                end,
                start,
                link,
                stop: is(&[".", "!", "?", ";"]),
                joined: is(&["and", "then", "also", "plus", "&", "+"]),
                bare: bare && !told,
            });
            at = start;
        }
        at += usize::from(!joint || link == ClauseLink::Next);
    }
    cuts
}

/// Reports whether a "but" excludes something from the preceding request instead of beginning another one: "but keep
/// today's", "but not the unread ones".
fn spares(lattice: &Lattice<'_>, at: usize) -> bool {
    lattice.word(at) == "but" && lattice.phrase("spare", at + 1).is_some()
}

/// Reports whether a statement about what precedes it goes to the end of the message, with nothing in between: "reopen
/// the task I never did it".
fn tells_of_it(lattice: &Lattice<'_>, at: usize) -> bool {
    let end = (at..lattice.len()).rev().find(|at| !lattice.is_mark(*at));
    let goes_on = (at..lattice.len()).any(|at| JOINTS.contains(&lattice.word(at)));
    let relative = [
        "that", "which", "who", "what", "when", "where", "how", "why", "if", "as",
    ];
    matches!(lattice.word(at), "i" | "we")
        && at > 0
        && !goes_on
        && !relative.contains(&lattice.word(at - 1))
        && end.is_some_and(|end| end > at + 1 && matches!(lattice.word(end), "it" | "them"))
}

fn is_joint(lattice: &Lattice<'_>, at: usize) -> bool {
    let token = lattice.text.tokens.get(at);
    let joins = JOINTS.contains(&lattice.word(at)) || lattice.is_so(at);
    joins && token.is_some_and(|token| token.quote.is_none())
}

/// Returns how the part that begins at a token relates to what precedes it, and its first token.
fn link_at(lattice: &Lattice<'_>, at: usize) -> (ClauseLink, usize) {
    let mut start = at;
    loop {
        if let Some((link, start)) = short(lattice, start) {
            return (link, start);
        }
        let openers = [
            ("ask_if", false, true),
            ("unless", true, false),
            ("if", false, false),
        ];
        let passed = lattice.phrase("filler", start);
        for (class, denied, asks) in openers {
            // "If you could remind me" sets no condition.
            let opened = lattice.phrase(class, start);
            if let Some(end) = opened.filter(|end| passed.is_none_or(|passed| passed <= *end)) {
                return (ClauseLink::If { denied, asks }, end);
            }
        }
        if let Some(link) = inverted(lattice, start) {
            return (link, start + 1);
        }
        match passed.or_else(|| greeted(lattice, start)) {
            Some(end) => start = end,
            None => return (ClauseLink::Next, at),
        }
    }
}

/// Returns the token after "oh and" or "since" at the beginning of the message.
fn opening(lattice: &Lattice<'_>) -> usize {
    if REASONS.contains(&lattice.word(0)) {
        return 1;
    }
    // "And what is planned for Sunday?" asks for itself; "and on Sunday?" changes the question before.
    let asks = ["what", "when", "where", "who", "which", "how", "please"];
    if matches!(lattice.word(0), "and" | "so" | "but") && asks.contains(&lattice.word(1)) {
        return 1;
    }
    // "And mark it as unread" is a request of its own.
    if lattice.word(0) == "and" && lattice.phrase("verb_behind_and", 1).is_some() {
        return 1;
    }
    let said = lattice.phrase("filler", 0).unwrap_or(0);
    let joined = said > 0 && matches!(lattice.word(said), "and" | "also" | "but");
    if joined { said + 1 } else { 0 }
}

/// Returns the token after a greeting and its marks at the beginning of the message.
fn greeted(lattice: &Lattice<'_>, at: usize) -> Option<usize> {
    let begins = (0..at).all(|before| {
        lattice.is_mark(before)
            || lattice
                .phrase("filler", before)
                .is_some_and(|end| end <= at)
    });
    let end = match begins {
        true => lattice.phrase("greeting", at),
        false => None,
    };
    let end = end.or_else(|| (begins && at > 0 && lattice.is_mark(at)).then_some(at + 1))?;
    let marks = (end..lattice.len()).take_while(|at| lattice.is_mark(*at));
    Some(end + marks.count())
}

/// Reads "do I have more than …" like "whether I have more than …", and "when I have no …" as a condition.
fn inverted(lattice: &Lattice<'_>, at: usize) -> Option<ClauseLink> {
    let counts = lattice.phrase("ask_count", at);
    let asks = counts.is_some_and(|end| lattice.phrase("than", end).is_some());
    (asks || lattice.phrase("when_none", at).is_some()).then_some(ClauseLink::If {
        denied: false,
        asks,
    })
}

/// Reads a reference to the preceding condition: "if so", "if not", "otherwise".
fn short(lattice: &Lattice<'_>, at: usize) -> Option<(ClauseLink, usize)> {
    let otherwise = lattice.phrase("otherwise", at);
    let found = [("if_so", ClauseLink::Yes), ("if_not", ClauseLink::No)];
    let (link, end) = match otherwise {
        Some(end) => (ClauseLink::No, end),
        None => found.into_iter().find_map(|(class, link)| {
            let end = lattice.phrase(class, at)?;
            let ends = is_joint(lattice, end) || lattice.phrase("imperative", end).is_some();
            ends.then_some((link, end))
        })?,
    };
    let marks = (end..lattice.len()).take_while(|at| is_joint(lattice, *at));
    Some((link, end + marks.count()))
}
