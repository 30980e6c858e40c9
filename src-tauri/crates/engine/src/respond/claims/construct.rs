//! The constructions in which a verb makes a claim.

use super::Grounds;
use super::foreign::{FOREIGN, FOREIGN_NOT};
use super::sentences::Sentence;
use super::verbs::{PROMISED, PROMISED_OF_THINGS, TOLD, participle};
use super::words::{
    AUXILIARIES, BE, BETWEEN, CONDITIONS, DEEDS, DETERMINERS, DIRECTIONS, DONE_NOW, HAVE, MODALS,
    NEGATIONS, NOTHING, OBJECTS, OWN_THINGS, PHRASES, REPORTS, SPEAKERS, STATES, THINGS,
};

/// Number of words of a subject, backwards from the verb, in which to look for a thing of the person.
const SUBJECT_WORDS_MAX: usize = 6;
/// Maximum number of words before the verb of a headline such as "Mail to Bob sent".
const HEADLINE_WORDS_MAX: usize = 4;

/// Whether a clause claims an effect. `opening` means that it is one of the first clauses of an answer.
pub(super) fn claims(sentence: &Sentence, at: usize, opening: bool, grounds: &Grounds<'_>) -> bool {
    let clause = &sentence.clauses[at];
    if sentence.asks && at + 1 == sentence.clauses.len() {
        return false;
    }
    if is_foreign(clause) {
        return true;
    }
    let starts = |phrase: &[&str]| clause.iter().take(phrase.len()).eq(phrase);
    let conditional = contains(clause, CONDITIONS) || contains(clause, MODALS);
    // A "without" after the phrase denies nothing: "it went through without a hitch".
    let has = |phrase: &&[&str]| {
        let at = clause
            .windows(phrase.len())
            .position(|words| words == *phrase);
        at.is_some_and(|at| !contains(&clause[..at + phrase.len()], NEGATIONS))
    };
    let opens = starts(&["done"]) || starts(&["all", "done"]);
    if !conditional
        && ((opens && !contains(clause, NEGATIONS))
            || PHRASES.iter().any(has)
            || (clause.first().is_some_and(|word| speaks(&word.as_str())) && DEEDS.iter().any(has))
            || (!contains(clause, NEGATIONS) && is_state(clause, opening)))
    {
        return true;
    }
    // "As requested, the report is with Ana now" is a claim, but "As requested, here is a story" is not.
    let given = |next: &Vec<String>| next.first().is_some_and(|word| word == "here");
    if clause.iter().eq(["as", "requested"]) && !sentence.clauses.get(at + 1).is_some_and(given) {
        return true;
    }
    // In "Your appointment no longer exists", the negation itself is the claim.
    if starts(&["your"]) && !conditional && clause.windows(2).any(|words| words == ["no", "longer"])
    {
        return true;
    }
    (0..clause.len()).any(|verb| {
        let done = participle(&clause[verb]) && {
            let said = VerbContext::of(sentence, at, verb);
            !said.is_denied() && said.was_done(opening, grounds)
        };
        done || is_promised(clause, verb)
    })
}

/// Whether a clause describes a thing of the person in the state that an action would leave it in: "Your order is
/// complete", "The invitation is out", "The meeting is now on Friday", "Transfer successful".
fn is_state(clause: &[String], opening: bool) -> bool {
    let word = |at: usize| clause.get(at).map_or("", String::as_str);
    // For example "Consider the matter settled".
    if word(0) == "consider" {
        return clause
            .last()
            .is_some_and(|last| STATES.contains(&last.as_str()));
    }
    let own = DETERMINERS.contains(&word(0)) || word(0) == "both";
    let at = usize::from(own);
    if !THINGS.contains(&word(at)) {
        return false;
    }
    let is = matches!(word(at + 1), "is" | "are" | "was" | "were");
    if matches!(word(at + 1), "is" | "are") && word(at + 2) == "now" && own {
        return true;
    }
    let headline = opening && !is && clause.len() == at + 2;
    let state = at + 1 + usize::from(is);
    (is || headline) && STATES.contains(&word(state)) && clause.len() <= state + 2
}

/// Whether a clause has an auxiliary and a participle of another language, without a negation.
fn is_foreign(clause: &[String]) -> bool {
    let both = |(auxiliaries, participles): &(&[&str], &[&str])| {
        contains(clause, auxiliaries) && contains(clause, participles)
    };
    FOREIGN.iter().any(both) && !contains(clause, FOREIGN_NOT)
}

fn contains(clause: &[String], words: &[&str]) -> bool {
    clause.iter().any(|word| words.contains(&word.as_str()))
}

/// A participle with its context in the clause.
struct VerbContext<'a> {
    verb: &'a str,
    /// Words before the verb's own auxiliaries.
    subject: Vec<&'a str>,
    /// Auxiliaries, modals and negations directly before the verb.
    group: Vec<&'a str>,
    /// Whether an adverb before the verb marks it as new: "now", "just".
    now: bool,
    /// Whether "and" or "then" ties the verb to what came before.
    tied: bool,
    after: &'a [String],
    /// Earlier clauses of the sentence.
    earlier: &'a [Vec<String>],
}

impl<'a> VerbContext<'a> {
    fn of(sentence: &'a Sentence, at: usize, verb: usize) -> Self {
        let clause = &sentence.clauses[at];
        let before: Vec<&str> = clause[..verb].iter().map(String::as_str).collect();
        let belongs = |word: &&&str| {
            [AUXILIARIES, MODALS, BETWEEN]
                .iter()
                .any(|all| all.contains(*word))
                || matches!(**word, "not" | "never" | "to")
        };
        let count = before.iter().rev().take_while(belongs).count();
        let (subject, close) = before.split_at(before.len() - count);
        Self {
            verb: &clause[verb],
            subject: subject.to_vec(),
            group: close
                .iter()
                .copied()
                .filter(|word| !BETWEEN.contains(word))
                .collect(),
            now: close.iter().any(|word| DONE_NOW.contains(word)),
            tied: close.iter().any(|word| matches!(*word, "and" | "then")),
            after: &clause[verb + 1..],
            earlier: &sentence.clauses[..at],
        }
    }

    /// Whether the clause says that the action was not done, may be done, or is still to be done.
    fn is_denied(&self) -> bool {
        let before = || self.subject.iter().chain(&self.group);
        let planned = self.group.windows(2).any(|words| words == ["going", "to"]);
        let modal = |word: &&&str| MODALS.contains(*word) || (**word == "to" && !planned);
        before().any(|word| NEGATIONS.contains(word) || CONDITIONS.contains(word))
            || self.group.iter().any(|word| modal(&word))
            // "I will put it simply" has a verb but no participle.
            || self.group.last() == Some(&"will")
            || self.after.iter().take(2).any(|word| NOTHING.contains(&word.as_str()))
    }

    fn was_done(&self, opening: bool, grounds: &Grounds<'_>) -> bool {
        if self.is_adjutants_deed() {
            return true;
        }
        if self.is_told_of_others(grounds) {
            return false;
        }
        match self.group.last() {
            None if self.subject.is_empty() => self.stands_alone(opening),
            None => opening && self.is_headline(grounds),
            Some(last) if HAVE.contains(last) => {
                // For example "The meeting has moved", "Bob has received it".
                match self.verb {
                    "received" => {
                        let theirs = self.after.first();
                        !self.subject.iter().any(speaks)
                            && theirs.is_some_and(|what| matches!(what.as_str(), "it" | "your"))
                    }
                    _ => self.is_of_a_thing(SUBJECT_WORDS_MAX),
                }
            }
            Some(_) => self.is_passive_claim(opening, grounds),
        }
    }

    /// Whether Adjutant is the agent: "I have sent it", "we moved it", "I looked at it and moved it", "I had it moved".
    /// Telling something to the person does not count, because the answer itself does that.
    fn is_adjutants_deed(&self) -> bool {
        let to_you =
            TOLD.contains(&self.verb) && self.after.first().is_some_and(|who| who == "you");
        if to_you || self.verb == "received" {
            return false;
        }
        let passive = self.group.iter().any(|word| BE.contains(word));
        match self.subject.as_slice() {
            [] => {
                let first = self.earlier.first().and_then(|clause| clause.first());
                self.tied && first.is_some_and(|word| speaks(&word.as_str()))
            }
            // "The code we changed" refers to the work of others as well.
            ["we"] => true,
            [.., last] if speaks(last) => *last != "we",
            [first, ..] => !passive && ((self.tied && speaks(first)) || self.is_caused()),
        }
    }

    /// Whether somebody else acted on Adjutant's behalf: "I had it moved", "I got Bob notified".
    fn is_caused(&self) -> bool {
        self.subject.windows(3).any(|words| {
            let causes = HAVE.contains(&words[1]) || matches!(words[1], "get" | "got");
            let object = DETERMINERS.contains(&words[2]) || OBJECTS.contains(&words[2]);
            let person = TOLD.contains(&self.verb);
            (SPEAKERS.contains(&words[0]) || words[0] == "will") && causes && (object || person)
        })
    }

    /// Whether the clause names another agent or source, or repeats what this turn has read.
    fn is_told_of_others(&self, grounds: &Grounds<'_>) -> bool {
        let by = self.after.iter().position(|word| word == "by");
        let agent = by.and_then(|at| self.after.get(at + 1));
        let by_others = agent.is_some_and(|agent| !matches!(agent.as_str(), "me" | "us"));
        let year = self.after.iter().any(|word| is_year(word));
        let reports = |words: &[&str]| words.iter().any(|word| REPORTS.contains(word));
        let reported =
            reports(&self.subject) || self.earlier.iter().any(|clause| contains(clause, REPORTS));
        let conditional = |clause: &Vec<String>| {
            let first = clause.first().map(String::as_str);
            first.is_some_and(|first| CONDITIONS.contains(&first))
        };
        by_others
            || year
            || reported
            || self.earlier.iter().any(conditional)
            || grounds.tell(self.verb)
    }

    /// Whether the verb has no subject: "Sent." and "Moved to Friday" at the start of an answer, "Sent it to Bob."
    /// anywhere.
    fn stands_alone(&self, opening: bool) -> bool {
        let imperative = matches!(self.verb, "set" | "put");
        let next = self.after.first().map(String::as_str);
        let object = next.is_some_and(|next| OBJECTS.contains(&next) || next == "your");
        let ends = next.is_none_or(|next| DIRECTIONS.contains(&next));
        let named = next.is_some_and(|next| DETERMINERS.contains(&next));
        !imperative && ((opening && (ends || named)) || (self.earlier.is_empty() && object))
    }

    /// Whether the clause is a headline: "Mail sent", "Meeting with Bob moved to Friday".
    fn is_headline(&self, grounds: &Grounds<'_>) -> bool {
        let known = |word: &&str| {
            THINGS.contains(word)
                || DETERMINERS.contains(word)
                || matches!(*word, "to" | "with" | "for" | "done")
                || grounds.ask_about(word)
        };
        self.subject.len() <= HEADLINE_WORDS_MAX && self.subject.iter().all(known)
    }

    /// Whether a passive makes a claim: "Bob has been told", whoever Bob is; "it was sent", if it is the person's thing
    /// or what they asked about. "Is done" may state a rule, unless it is marked as new or concerns the person's own
    /// thing.
    fn is_passive_claim(&self, opening: bool, grounds: &Grounds<'_>) -> bool {
        let has = |words: &[&str]| self.group.iter().any(|word| words.contains(word));
        let asked_for = self
            .subject
            .last()
            .is_some_and(|word| grounds.ask_about(word));
        let points = |word: &&str| OBJECTS.contains(word);
        if has(&["will"]) {
            let own = self.subject.iter().any(|word| OWN_THINGS.contains(word));
            let it = self.subject.len() == 1 && self.subject.iter().any(points);
            return own || it || asked_for || TOLD.contains(&self.verb);
        }
        let goes_on = has(&["being"]) && has(&["am", "are", "is"]);
        let news = self.now || has(HAVE) || goes_on;
        if !news && !has(&["got", "was", "were"]) {
            let rule = matches!(self.verb, "called" | "marked" | "noted" | "set");
            let it = !self.subject.is_empty() && self.subject.iter().all(points);
            // At the start of an answer, "The order is placed" refers to the person's order, not to orders in general.
            let named = opening
                && matches!(self.subject.as_slice(), ["the" | "both", thing] if THINGS.contains(thing));
            return ((it || named) && !rule) || self.subject.first() == Some(&"your");
        }
        let close = if news { usize::MAX } else { SUBJECT_WORDS_MAX };
        (news && TOLD.contains(&self.verb)) || self.is_of_a_thing(close) || asked_for
    }

    /// Whether a thing of the person is among the last `close` words of the subject.
    fn is_of_a_thing(&self, close: usize) -> bool {
        let mut close = self.subject.iter().rev().take(close);
        let thing = |word: &&str| THINGS.contains(word) || *word == "your";
        // A missing subject stands for "it": "was sent" alone means "it was sent".
        (self.subject.is_empty() && !self.tied) || close.any(thing)
    }
}

fn speaks(word: &&str) -> bool {
    SPEAKERS.contains(word)
}

fn is_year(word: &str) -> bool {
    word.len() == 4
        && word.bytes().all(|byte| byte.is_ascii_digit())
        && matches!(word.as_bytes()[0], b'1' | b'2')
}

/// Whether Adjutant promises the verb at `at`: "I will send", "I am sending", "I am going to let Bob know".
fn is_promised(clause: &[String], at: usize) -> bool {
    let verb = clause[at].as_str();
    let after = &clause[at + 1..];
    let reaches = verb == "let"
        && after.iter().any(|word| word == "know")
        && after.first().is_some_and(|who| who != "you" && who != "me");
    let of_things = PROMISED_OF_THINGS.contains(&verb) && contains(after, OWN_THINGS);
    if !PROMISED.contains(&verb) && !reaches && !of_things {
        return false;
    }
    let words = clause[..at].iter().map(String::as_str);
    let before: Vec<&str> = words.filter(|word| !BETWEEN.contains(word)).collect();
    let promises = |word: &&str| SPEAKERS.contains(word) && *word != "we";
    let Some(speaker) = before.iter().rposition(promises) else {
        return false;
    };
    let conditional = before[..speaker]
        .iter()
        .any(|word| CONDITIONS.contains(word));
    let between = &before[speaker + 1..];
    !conditional
        && (reaches && matches!(between, [] | ["have"])
            || matches!(
                between,
                ["will" | "am" | "are"]
                    | ["will", "be"]
                    | ["am" | "are", "going", "to"]
                    | ["am", "about", "to"]
            ))
}
