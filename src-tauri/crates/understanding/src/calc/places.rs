//! Time zones by the places people name.

use std::collections::HashMap;
use std::sync::LazyLock;

/// A place's zone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct PlaceZone {
    /// IANA name.
    pub name: &'static str,
    /// The place spans several zones; this is the one of its capital or most of its people.
    pub several: bool,
}

static PLACES: LazyLock<HashMap<&'static str, PlaceZone>> = LazyLock::new(|| {
    include_str!("../../data/calc/places.txt")
        .lines()
        .filter(|line| !line.starts_with('#'))
        .filter_map(|line| line.split_once('='))
        .flat_map(|(name, places)| {
            places.split(',').map(move |place| {
                let place = place.trim();
                let zone = PlaceZone {
                    name: name.trim(),
                    several: place.ends_with('*'),
                };
                (place.trim_end_matches('*'), zone)
            })
        })
        .collect()
});

/// The zone of a place, in lower case. Behind a city its state or country decides ("portland
/// maine"), and a known city decides when that is not known ("dallas tx").
pub(super) fn zone(place: &str) -> Option<PlaceZone> {
    if let Some(zone) = PLACES.get(place) {
        return Some(*zone);
    }
    let words: Vec<&str> = place.split(' ').collect();
    let region = (1..words.len()).find_map(|at| PLACES.get(words[at..].join(" ").as_str()));
    let city = (1..words.len())
        .rev()
        .find_map(|at| PLACES.get(words[..at].join(" ").as_str()));
    match (region, city) {
        (Some(region), Some(city)) if region.several => Some(*city),
        (Some(region), _) => Some(*region),
        // One short word behind a city is the code of its state.
        (None, Some(city)) if words.last().is_some_and(|w| w.len() <= 3) => Some(*city),
        _ => None,
    }
}
