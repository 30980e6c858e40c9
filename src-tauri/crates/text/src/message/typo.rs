//! Corrects small typing mistakes, and only towards words of a closed vocabulary.

use strsim::{hamming, osa_distance};

/// In typed words of at most this length, only swapped and missing letters count: too many real words are one edit
/// apart.
const TYPO_CHARS_MIN: usize = 5;
/// A shorter word is never the target of a correction.
const SWAP_CHARS_MIN: usize = 3;
/// Words that become other words when two letters are swapped. A typed word of up to four letters is not corrected if it
/// is here.
const SWAPPED_WORDS: &[&str] = &[
    "beat", "beta", "barn", "bran", "blot", "bolt", "calm", "clam", "carb", "crab", "diet", "dose",
    "does", "felt", "form", "from", "gird", "grid", "left", "lost", "lots", "mail", "mali", "past",
    "pats", "post", "pots", "salt", "slat", "sign", "sing", "silt", "slit", "spot", "stop", "tarp",
    "trap", "tide", "tied", "united", "warp", "wrap", "word", "trio", "tiro", "fried", "filed",
    "bets", "best", "rest", "rets", "pets", "pest", "nets", "nest", "vets", "vest", "jets", "jest",
    "wets", "west", "lets", "tets", "test", "cots", "cost", "dots", "host", "hots", "tots", "cats",
    "cast", "fats", "fast", "mats", "mast", "vats", "vast", "bats", "bast", "guts", "gust", "ruts",
    "rust", "buts", "bust", "juts", "just", "must", "muts", "list", "lits", "fits", "fist", "sues",
    "uses", "fir", "tow", "two", "own", "won", "ayn", "ira", "tis", "sue", "use", "ape", "ale",
    "ewe", "eta", "gus", "ago", "goa", "sip", "psi", "spi", "ore", "roe", "nad", "dna", "aid",
    "ian", "esp", "isn", "bri", "eon", "oen", "ache", "each", "evil", "vile", "arts", "rats",
    "item", "time", "kiln",
];
/// Longest typed word to compare, in characters.
const TYPO_CHARS_MAX: usize = 20;

/// A closed vocabulary that unknown words may be corrected to.
#[derive(Debug, Default)]
pub struct Vocabulary {
    /// Words by first letter (a to z), with the numbers that the caller gave them.
    buckets: Vec<Vec<(&'static str, u32)>>,
}

impl Vocabulary {
    /// Adds a word under the caller's number. Skips a word that is short or has anything but the letters a to z.
    pub fn add(&mut self, word: &'static str, number: u32) {
        if !can_be_mistyped(word) {
            return;
        }
        if self.buckets.is_empty() {
            self.buckets.resize_with(26, Vec::new);
        }
        let slot = usize::from(word.as_bytes()[0] - b'a');
        self.buckets[slot].push((word, number));
    }

    /// Returns the number of the one word that `word` may be a mistyped form of ([`mistyped`]), or `None` if there are
    /// none or several.
    #[must_use]
    pub fn correct(&self, word: &str) -> Option<u32> {
        let first = word.bytes().next().filter(u8::is_ascii_lowercase)?;
        let mut found = None;
        for (known, number) in self.buckets.get(usize::from(first - b'a'))? {
            if mistyped(word, known) {
                if found.is_some_and(|other| other != *number) {
                    return None;
                }
                found = Some(*number);
            }
        }
        found
    }
}

/// Returns whether other words may be corrected to this one: it is long enough and has only the letters a to z.
#[must_use]
pub fn can_be_mistyped(known: &str) -> bool {
    known.len() >= SWAP_CHARS_MIN && known.bytes().all(|letter| letter.is_ascii_lowercase())
}

/// Returns whether a folded word is `known` with at most one letter missing, added or changed, or two neighbours
/// swapped.
///
/// The first letter must be right, as people rarely miss it. In typed words of up to five letters, only swapped and
/// missing letters count, and in those of three only a swap. A typed word of up to four letters does not count if it is a
/// word that turns into another by a swap.
#[must_use]
pub fn mistyped(word: &str, known: &str) -> bool {
    let (said, meant) = (word.as_bytes(), known.as_bytes());
    let fits = (SWAP_CHARS_MIN..=TYPO_CHARS_MAX).contains(&said.len())
        && said.len().abs_diff(meant.len()) <= 1
        && said.first() == meant.first()
        && may_be_one_edit(said, meant);
    if !fits || !can_be_mistyped(known) || !said.iter().all(u8::is_ascii_lowercase) {
        return false;
    }
    let short = said.len() <= TYPO_CHARS_MIN;
    if said.len() < TYPO_CHARS_MIN && SWAPPED_WORDS.contains(&word) {
        return false;
    }
    let shortest = said.len() == SWAP_CHARS_MIN;
    let missing = said.len() < meant.len() && !shortest;
    let counts = !short || missing || hamming(word, known) == Ok(2);
    counts && within_one_edit(word, known)
}

/// Returns whether at most one insertion, deletion, change or swap of neighbours turns `a` into `b`.
pub(super) fn within_one_edit(a: &str, b: &str) -> bool {
    osa_distance(a, b) <= 1
}

/// Returns whether at most two letters lie between the common beginning and the common end of two words. This rules out
/// most words of a vocabulary without a full comparison.
fn may_be_one_edit(a: &[u8], b: &[u8]) -> bool {
    let same = |pair: &(&u8, &u8)| pair.0 == pair.1;
    let beginning = a.iter().zip(b).take_while(same).count();
    let end = a.iter().rev().zip(b.iter().rev()).take_while(same).count();
    beginning + end + 2 >= a.len().max(b.len())
}
