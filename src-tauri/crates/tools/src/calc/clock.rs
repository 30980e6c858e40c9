//! Tells what time it is for somebody whose time zone is known.

use std::collections::BTreeMap;

use adjutant_domain::filter::{Filter, Role, Time, Window};
use adjutant_domain::moment::Moment;
use adjutant_domain::outcome::{Answer, Stop};
use adjutant_domain::ports::Cx;
use adjutant_domain::source::Taint;
use jiff::tz::TimeZone;
use jiff::{ToSpan, Zoned};
use serde_json::json;

use crate::effect::failed;
use crate::select::{Meant, People, bad, meant};
use crate::words;

/// Country prefixes of telephone numbers, of countries that have one time zone.
const PREFIXES: &[(&str, &str)] = &[
    ("27", "Africa/Johannesburg"),
    ("30", "Europe/Athens"),
    ("31", "Europe/Amsterdam"),
    ("32", "Europe/Brussels"),
    ("33", "Europe/Paris"),
    ("353", "Europe/Dublin"),
    ("358", "Europe/Helsinki"),
    ("36", "Europe/Budapest"),
    ("39", "Europe/Rome"),
    ("40", "Europe/Bucharest"),
    ("41", "Europe/Zurich"),
    ("420", "Europe/Prague"),
    ("43", "Europe/Vienna"),
    ("44", "Europe/London"),
    ("45", "Europe/Copenhagen"),
    ("46", "Europe/Stockholm"),
    ("47", "Europe/Oslo"),
    ("48", "Europe/Warsaw"),
    ("49", "Europe/Berlin"),
    ("65", "Asia/Singapore"),
    ("81", "Asia/Tokyo"),
    ("82", "Asia/Seoul"),
    ("852", "Asia/Hong_Kong"),
    ("886", "Asia/Taipei"),
    ("90", "Europe/Istanbul"),
    ("91", "Asia/Kolkata"),
    ("971", "Asia/Dubai"),
    ("972", "Asia/Jerusalem"),
];

/// A time zone, and how it is known.
struct ResolvedZone {
    zone: TimeZone,
    name: String,
    by: String,
}

/// Answers what time it is for a person at a moment, or now.
///
/// # Errors
/// Returns a fault if nobody or several people are named, or if storage fails.
pub(super) async fn clock(people: &People, at: Option<&Moment>, cx: &Cx) -> Result<Answer, Stop> {
    let named = meant(people, cx).await?;
    let [who] = named.as_slice() else {
        return Err(bad("Name one person."));
    };
    let name = match who.contacts.as_slice() {
        [one] => words::inline(&one.name),
        _ => words::inline(&who.named.text),
    };
    let at = match at {
        None => cx.now.clone(),
        Some(Moment::At(at)) => at.with_time_zone(cx.zone()),
        Some(Moment::Day(_)) => return Err(bad("Say a time of day.")),
    };
    let Some(known) = known(who, cx).await? else {
        let say = format!(
            "I don't know the time zone of {name}. Name the place, for example “what time is it in Tokyo”."
        );
        return Ok(answer(json!({"known": false}), say));
    };
    let there = at.with_time_zone(known.zone);
    let say = format!(
        "{} here is {} for {name} ({}, {}).",
        said(&at, cx),
        said(&there, cx),
        known.name,
        known.by
    );
    Ok(answer(
        json!({"known": true, "zone": known.name, "time": Moment::At(there).rfc3339()}),
        say,
    ))
}

/// Returns the time zone of a person: by the country of their telephone number, else by their events in another zone.
async fn known(who: &Meant, cx: &Cx) -> Result<Option<ResolvedZone>, Stop> {
    let phones = who.contacts.iter().flat_map(|contact| &contact.phones);
    for phone in phones {
        if let Some(name) = by_prefix(phone)
            && let Ok(zone) = TimeZone::get(name)
        {
            let by = format!("by the telephone number {}", words::inline(phone));
            return Ok(Some(ResolvedZone {
                zone,
                name: name.to_owned(),
                by,
            }));
        }
    }
    let year = Window {
        from: cx.now.checked_sub(1.year()).ok().map(|at| at.timestamp()),
        to: cx.now.checked_add(1.year()).ok().map(|at| at.timestamp()),
    };
    let events = Filter::all()
        .with(Role::From, who.search.clone())
        .within(Time::Happens, year);
    let events = cx.records.occurrences(&events).await.map_err(failed)?;
    let own = cx.zone();
    let mut zones: BTreeMap<String, (usize, String)> = BTreeMap::new();
    for one in &events {
        // An event at a place says where it takes place, not where somebody is otherwise.
        if let Moment::At(start) = &one.event.start
            && let Some(name) = start.time_zone().iana_name()
            && own.iana_name() != Some(name)
        {
            let entry = zones.entry(name.to_owned()).or_default();
            entry.0 += 1;
            entry.1.clone_from(&one.event.summary);
        }
    }
    let best = zones.into_iter().max_by_key(|(_, (count, _))| *count);
    Ok(best.and_then(|(name, (_, summary))| {
        let zone = TimeZone::get(&name).ok()?;
        let by = format!("as in {}", words::quoted(&summary));
        Some(ResolvedZone { zone, name, by })
    }))
}

/// Returns the time zone of the country of a telephone number that is written with its prefix.
fn by_prefix(phone: &str) -> Option<&'static str> {
    let digits: String = phone
        .trim()
        .strip_prefix('+')?
        .chars()
        .filter(char::is_ascii_digit)
        .collect();
    let fits = PREFIXES
        .iter()
        .filter(|(prefix, _)| digits.starts_with(prefix));
    fits.max_by_key(|(prefix, _)| prefix.len())
        .map(|(_, zone)| *zone)
}

fn said(at: &Zoned, cx: &Cx) -> String {
    format!(
        "{}, {}",
        words::day(at.date(), cx),
        words::clock(at.time(), cx)
    )
}

fn answer(output: serde_json::Value, say: String) -> Answer {
    Answer {
        output,
        say,
        referents: Vec::new(),
        taint: Taint::Clean,
        used_memories: Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_prefix_tells_the_zone_of_a_country_that_has_one() {
        assert_eq!(by_prefix("+81 3 5550 0121"), Some("Asia/Tokyo"));
        assert_eq!(by_prefix("+420 555 010"), Some("Europe/Prague"));
        assert_eq!(by_prefix("+1 212 555 0101"), None);
        assert_eq!(by_prefix("030 555 0101"), None);
    }
}
