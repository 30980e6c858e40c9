//! Measures finding the names that a message mentions, in profiles of 1,000, 10,000 and 100,000 records. Seven of ten
//! are mails, the others events, tasks and notes; the vocabulary has 20,000 words, some of which occur in very many
//! names. `ADJUTANT_BENCH_RECORDS=1000` measures one size only.

#![expect(
    clippy::disallowed_methods,
    reason = "a benchmark reads the clock and its environment"
)]
#![expect(
    clippy::expect_used,
    reason = "a benchmark whose data cannot be made has nothing to measure"
)]

#[path = "support/dice.rs"]
mod dice;

use std::ops::Range;
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

/// Panic message if the data cannot be created.
const SETUP: &str = "the data of the benchmark";
/// Number of rows of one import batch, the same as the importer's.
const BATCH: usize = 500;
/// Numbers of records in the profiles.
const SIZES: [usize; 3] = [1_000, 10_000, 100_000];
/// Number of mails that arrive at once, between two messages of the person.
const COMING: usize = 5_000;
/// Number of different messages that are looked up.
const MESSAGES: usize = 500;
/// Number of names requested, the same as in a turn.
const NAMES: usize = 64;

fn now() -> Timestamp {
    Timestamp::from_second(1_768_219_200).unwrap_or(Timestamp::UNIX_EPOCH)
}

/// Returns a pronounceable word; long ones are rare.
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

/// Builds a message: half of its words occur in names, an eighth are mistyped ones, an eighth are unknown, and the
/// rest are common words.
fn message(dice: &mut Dice, words: usize) -> String {
    const COMMON: [&str; 8] = [
        "the", "to", "and", "with", "please", "tomorrow", "move", "at",
    ];
    let words: Vec<String> = (0..words)
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
    match number % 10 {
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

/// Imports the records with these numbers in batches, as the importer does.
fn import(runtime: &Runtime, store: &Store, numbers: Range<usize>) {
    let mut dice = Dice(u64::try_from(numbers.start).unwrap_or(0) + 3);
    for first in numbers.clone().step_by(BATCH) {
        let incoming = (first..numbers.end.min(first + BATCH)).map(|number| Incoming {
            record: record(&mut dice, number),
            raw: None,
            provenance: None,
        });
        let batch = incoming.collect();
        runtime.block_on(store.import("file", batch)).expect(SETUP);
    }
}

/// Measures the lookup of each message, one after another.
fn spread(runtime: &Runtime, store: &Store, messages: &[String], what: &str) {
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
        "{what}: median {:?}, 95 % {:?}, 99 % {:?}; {} names each",
        at(50),
        at(95),
        at(99),
        found / times.len()
    );
}

fn profile(c: &mut Criterion, runtime: &Runtime, records: usize) {
    let folder = tempfile::tempdir().expect(SETUP);
    import(runtime, &open(folder.path()), 0..records);
    let mut group = c.benchmark_group(format!("names of {records} records"));
    group.sample_size(10);
    group.bench_function("the first message of a process", |b| {
        b.iter(|| {
            let store = open(folder.path());
            runtime.block_on(store.named("move the standup", now(), NAMES))
        });
    });
    let store = open(folder.path());
    spread(
        runtime,
        &store,
        &["standup".to_owned()],
        "the first message",
    );
    for words in [5, 40] {
        let mut dice = Dice(4);
        let messages: Vec<String> = (0..MESSAGES).map(|_| message(&mut dice, words)).collect();
        spread(
            runtime,
            &store,
            &messages,
            &format!("{MESSAGES} messages of {words} words, {records} records"),
        );
        let mut rest = messages.iter().cycle();
        group.bench_function(format!("a message of {words} words"), |b| {
            b.iter(|| {
                let message = rest.next().map_or("", String::as_str);
                runtime.block_on(store.named(message, now(), NAMES))
            });
        });
    }
    group.finish();
    let mut after = records;
    for coming in [1, COMING, COMING + 1] {
        let start = Instant::now();
        import(runtime, &store, after..after + coming);
        eprintln!("an import of {coming} records: {:?}", start.elapsed());
        after += coming;
        spread(
            runtime,
            &store,
            &["standup".to_owned()],
            "the first message behind it",
        );
    }
}

fn all(c: &mut Criterion) {
    let runtime = Runtime::new().expect(SETUP);
    let only = std::env::var("ADJUTANT_BENCH_RECORDS").ok();
    let only: Option<usize> = only.and_then(|only| only.parse().ok());
    for records in SIZES {
        if only.is_none_or(|only| only == records) {
            profile(c, &runtime, records);
        }
    }
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
