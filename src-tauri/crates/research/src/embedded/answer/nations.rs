//! Countries and the words for their people and things.

use adjutant_text::words;

/// Countries, each with the folded words for its people and things.
const NATIONS: &[(&str, &[&str])] = &[
    ("Afghanistan", &["afghan"]),
    ("Albania", &["albanian"]),
    ("Algeria", &["algerian"]),
    ("Argentina", &["argentine", "argentinian"]),
    ("Armenia", &["armenian"]),
    ("Australia", &["australian"]),
    ("Austria", &["austrian"]),
    ("Azerbaijan", &["azerbaijani"]),
    ("Bangladesh", &["bangladeshi"]),
    ("Belarus", &["belarusian"]),
    ("Belgium", &["belgian"]),
    ("Bolivia", &["bolivian"]),
    ("Bosnia", &["bosnian"]),
    ("Brazil", &["brazilian"]),
    ("Bulgaria", &["bulgarian"]),
    ("Cambodia", &["cambodian"]),
    ("Cameroon", &["cameroonian"]),
    ("Canada", &["canadian"]),
    ("Chile", &["chilean"]),
    ("China", &["chinese"]),
    ("Colombia", &["colombian"]),
    ("Croatia", &["croatian"]),
    ("Cuba", &["cuban"]),
    ("Cyprus", &["cypriot"]),
    (
        "Czech Republic",
        &["czech", "czechoslovak", "czechoslovakia"],
    ),
    ("Denmark", &["danish"]),
    ("Ecuador", &["ecuadorian"]),
    ("Egypt", &["egyptian"]),
    ("England", &["english"]),
    ("Estonia", &["estonian"]),
    ("Ethiopia", &["ethiopian"]),
    ("Finland", &["finnish"]),
    ("France", &["french"]),
    ("Georgia", &["georgian"]),
    ("Germany", &["german"]),
    ("Ghana", &["ghanaian"]),
    ("Greece", &["greek"]),
    ("Hong Kong", &[]),
    ("Hungary", &["hungarian"]),
    ("Iceland", &["icelandic"]),
    ("India", &["indian", "bollywood"]),
    ("Indonesia", &["indonesian"]),
    ("Iran", &["iranian", "persian"]),
    ("Iraq", &["iraqi"]),
    ("Ireland", &["irish"]),
    ("Israel", &["israeli"]),
    ("Italy", &["italian"]),
    ("Jamaica", &["jamaican"]),
    ("Japan", &["japanese"]),
    ("Jordan", &["jordanian"]),
    ("Kazakhstan", &["kazakh", "kazakhstani"]),
    ("Kenya", &["kenyan"]),
    ("Latvia", &["latvian"]),
    ("Lebanon", &["lebanese"]),
    ("Libya", &["libyan"]),
    ("Lithuania", &["lithuanian"]),
    ("Luxembourg", &["luxembourgish"]),
    ("Macedonia", &["macedonian"]),
    ("Malaysia", &["malaysian"]),
    ("Malta", &["maltese"]),
    ("Mexico", &["mexican"]),
    ("Mongolia", &["mongolian"]),
    ("Morocco", &["moroccan"]),
    ("Nepal", &["nepalese", "nepali"]),
    ("Netherlands", &["dutch"]),
    ("New Zealand", &[]),
    ("Nigeria", &["nigerian"]),
    ("North Korea", &[]),
    ("Norway", &["norwegian"]),
    ("Pakistan", &["pakistani"]),
    ("Panama", &["panamanian"]),
    ("Peru", &["peruvian"]),
    ("Philippines", &["filipino", "philippine"]),
    ("Poland", &["polish"]),
    ("Portugal", &["portuguese"]),
    ("Puerto Rico", &[]),
    ("Romania", &["romanian"]),
    ("Russia", &["russian", "soviet"]),
    ("Saudi Arabia", &["saudi"]),
    ("Scotland", &["scottish"]),
    ("Senegal", &["senegalese"]),
    ("Serbia", &["serbian"]),
    ("Singapore", &["singaporean"]),
    ("Slovakia", &["slovak"]),
    ("Slovenia", &["slovenian", "slovene"]),
    ("South Africa", &[]),
    ("South Korea", &["korean"]),
    ("Spain", &["spanish", "catalan"]),
    ("Sri Lanka", &[]),
    ("Sweden", &["swedish"]),
    ("Switzerland", &["swiss"]),
    ("Syria", &["syrian"]),
    ("Taiwan", &["taiwanese"]),
    ("Thailand", &["thai"]),
    ("Tunisia", &["tunisian"]),
    ("Turkey", &["turkish", "ottoman"]),
    ("Uganda", &["ugandan"]),
    ("Ukraine", &["ukrainian"]),
    ("United Kingdom", &["british"]),
    ("United States", &["american", "usa"]),
    ("Uruguay", &["uruguayan"]),
    ("Uzbekistan", &["uzbek"]),
    ("Venezuela", &["venezuelan"]),
    ("Vietnam", &["vietnamese"]),
    ("Wales", &["welsh"]),
    ("Zimbabwe", &["zimbabwean"]),
];

/// A country named in a text, with the word that names it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Nation {
    /// English name of the country.
    pub country: &'static str,
    /// The word that names it, capitalised.
    pub word: String,
}

/// Returns whether two countries are the same; `None` for two different countries of the United Kingdom.
pub fn alike(one: &str, other: &str) -> Option<bool> {
    const KINGDOM: &[&str] = &["England", "Scotland", "Wales", "United Kingdom"];
    if one == other {
        Some(true)
    } else if KINGDOM.contains(&one) && KINGDOM.contains(&other) {
        [one, other].contains(&"United Kingdom").then_some(true)
    } else {
        Some(false)
    }
}

/// Returns the countries a text names, by their names or the words for their people, in order and each once.
pub fn nations(text: &str) -> Vec<Nation> {
    let folded = words(text);
    let mut found: Vec<Nation> = Vec::new();
    for at in 0..folded.len() {
        for (country, people) in NATIONS {
            let name = words(country);
            let south = at > 0 && folded[at - 1] == "south" && folded[at] == "wales";
            let named = folded[at..].starts_with(&name) && !south;
            if (named || people.contains(&folded[at].as_str()))
                && found.iter().all(|one| one.country != *country)
            {
                let word = if named {
                    (*country).to_owned()
                } else {
                    capital(&folded[at])
                };
                found.push(Nation { country, word });
            }
        }
    }
    found
}

fn capital(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().map_or_else(String::new, |first| {
        first.to_uppercase().chain(letters).collect()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn countries_are_known_by_their_people() {
        let countries = |text: &str| {
            nations(text)
                .into_iter()
                .map(|one| one.country)
                .collect::<Vec<_>>()
        };
        assert_eq!(
            countries("an Italian-American actor from New Zealand"),
            ["Italy", "United States", "New Zealand"]
        );
        assert!(nations("polished oak").is_empty());
    }
}
