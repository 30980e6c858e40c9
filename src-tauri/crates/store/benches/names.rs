//! What it costs to find the names that a message mentions, in a profile of 100,000 records: 70,000 mails, 10,000 each of
//! events, tasks and notes, with a vocabulary of 20,000 words, of which some are in very many names.

#![expect(
    clippy::expect_used,
    reason = "a benchmark whose data cannot be made has nothing to measure"
)]

#[path = "support/dice.rs"]
mod dice;

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use adjutant_domain::ports::{Incoming, Records as _};
use adjutant_domain::record::Record;
use adjutant_store::{Store, StoreOptions};
use adjutant_testkit::make;
use criterion::Criterion;
use jiff::{SignedDuration, Timestamp};
use tokio::runtime::Runtime;

use dice::Dice;

/// What is said when the data cannot be made.
const SETUP: &str = "the data of the benchmark";
/// Rows of one import batch, as the importer sends them.
const BATCH: usize = 500;
/// Records of the profile.
const RECORDS: usize = 100_000;
/// Records of each other kind than mail.
const OTHERS: usize = 10_000;
/// Different messages that are asked.
const MESSAGES: usize = 500;
/// Names asked for, as a turn does.
const NAMES: usize = 64;

fn now() -> Timestamp {
    Timestamp::from_second(1_768_219_200).unwrap_or(Timestamp::UNIX_EPOCH)
}

/// A word as it might be spoken: long ones are rare.
fn spoken(place: usize) -> String {
    const SYLLABLES: [&str; 16] = [
        "ba", "len", "tor", "mi", "ka", "ros", "du", "fen", "gi", "hal", "po", "ser", "vi", "nam",
        "que", "jo",
    ];
    let mut rest = place + 16;
    let mut word = String::new();
    while rest > 0 {
        word.push_str(SYLLABLES[rest % 16]);
        rest /= 16;
    }
    word
}

fn name(dice: &mut Dice, words: usize) -> String {
    let words: Vec<String> = (0..words).map(|_| spoken(dice.place())).collect();
    words.join(" ")
}

/// Forty words: half are words of names, and of those some mistyped; the others say nothing, or are unknown.
fn message(dice: &mut Dice) -> String {
    const COMMON: [&str; 8] = [
        "the", "to", "and", "with", "please", "tomorrow", "move", "at",
    ];
    let words: Vec<String> = (0..40)
        .map(|_| match dice.roll(8) {
            0..4 => spoken(dice.place()),
            4 => {
                let mut word = spoken(dice.place());
                word.remove(word.len() / 2);
                word
            }
            5 => format!("{}x", spoken(dice.roll(dice::WORDS))),
            _ => COMMON[dice.roll(COMMON.len())].to_owned(),
        })
        .collect();
    words.join(" ")
}

fn record(dice: &mut Dice, number: usize) -> Record {
    let before = |minutes: usize| {
        let minutes = i64::try_from(minutes).unwrap_or(0);
        now() - SignedDuration::from_mins(minutes)
    };
    let start = before(dice.roll(4 * 525_600)) + SignedDuration::from_hours(24 * 365);
    let end = start + SignedDuration::from_mins(30);
    let zoned = |at: Timestamp| at.to_zoned(jiff::tz::TimeZone::UTC).to_string();
    match number / OTHERS {
        0 => Record::Task(make::task(
            &format!("task_{number:012}"),
            &name(dice, 4),
            None,
        )),
        1 => Record::Note(make::note(
            &format!("note_{number:012}"),
            &name(dice, 3),
            &name(dice, 60),
        )),
        2 => {
            let (id, summary) = (format!("ev_{number:012}"), name(dice, 4));
            let event = make::event(
                &id,
                &summary,
                &zoned(start),
                &zoned(end),
                &["a@example.org"],
            );
            Record::Event(event)
        }
        _ => {
            let (id, subject) = (format!("mail_{number:012}"), name(dice, 7));
            let (date, text) = (before(number * 7).to_string(), name(dice, 40));
            let mail = make::mail(&id, "Nadia <nadia@example.org>", &subject, &date, &text);
            Record::Mail(mail)
        }
    }
}

fn open(folder: &Path) -> Arc<Store> {
    Store::open(folder, StoreOptions::default()).expect(SETUP)
}

fn filled(runtime: &Runtime, folder: &Path) -> Arc<Store> {
    let store = open(folder);
    let mut dice = Dice(3);
    for first in (0..RECORDS).step_by(BATCH) {
        let incoming = (first..first + BATCH).map(|number| Incoming {
            record: record(&mut dice, number),
            raw: None,
            provenance: None,
        });
        let batch = incoming.collect();
        runtime.block_on(store.import("file", batch)).expect(SETUP);
    }
    store
}

/// Times of all messages, one after the other.
fn spread(runtime: &Runtime, store: &Store, messages: &[String]) {
    let mut found = 0;
    let mut times: Vec<Duration> = messages
        .iter()
        .map(|message| {
            let start = Instant::now();
            let names = runtime.block_on(store.named(message, now(), NAMES));
            let took = start.elapsed();
            found += names.expect(SETUP).len();
            took
        })
        .collect();
    times.sort();
    let at = |part: usize| times[(times.len() - 1) * part / 100];
    eprintln!(
        "names of {} messages: median {:?}, 95 % {:?}, 99 % {:?}; {} names each",
        times.len(),
        at(50),
        at(95),
        at(99),
        found / times.len()
    );
}

fn all(c: &mut Criterion) {
    let runtime = Runtime::new().expect(SETUP);
    let folder = tempfile::tempdir().expect(SETUP);
    drop(filled(&runtime, folder.path()));
    let mut dice = Dice(4);
    let messages: Vec<String> = (0..MESSAGES).map(|_| message(&mut dice)).collect();

    let mut first = c.benchmark_group("names");
    first.sample_size(10);
    first.bench_function("the first message of a process", |b| {
        b.iter(|| {
            let store = open(folder.path());
            runtime.block_on(store.named(&messages[0], now(), NAMES))
        });
    });
    first.finish();

    let store = open(folder.path());
    spread(&runtime, &store, &messages[..1]);
    spread(&runtime, &store, &messages);
    let mut rest = messages.iter().cycle();
    c.bench_function("names/a message of 40 words", |b| {
        b.iter(|| {
            let message = rest.next().map_or("", String::as_str);
            runtime.block_on(store.named(message, now(), NAMES))
        });
    });
    c.bench_function("names/a message of 3 words", |b| {
        let message = format!("move {} {}", spoken(40), spoken(400));
        b.iter(|| runtime.block_on(store.named(&message, now(), NAMES)));
    });
}

fn main() {
    let mut criterion = Criterion::default()
        .sample_size(30)
        .measurement_time(Duration::from_secs(3))
        .warm_up_time(Duration::from_millis(500))
        .configure_from_args();
    all(&mut criterion);
    criterion.final_summary();
}
