//! Reads dates of lives and works as encyclopedias and papers write them.

/// A date, as precise as the text gives it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Day {
    /// Year, month and day; 0 for a part that the text does not give.
    pub when: (u32, u32, u32),
    /// The date as written in the text.
    pub text: String,
}

const MONTHS: &[&str] = &[
    "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
];
/// Maximum bytes of a text that are read for dates.
const READ_BYTES_MAX: usize = 20_000;

fn month(word: &str) -> Option<u32> {
    let small = word.to_lowercase();
    let at = MONTHS.iter().position(|month| small.starts_with(month))?;
    let whole = small.len() <= 4 || small.chars().all(char::is_alphabetic) && small.len() <= 9;
    (whole && word.chars().next().is_some_and(char::is_uppercase))
        .then(|| u32::try_from(at).unwrap_or(0) + 1)
}

/// Returns the dates of a text, each with its byte offset: "29 July 1921", "July 29, 1921", "July 1921", "1921".
pub fn dates(text: &str) -> Vec<(usize, Day)> {
    let text = adjutant_text::cut(text, READ_BYTES_MAX);
    let mut tokens: Vec<(usize, &str)> = Vec::new();
    let mut from = None;
    for (at, letter) in text.char_indices().chain([(text.len(), ' ')]) {
        match (letter.is_alphanumeric(), from) {
            (true, None) => from = Some(at),
            (false, Some(begun)) => {
                tokens.push((begun, &text[begun..at]));
                from = None;
            }
            _ => {}
        }
    }
    let number = |at: usize| {
        tokens
            .get(at)
            .and_then(|(_, token)| token.parse::<u32>().ok())
    };
    let year = |at: usize| {
        number(at).filter(|year| (100..=2100).contains(year) && tokens[at].1.len() >= 3)
    };
    let day = |at: usize| number(at).filter(|day| (1..=31).contains(day));
    let month_at = |at: usize| tokens.get(at).and_then(|(_, token)| month(token));
    let mut found = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        let (when, length) = match (day(at), month_at(at)) {
            (Some(day), _) if month_at(at + 1).is_some() && year(at + 2).is_some() => (
                (
                    year(at + 2).unwrap_or(0),
                    month_at(at + 1).unwrap_or(0),
                    day,
                ),
                3,
            ),
            (_, Some(month)) if day(at + 1).is_some() && year(at + 2).is_some() => (
                (year(at + 2).unwrap_or(0), month, day(at + 1).unwrap_or(0)),
                3,
            ),
            (_, Some(month)) if year(at + 1).is_some() => {
                ((year(at + 1).unwrap_or(0), month, 0), 2)
            }
            _ => match number(at)
                .filter(|year| (1000..=2100).contains(year) && tokens[at].1.len() == 4)
            {
                Some(year) => ((year, 0, 0), 1),
                None => ((0, 0, 0), 0),
            },
        };
        if length == 0 {
            at += 1;
            continue;
        }
        let (begin, (last, token)) = (tokens[at].0, tokens[at + length - 1]);
        found.push((
            begin,
            Day {
                when,
                text: text[begin..last + token.len()].to_owned(),
            },
        ));
        at += length;
    }
    found
}

/// Returns the dates of birth and death: a pair of dates in brackets, else the dates after "born" and "died".
pub fn life(text: &str) -> (Option<Day>, Option<Day>) {
    let dates = dates(text);
    let behind = |words: &[&str]| {
        let stands = |at: usize| !text[..at].ends_with(char::is_alphanumeric);
        let first = |word: &&str| {
            text.match_indices(*word)
                .map(|(at, _)| at)
                .find(|at| stands(*at))
        };
        let at = words.iter().filter_map(first).min()?;
        let next = dates
            .iter()
            .find(|(place, _)| *place > at && *place < at + 60);
        next.map(|(_, day)| day.clone())
    };
    let (mut born, mut died) = (None, None);
    // "(29 July 1921 – 29 July 2012)"
    for pair in dates.windows(2) {
        let [(one, first), (other, second)] = pair else {
            continue;
        };
        let between = text.get(one + first.text.len()..*other).unwrap_or_default();
        let dash =
            between.contains(['–', '-', '—']) && between.len() < 60 && !between.contains('.');
        let open = text[..*one]
            .rfind('(')
            .is_some_and(|at| !text[at..*one].contains(')'));
        if dash && open {
            born = Some(first.clone());
            died = Some(second.clone());
            break;
        }
    }
    (
        born.or_else(|| behind(&["born ", "b. "])),
        died.or_else(|| behind(&["died ", "d. "])),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_read_in_either_order() {
        let when = |text: &str| {
            dates(text)
                .into_iter()
                .map(|(_, day)| day.when)
                .collect::<Vec<_>>()
        };
        assert_eq!(
            when("on 29 July 1921, or March 3, 1890"),
            [(1921, 7, 29), (1890, 3, 3)]
        );
        assert_eq!(
            when("in May 1904; a 1943 film of 120 minutes"),
            [(1904, 5, 0), (1943, 0, 0)]
        );
    }

    #[test]
    fn a_life_has_two_dates() {
        let (born, died) = life("Chris Marker( 29 July 1921 – 29 July 2012) was a French writer.");
        assert_eq!(born.map(|day| day.when), Some((1921, 7, 29)));
        assert_eq!(died.map(|day| day.text), Some("29 July 2012".to_owned()));
        let (born, died) = life("Albert Serra( born 1975) is a Spanish filmmaker.");
        assert_eq!((born.map(|day| day.when), died), (Some((1975, 0, 0)), None));
    }
}
