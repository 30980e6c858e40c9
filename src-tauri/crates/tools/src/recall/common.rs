//! Words that tell little about what a question is about, and words that express the same.

use adjutant_text::{message::mistyped, stem};

/// Words that an answer may express differently or omit: verbs that go with anything, small adverbs, and names of times
/// and kinds of texts.
const LIGHT: &str = "again ago already also always anyway anywhere around before after best better bit both bring brings brought called change changed changes \
    cannot certain come comes came coming currently decide decided down each earlier either else end ended ends ever every everyone \
    everything exact exactly expect expected far few find finds found first forget forgot forgotten get gets getting got give gives gave \
    given go goes going gone went great guess had happen happens happened having hear heard hold holds held just keep keeps kept \
    kind know knows knew known last late later latest leave leaves leaving left let like likes little long look looked looking lot made \
    make makes making many may maybe mean means meant mention mentioned mentions might mine more most much must need needed needs never \
    new next now offer offered offers often ok okay old once one ones only ought over own part per perhaps person pick picked please \
    planned plans pls possible probably put puts quite rather ready really recently remember reply replied right said same saw say \
    saying says see seen set settle settled several shall show shown since someone somebody something sometimes somewhere soon sort start \
    started starts stay stays still stuff suppose supposed sure take takes taken taking took talk talked talking thing things think \
    thought through till time times today together told tomorrow tonight too tried try turn turned turning turns twice two until up us \
    use used uses usually very want wanted wants way well while whole within without won word work working works write writes \
    writing written wrote yes yesterday yet anybody anyone anything arrive arrives arrived arriving begin begins began ask asked asking \
    asks answer answered choose chose chosen date day days depart departs deliver delivered evening morning afternoon month week \
    weekend year exist exists fit fits involve involved job name note notes memo file document doc pdf recipe text page \
    paid pay pays charge charged charges cost costs question reach reached read reads run runs ran spend speak spoke state stand stands \
    stood stop stops tell tells thank thanks whatever wonder worth company firm provider guy guys folks hide hides hid hidden hiding \
    book booked booking store stored storing stick stuck drop dropped lend lent borrow borrowed assign assigned handle handled handles \
    handling responsible charged require required requires request requested requests wait waits waited waiting claim claimed claims \
    suggest suggested suggests propose proposed proposes recommend recommended recommends explain explained complain complained \
    confirm confirmed announce announced inform informed note noted respond responded advise advised promise promised promises \
    share shared shares discuss discussed discusses concern concerned live lives lived belong belongs happy able good \
    own owns owned receive received receives concerning regarding apparently currently figure figures";

/// Words of a question that name what is asked, not what it is about: many things have a code, so a code alone is no
/// answer.
const ATTRIBUTES: &str = "code codes pin number numbers password passcode passwd pw price prices fee fees amount size combination account \
    reference seat colour color title phone mobile email mail version id length height width weight";

/// Words of questions, and the words by which answers express the same.
const ALIKE: &[(&str, &str)] = &[
    (
        "out away off absent vacation holiday ooo pto",
        "out away off absent vacation holiday holidays leave ooo pto",
    ),
    (
        "chosen pick picked choose chose decided won win winner",
        "chosen choose chose pick picked prefer prefers preferred win wins won winner selected decided decision favourite favorite",
    ),
    ("fly flying", "flight"),
    ("back return", "home return back"),
    ("mom mum mother mama", "mom mum mother mama mommy mummy"),
    ("dad father papa", "dad father papa daddy"),
    (
        "grandma grandmother granny",
        "grandma grandmother granny nana",
    ),
    ("grandpa grandfather", "grandpa grandfather granddad"),
    ("oven", "bake baked baking roast roasted cook cooked"),
    ("valid", "until expire expires expiry"),
    ("expire expires", "valid until expiry"),
    ("bill", "invoice"),
    ("invoice", "bill"),
    ("party", "housewarming celebration farewell drinks"),
    ("buy bought", "order ordered purchase invoice receipt"),
    ("owe owed", "due invoice balance"),
    ("pay paid", "due invoice premium"),
    ("fix fixed repair", "repair repaired fix fixed"),
    ("movie film", "film movie cinema"),
    ("doctor", "doctor dr practice physician"),
    ("photo picture", "photo picture image"),
    ("apartment flat", "apartment flat"),
    ("phone", "mobile cell telephone"),
    (
        "arrive arrives arriving",
        "arrives arrival delivery delivered",
    ),
];

/// Whether an answer may express a word differently or omit it.
pub(super) fn is_light(word: &str) -> bool {
    is_one_of(word, LIGHT)
}

/// Whether a word names what is asked, such as "price", and not what the question is about.
pub(super) fn is_attribute(word: &str) -> bool {
    is_one_of(word, ATTRIBUTES)
}

/// Returns the words that express the same as a word of a question.
pub(super) fn alike(word: &str) -> impl Iterator<Item = &'static str> {
    let word = stem(word);
    let asked = move |(asked, _): &&(&str, &'static str)| {
        asked.split_whitespace().any(|one| stem(one) == word)
    };
    let others = ALIKE.iter().find(asked).map(|(_, others)| *others);
    others.unwrap_or_default().split_whitespace()
}

/// Whether a word is in a list of words separated by spaces.
pub(super) fn is_one_of(word: &str, list: &str) -> bool {
    list.split_whitespace().any(|one| one == word)
}

/// Like [`is_one_of`], also for a mistyped word.
pub(super) fn is_nearly_one_of(word: &str, list: &str) -> bool {
    list.split_whitespace()
        .any(|one| one == word || mistyped(word, one))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn verbs_that_go_with_anything_are_light_and_names_are_not() {
        for word in ["go", "come", "still", "again", "supposed", "turn"] {
            assert!(is_light(word), "{word}");
        }
        for word in ["cabin", "lasagne", "key", "code", "rent"] {
            assert!(!is_light(word), "{word}");
        }
        assert!(is_attribute("code") && !is_attribute("key"));
    }

    #[test]
    fn an_answer_may_use_another_word() {
        assert!(alike("bill").any(|one| one == "invoice"));
        assert_eq!(alike("lighthouse").next(), None);
    }
}
