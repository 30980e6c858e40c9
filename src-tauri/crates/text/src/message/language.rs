//! Guesses cheaply, from scripts and small words, whether a message is in English.

use super::{Text, TokenKind};

/// Language of a message, as its words suggest.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Language {
    /// English, or no evidence of another language (names, numbers, marks).
    English,
    /// Another language, by its script or its small words.
    Other,
}

/// Percentage of letters outside the Latin script from which a message is not English.
const FOREIGN_LETTERS_PERCENT: usize = 40;

/// Maximum number of words to examine; a message shows its language early.
const WORDS_MAX: usize = 200;

/// Guesses the language of a message. Ignores quoted text, which may be a title, unless all of the message is quoted.
#[must_use]
pub fn language(text: &Text<'_>) -> Language {
    if foreign_script(text.source) {
        return Language::Other;
    }
    let (mut english, mut other, mut words) = (0usize, 0usize, 0usize);
    let all_quoted = text.tokens.iter().all(|t| t.quote.is_some());
    for token in text
        .tokens
        .iter()
        .filter(|t| t.kind == TokenKind::Word)
        .take(WORDS_MAX)
    {
        if token.quote.is_some() && !all_quoted {
            continue;
        }
        words += 1;
        english += usize::from(ENGLISH.contains(&token.word.as_str()));
        other += usize::from(OTHER.contains(&token.word.as_str()));
    }
    let enough = other >= 2 || (other == 1 && words <= 3);
    if enough && other > english {
        Language::Other
    } else {
        Language::English
    }
}

fn foreign_script(source: &str) -> bool {
    let (mut latin, mut foreign) = (0usize, 0usize);
    for ch in source.chars().take(4096).filter(|ch| ch.is_alphabetic()) {
        // Two foreign letters decide nothing: calculations contain Greek ones.
        if (ch as u32) < 0x0370 || ('\u{1E00}'..='\u{1EFF}').contains(&ch) {
            latin += 1;
        } else {
            foreign += 1;
        }
    }
    foreign > 2 && foreign * 100 >= (latin + foreign) * FOREIGN_LETTERS_PERCENT
}

const ENGLISH: &[&str] = &[
    "the", "a", "an", "and", "or", "of", "to", "in", "on", "at", "for", "with", "from", "by", "is",
    "are", "was", "were", "be", "do", "does", "did", "have", "has", "had", "will", "would", "can",
    "could", "should", "what", "when", "where", "who", "how", "why", "which", "my", "your", "me",
    "i", "you", "it", "this", "that", "these", "those", "he", "she", "we", "they", "not", "yes",
    "please", "add", "show", "send", "get", "give", "tell", "make", "set", "find", "delete",
    "email", "meeting", "calendar", "list", "all", "any", "about", "thanks", "hello", "hi", "if",
    "up", "am", "his", "her", "our", "their", "there", "play", "cancel", "create", "open", "new",
    "today", "tomorrow", "next", "last", "out", "turn", "remind", "call", "read", "check",
];

/// Small words of other languages in Latin script that are not English words as well.
const OTHER: &[&str] = &[
    // Spanish, Portuguese
    "el",
    "los",
    "las",
    "una",
    "unos",
    "que",
    "para",
    "por",
    "con",
    "mis",
    "es",
    "esta",
    "este",
    "eso",
    "cuando",
    "donde",
    "quiero",
    "puedes",
    "hola",
    "gracias",
    "manana",
    "reunion",
    "correo",
    "cual",
    "cuantos",
    "tengo",
    "hoy",
    "recuerdame",
    "envia",
    "muestra",
    "crea",
    "uma",
    "voce",
    "nao",
    "obrigado",
    "amanha",
    "meu",
    "minha",
    "isso",
    "tenho",
    "quais",
    "ao",
    "hoje",
    "em",
    "dos", // French
    "le",
    "les",
    "des",
    "une",
    "dans",
    "pour",
    "avec",
    "mon",
    "mes",
    "je",
    "vous",
    "nous",
    "quel",
    "quelle",
    "quand",
    "bonjour",
    "merci",
    "demain",
    "aujourd",
    "reunion",
    "rappelle",
    "envoie",
    "quels",
    "sur",
    "moi",
    "peux",
    "suis",
    "aux",
    "ce",
    "cette", // German, Dutch
    "der",
    "ein",
    "eine",
    "einen",
    "und",
    "ist",
    "nicht",
    "ich",
    "mir",
    "mich",
    "bitte",
    "wann",
    "wie",
    "wer",
    "fur",
    "morgen",
    "heute",
    "danke",
    "termin",
    "zeige",
    "schicke",
    "losche",
    "kannst",
    "von",
    "zu",
    "dem",
    "meine",
    "meinen",
    "habe",
    "het",
    "een",
    "ik",
    "mijn",
    "niet",
    "voor",
    "wat",
    "naar",
    "vandaag",
    "graag",
    "kun",
    "alle",
    "auf",
    // Italian
    "il",
    "gli",
    "che",
    "mio",
    "mia",
    "sono",
    "oggi",
    "domani",
    "ciao",
    "grazie",
    "quando",
    "riunione",
    "puoi",
    "nel",
    "della",
    "di",
    "una",
    "quale", // Nordic, Polish, Turkish, Indonesian
    "jag",
    "och",
    "att",
    "det",
    "hej",
    "tack",
    "ikke",
    "jeg",
    "og",
    "mote",
    "nie",
    "jest",
    "jak",
    "czy",
    "prosze",
    "dziekuje",
    "icin",
    "nedir",
    "merhaba",
    "yarin",
    "saya",
    "yang",
    "apa",
    "untuk",
    "besok",
    "tidak",
];
