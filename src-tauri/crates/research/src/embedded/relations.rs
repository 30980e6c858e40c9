//! Words that ask for the same thing under different names: whoever directed a film is its director, and a wife has a
//! husband.

use adjutant_text::stem;

/// Families of words: words of a question, and the words with which a passage answers them. Folded.
const FAMILIES: &[(&[&str], &[&str])] = &[
    (
        &["husband", "wife", "spouse", "married", "partner"],
        &[
            "husband", "wife", "spouse", "married", "marriage", "marrying", "consort", "widow",
            "widower", "partner",
        ],
    ),
    (
        &["father", "dad"],
        &["father", "son", "daughter", "child", "born", "parents"],
    ),
    (
        &["mother", "mom", "mum"],
        &["mother", "son", "daughter", "child", "born", "parents"],
    ),
    (
        &["parent", "parents"],
        &["father", "mother", "son", "daughter", "child", "born"],
    ),
    (
        &["child", "children", "son", "daughter"],
        &["child", "children", "son", "daughter", "father", "mother"],
    ),
    (
        &["sibling", "brother", "sister"],
        &["brother", "sister", "sibling", "half-brother", "twin"],
    ),
    (
        &[
            "grandfather",
            "grandmother",
            "grandparent",
            "paternal",
            "maternal",
        ],
        &[
            "grandfather",
            "grandmother",
            "grandson",
            "granddaughter",
            "son",
            "daughter",
            "father",
            "mother",
        ],
    ),
    (
        &["law"],
        &[
            "husband", "wife", "married", "spouse", "consort", "son", "daughter",
        ],
    ),
    (
        &["uncle", "aunt", "nephew", "niece", "cousin"],
        &[
            "brother", "sister", "uncle", "aunt", "nephew", "niece", "cousin",
        ],
    ),
    (&["director", "directed"], &["directed", "director", "film"]),
    (
        &[
            "performer",
            "singer",
            "sang",
            "sung",
            "performed",
            "artist",
            "band",
            "vocalist",
        ],
        &[
            "song",
            "single",
            "album",
            "recorded",
            "sung",
            "performed",
            "singer",
            "vocalist",
            "band",
            "track",
        ],
    ),
    (
        &["composer", "composed", "music"],
        &[
            "composed",
            "composer",
            "music",
            "score",
            "soundtrack",
            "opera",
        ],
    ),
    (
        &[
            "author",
            "writer",
            "wrote",
            "written",
            "screenwriter",
            "novelist",
            "lyricist",
        ],
        &[
            "written",
            "wrote",
            "writer",
            "author",
            "novel",
            "book",
            "poem",
            "play",
            "screenplay",
            "lyrics",
        ],
    ),
    (&["producer", "produced"], &["produced", "producer"]),
    (
        &["birth", "birthday", "birthplace", "born"],
        &["born", "birth", "native"],
    ),
    (
        &["death", "died", "die", "dies", "dead"],
        &["died", "death", "killed", "assassinated", "executed"],
    ),
    (
        &["buried", "burial"],
        &["buried", "burial", "cemetery", "interred", "tomb"],
    ),
    (
        &[
            "educated",
            "education",
            "school",
            "university",
            "college",
            "studied",
            "study",
            "alma",
            "attend",
            "attended",
        ],
        &[
            "educated",
            "studied",
            "attended",
            "graduated",
            "university",
            "college",
            "school",
            "alumnus",
            "degree",
        ],
    ),
    (
        &[
            "founder",
            "founded",
            "found",
            "established",
            "inception",
            "formed",
            "created",
            "creator",
        ],
        &[
            "founded",
            "founder",
            "established",
            "formed",
            "created",
            "creator",
            "started",
            "opened",
        ],
    ),
    (
        &["owner", "owned", "owns", "own"],
        &[
            "owned",
            "owner",
            "bought",
            "acquired",
            "purchased",
            "subsidiary",
            "parent",
        ],
    ),
    (
        &["employer", "work", "works", "worked", "employed"],
        &[
            "worked",
            "works",
            "employed",
            "joined",
            "professor",
            "career",
        ],
    ),
    (
        &[
            "developer",
            "developed",
            "designer",
            "designed",
            "architect",
        ],
        &[
            "developed",
            "developer",
            "designed",
            "designer",
            "architect",
            "built",
        ],
    ),
    (
        &["located", "location", "situated", "lies", "place", "where"],
        &[
            "located", "situated", "lies", "city", "town", "village", "county", "district",
            "province",
        ],
    ),
    (
        &["border", "borders", "shares"],
        &[
            "border",
            "borders",
            "bordered",
            "adjacent",
            "neighbouring",
            "neighboring",
        ],
    ),
    (
        &["country", "nationality", "citizenship", "nation"],
        &[
            "country",
            "nationality",
            "citizen",
            "nation",
            "republic",
            "kingdom",
            "national",
        ],
    ),
    (
        &[
            "actor", "actress", "cast", "starring", "star", "stars", "plays", "played", "voice",
        ],
        &[
            "starring",
            "stars",
            "played",
            "plays",
            "cast",
            "role",
            "actor",
            "actress",
            "voiced",
            "portrayed",
        ],
    ),
    (
        &["label", "publisher", "published"],
        &[
            "label",
            "records",
            "released",
            "signed",
            "published",
            "publisher",
        ],
    ),
    (
        &["headquarters", "headquartered", "based"],
        &["headquarters", "headquartered", "based"],
    ),
    (
        &[
            "successor",
            "succeeded",
            "predecessor",
            "preceded",
            "replaced",
            "follows",
            "followed",
        ],
        &[
            "succeeded",
            "successor",
            "predecessor",
            "preceded",
            "replaced",
            "followed",
        ],
    ),
    (
        &["team", "club", "player", "plays"],
        &[
            "team", "club", "player", "plays", "league", "football", "season",
        ],
    ),
    (
        &["award", "prize", "won", "winner", "wins"],
        &[
            "award", "prize", "won", "winner", "awarded", "winning", "champion",
        ],
    ),
    (
        &[
            "president",
            "leader",
            "mayor",
            "governor",
            "minister",
            "head",
            "king",
            "queen",
            "emperor",
            "ruler",
        ],
        &[
            "president",
            "leader",
            "mayor",
            "governor",
            "minister",
            "elected",
            "appointed",
            "king",
            "queen",
            "emperor",
            "ruler",
            "reign",
        ],
    ),
    (
        &["population", "inhabitants", "people"],
        &["population", "inhabitants", "census", "residents"],
    ),
    (
        &["character", "named"],
        &["character", "named", "after", "called"],
    ),
    (
        &["network", "broadcast", "aired", "channel"],
        &[
            "network",
            "broadcast",
            "aired",
            "channel",
            "television",
            "premiered",
        ],
    ),
];

/// Endings that derive one word from another: "direct", "director".
const ENDINGS: &[&str] = &[
    "or", "er", "ist", "ion", "al", "ity", "ing", "ed", "ment", "ship", "ive", "ian", "e", "or's",
    "at",
];

/// A word that is asked for, with the stems that answer it.
#[derive(Clone, Debug)]
pub struct QueryWord {
    /// The folded word of the question.
    pub word: String,
    /// Stem of the word.
    pub stem: String,
    /// Stems that answer the word in a passage, including its own.
    forms: Vec<String>,
}

impl QueryWord {
    /// Returns a folded word of a question with the stems that answer it.
    pub fn of(word: &str) -> Self {
        let own = stem(word);
        let mut forms = vec![own.clone()];
        for (asked, said) in FAMILIES {
            if asked.contains(&word) {
                forms.extend(said.iter().map(|one| stem(one)));
            }
        }
        Self {
            word: word.to_owned(),
            stem: own,
            forms,
        }
    }

    /// Returns whether the word is a relation that has several names.
    pub fn is_relation(&self) -> bool {
        self.forms.len() > 1
    }

    /// Returns whether a stem of a passage answers the word.
    pub fn is_met_by(&self, stem: &str) -> bool {
        self.forms.iter().any(|form| form == stem) || derived(&self.stem, stem)
    }
}

/// Returns whether one of two stems is the other with an ending.
fn derived(one: &str, other: &str) -> bool {
    let (short, long) = if one.len() < other.len() {
        (one, other)
    } else {
        (other, one)
    };
    short.len() >= 4
        && long
            .strip_prefix(short)
            .is_some_and(|ending| ENDINGS.contains(&ending))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passages_answer_in_other_words() {
        let met = |asked: &str, said: &str| QueryWord::of(asked).is_met_by(&stem(said));
        assert!(
            met("director", "directed")
                && met("keyboardist", "keyboards")
                && met("husband", "wife")
        );
        assert!(!met("country", "count") && !met("father", "farther"));
    }
}
