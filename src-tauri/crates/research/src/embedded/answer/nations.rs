//! Countries and what their people and things are called.

use adjutant_text::words;

/// Folded: the country, and the words that belong to it.
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

/// A country a text names, with the word it is named by as it stands there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Nation {
    /// The country.
    pub country: &'static str,
    /// The word of the text.
    pub word: String,
}

/// Whether two countries are the same; nothing where one is part of the other's kingdom and nobody can say.
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

/// The countries a text names, in order, by name or by the words for their people; none twice.
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
