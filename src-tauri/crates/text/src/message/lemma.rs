//! Finds the base forms of words in a vocabulary: "scheduling" is "schedule" only if the vocabulary has it.

/// Irregular forms of verbs and nouns that everyday requests use.
const IRREGULAR: &[(&str, &str)] = &[
    ("am", "be"),
    ("are", "be"),
    ("been", "be"),
    ("being", "be"),
    ("bought", "buy"),
    ("brought", "bring"),
    ("built", "build"),
    ("came", "come"),
    ("children", "child"),
    ("chose", "choose"),
    ("chosen", "choose"),
    ("did", "do"),
    ("does", "do"),
    ("done", "do"),
    ("drawn", "draw"),
    ("drew", "draw"),
    ("dug", "dig"),
    ("feet", "foot"),
    ("fell", "fall"),
    ("felt", "feel"),
    ("forgot", "forget"),
    ("forgotten", "forget"),
    ("found", "find"),
    ("gave", "give"),
    ("given", "give"),
    ("gone", "go"),
    ("got", "get"),
    ("gotten", "get"),
    ("had", "have"),
    ("has", "have"),
    ("heard", "hear"),
    ("held", "hold"),
    ("hidden", "hide"),
    ("is", "be"),
    ("kept", "keep"),
    ("knew", "know"),
    ("known", "know"),
    ("left", "leave"),
    ("lost", "lose"),
    ("made", "make"),
    ("meant", "mean"),
    ("men", "man"),
    ("met", "meet"),
    ("mice", "mouse"),
    ("paid", "pay"),
    ("people", "person"),
    ("ran", "run"),
    ("said", "say"),
    ("sang", "sing"),
    ("sat", "sit"),
    ("saw", "see"),
    ("seen", "see"),
    ("sent", "send"),
    ("shown", "show"),
    ("sold", "sell"),
    ("spent", "spend"),
    ("spoke", "speak"),
    ("spoken", "speak"),
    ("stood", "stand"),
    ("stuck", "stick"),
    ("taken", "take"),
    ("taught", "teach"),
    ("teeth", "tooth"),
    ("thought", "think"),
    ("threw", "throw"),
    ("thrown", "throw"),
    ("told", "tell"),
    ("took", "take"),
    ("was", "be"),
    ("went", "go"),
    ("were", "be"),
    ("women", "woman"),
    ("won", "win"),
    ("written", "write"),
    ("wrote", "write"),
];

/// Returns the answer of `known` for the first base form of `word` that it accepts. Tries irregular forms, then regular
/// endings. Returns `None` if `known` accepts none of them.
pub fn base_form<'a, T>(word: &str, mut known: impl FnMut(&str) -> Option<T> + 'a) -> Option<T> {
    if let Ok(at) = IRREGULAR.binary_search_by(|(form, _)| (*form).cmp(word)) {
        return known(IRREGULAR[at].1);
    }
    if word.len() < 4 || word.len() > 24 || !word.is_ascii() {
        return if word.len() == 3 && word.ends_with('s') && word.is_ascii() {
            known(&word[..2])
        } else {
            None
        };
    }
    let mut buffer = String::with_capacity(word.len() + 1);
    let mut attempt = |stem: &str, add: &str| {
        buffer.clear();
        buffer.push_str(stem);
        buffer.push_str(add);
        known(&buffer)
    };
    if let Some(stem) = word
        .strip_suffix("ies")
        .or_else(|| word.strip_suffix("ied"))
    {
        return attempt(stem, "y").or_else(|| attempt(stem, "ie"));
    }
    if let Some(stem) = word.strip_suffix("es") {
        return attempt(stem, "e").or_else(|| attempt(stem, ""));
    }
    if let Some(stem) = word.strip_suffix('s') {
        return if stem.ends_with('s') {
            None
        } else {
            attempt(stem, "")
        };
    }
    let stem = word
        .strip_suffix("ing")
        .or_else(|| word.strip_suffix("ed"))?;
    if stem.len() < 2 {
        return None;
    }
    let doubled = {
        let bytes = stem.as_bytes();
        bytes.len() > 2 && bytes[bytes.len() - 1] == bytes[bytes.len() - 2]
    };
    attempt(stem, "e")
        .or_else(|| attempt(stem, ""))
        .or_else(|| {
            doubled
                .then(|| attempt(&stem[..stem.len() - 1], ""))
                .flatten()
        })
}
