//! Finds time zones by the names of places.

use std::collections::HashMap;
use std::sync::LazyLock;

/// The time zone of a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct PlaceZone {
    /// IANA name.
    pub name: &'static str,
    /// Whether the place spans several zones; `name` is the one of its capital or of most of its people.
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

/// Returns the zone of a place, given in lower case. A state or country after a city decides ("portland maine"), unless
/// it spans several zones or is an unknown short code ("dallas tx"): then the city does.
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
        // One short word after a city is the code of its state.
        (None, Some(city)) if words.last().is_some_and(|w| w.len() <= 3) => Some(*city),
        _ => None,
    }
}
