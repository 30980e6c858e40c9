//! Measures reading a message with all tools, a thousand people, and sixty-four names that it mentions: every request
//! of `tests/gold`, and long texts that are made to be hard.

#![expect(
    clippy::disallowed_methods,
    reason = "a benchmark reads the clock and its environment"
)]
#![expect(
    clippy::expect_used,
    reason = "a benchmark whose data cannot be read has nothing to measure"
)]

use std::fs;
use std::hint::black_box;
use std::sync::Arc;
use std::time::{Duration, Instant};

use adjutant_domain::focus::Focus;
use adjutant_domain::mentioned_name::{MentionedName, NameOf};
use adjutant_domain::ports::Toolbox as _;
use adjutant_domain::reading::{NAMES_MAX, Planner as _, Router as _, Utterance};
use adjutant_domain::record::Kind;
use adjutant_domain::settings::Settings;
use adjutant_domain::source::Taint;
use adjutant_domain::tool::ToolSpec;
use adjutant_tools::Registry;
use adjutant_understanding::Embedded;
use criterion::Criterion;
use jiff::Zoned;

/// Panic message for data that cannot be read.
const DATA: &str = "the data of the benchmark";
/// Number of people in the address book.
const PEOPLE: usize = 1_000;
/// Kinds of the named records.
const KINDS: [Kind; 5] = [
    Kind::Event,
    Kind::Task,
    Kind::Note,
    Kind::Mail,
    Kind::Contact,
];

/// The context of every message.
struct MessageContext {
    now: Zoned,
    settings: Settings,
    focus: Focus,
    people: Vec<(String, Vec<String>)>,
    tools: Vec<ToolSpec>,
}

impl MessageContext {
    fn new() -> Self {
        let catalog = Registry::new(Arc::new(Embedded)).catalog();
        let person = |number: usize| {
            let name = format!("Person{number} Surname{}", number % 300);
            (name, vec![format!("p{number}@example.org")])
        };
        Self {
            now: "2026-03-11T09:30:00+01:00[Europe/Paris]"
                .parse()
                .expect(DATA),
            settings: Settings::default(),
            focus: Focus::default(),
            people: (0..PEOPLE).map(person).collect(),
            tools: catalog.specs().to_vec(),
        }
    }

    fn read(&self, text: &str, names: &[MentionedName]) {
        let said = Utterance {
            text,
            now: &self.now,
            settings: &self.settings,
            focus: &self.focus,
            history: &[],
            people: &self.people,
            roles: &[],
            names,
            tools: &self.tools,
        };
        let route = Embedded.route(&said);
        black_box(Embedded.plan(black_box(&said), &route));
    }
}

/// Makes names from the words of a message, as an index of many records would find them.
fn names(text: &str) -> Vec<MentionedName> {
    let words: Vec<&str> = text
        .split_whitespace()
        .filter(|word| word.len() > 3)
        .collect();
    let name = |number: usize| {
        let word = |by: usize| words[(number * by + number / words.len()) % words.len()];
        MentionedName {
            of: NameOf::Record {
                kind: KINDS[number % KINDS.len()],
                id: format!("row_{number:012}").as_str().into(),
            },
            label: format!("{} {} {number}", word(1), word(3)),
            when: None,
            taint: Taint::Clean,
        }
    };
    match words.is_empty() {
        true => Vec::new(),
        false => (0..NAMES_MAX).map(name).collect(),
    }
}

/// Returns the requests of `tests/gold`.
fn requests() -> Vec<String> {
    let files = fs::read_dir("tests/gold").expect(DATA);
    let mut paths: Vec<_> = files
        .map(|file| file.expect(DATA).path())
        .filter(|path| path.extension().is_some_and(|end| end == "txt"))
        .collect();
    paths.sort();
    let lines = |path| fs::read_to_string(path).expect(DATA);
    let texts: Vec<String> = paths.iter().map(lines).collect();
    let said = texts.iter().flat_map(|text| text.lines());
    said.filter_map(|line| line.strip_prefix("> "))
        .map(str::to_owned)
        .collect()
}

/// Returns long texts that begin many rules, hold many times and people, or can be cut in many places.
fn hard() -> Vec<(&'static str, String)> {
    let repeated = |part: &str, times: usize| part.repeat(times).trim().to_owned();
    vec![
        (
            "joined",
            repeated(
                "and remind me to move the meeting with Ana and Bo to Friday at 3 ",
                20,
            ),
        ),
        (
            "listed",
            format!("add {} to my list", repeated("milk, eggs and ", 90)),
        ),
        (
            "times",
            repeated("on Friday at 3 or tomorrow from 9 to 10 every Monday ", 30),
        ),
        (
            "people",
            format!(
                "email {}",
                repeated("Person1 Surname1, Person2 Surname2 and ", 40)
            ),
        ),
        (
            "prose",
            repeated(
                "we talked about the budget that the board has to see before the end of the week so ",
                20,
            ),
        ),
        (
            "nouns",
            repeated(
                "the mail about the meeting of the task for the note from the list in the ",
                22,
            ),
        ),
        (
            "quoted",
            format!(
                "send Ana \"{}\"",
                repeated("add a task and delete the mail on Friday ", 30)
            ),
        ),
        (
            "longest",
            repeated(
                "add email meeting and what is the task list if note calendar 5 % ",
                1000,
            ),
        ),
    ]
}

/// Reads all messages one after the other and prints the spread of their times.
fn spread(what: &str, around: &MessageContext, messages: &[(String, Vec<MentionedName>)]) {
    let mut times: Vec<(Duration, &str)> = messages
        .iter()
        .map(|(text, names)| {
            let start = Instant::now();
            around.read(text, names);
            (start.elapsed(), text.as_str())
        })
        .collect();
    times.sort();
    let at = |part: usize| times[(times.len() - 1) * part / 1000].0;
    eprintln!(
        "{what}, {} messages: median {:?}, 95 % {:?}, 99 % {:?}, longest {:?}",
        times.len(),
        at(500),
        at(950),
        at(990),
        at(1000)
    );
    for (took, text) in times.iter().rev().take(5) {
        let shown: String = text.chars().take(90).collect();
        eprintln!("  {took:?} {shown}");
    }
}

fn all(c: &mut Criterion) {
    let around = MessageContext::new();
    let known = |text: String| {
        let names = names(&text);
        (text, names)
    };
    let messages: Vec<_> = requests().into_iter().map(known).collect();
    around.read("what is on today?", &[]);
    spread("requests", &around, &messages);
    let mut rest = messages.iter().cycle();
    c.bench_function("reading/a request", |b| {
        b.iter(|| {
            if let Some((text, names)) = rest.next() {
                around.read(text, names);
            }
        });
    });
    for (what, text) in hard() {
        let message = known(text);
        spread(what, &around, std::slice::from_ref(&message));
    }
}

fn main() {
    let mut criterion = Criterion::default()
        .sample_size(20)
        .measurement_time(Duration::from_secs(3))
        .warm_up_time(Duration::from_millis(500))
        .configure_from_args();
    all(&mut criterion);
    criterion.final_summary();
}
