//! Number words and ordinal words.

use super::{Lex, entry};
use std::collections::HashMap;

const NUMBERS: &[(u8, &str)] = &[
    (0, "zero"),
    (1, "one"),
    (2, "two"),
    (3, "three"),
    (4, "four"),
    (5, "five"),
    (6, "six"),
    (7, "seven"),
    (8, "eight"),
    (9, "nine"),
    (10, "ten"),
    (11, "eleven"),
    (12, "twelve"),
    (13, "thirteen"),
    (14, "fourteen"),
    (15, "fifteen"),
    (16, "sixteen"),
    (17, "seventeen"),
    (18, "eighteen"),
    (19, "nineteen"),
    (20, "twenty"),
    (30, "thirty"),
    (40, "forty"),
    (40, "fourty"),
    (50, "fifty"),
    (60, "sixty"),
    (70, "seventy"),
    (80, "eighty"),
    (90, "ninety"),
    (12, "dozen"),
];

const SCALES: &[(u32, &str)] = &[(100, "hundred"), (1000, "thousand"), (1_000_000, "million")];

const ORDINALS: &[(u8, &str)] = &[
    (1, "first"),
    (2, "second"),
    (3, "third"),
    (4, "fourth"),
    (5, "fifth"),
    (6, "sixth"),
    (7, "seventh"),
    (8, "eighth"),
    (9, "ninth"),
    (10, "tenth"),
    (11, "eleventh"),
    (12, "twelfth"),
    (13, "thirteenth"),
    (14, "fourteenth"),
    (15, "fifteenth"),
    (16, "sixteenth"),
    (17, "seventeenth"),
    (18, "eighteenth"),
    (19, "nineteenth"),
    (20, "twentieth"),
    (30, "thirtieth"),
];

/// Adds these tables to `words`.
pub(super) fn fill(words: &mut HashMap<&'static str, Lex>) {
    for (value, name) in NUMBERS {
        entry(words, name).number = Some(*value);
    }
    for (value, name) in SCALES {
        entry(words, name).scale = *value;
    }
    for (value, name) in ORDINALS {
        entry(words, name).ordinal = *value;
    }
}
