//! Measures reading a message: routing, yes and no, calculations, in the usual case and the worst.

#![expect(
    missing_docs,
    reason = "criterion's macro makes an undocumented function"
)]

use std::hint::black_box;

use adjutant_understanding::time::Policy;
use adjutant_understanding::{calc, confirm, route};
use criterion::{Criterion, criterion_group, criterion_main};
use jiff::Zoned;

const MESSAGES: &[&str] = &[
    "schedule a meeting with Ana on Friday at 3 and send her an email about it",
    "what's 15% of 240?",
    "remind me to call the plumber tomorrow",
    "how many unread emails do I have from Bo",
    "thanks, that was quick",
];

/// Returns the longest message that is read, made of words that begin many phrases.
fn worst() -> String {
    "add email meeting and what is the task list if note ' \" calendar 5 % ".repeat(1000)
}

fn routing(c: &mut Criterion) {
    c.bench_function("route/everyday", |b| {
        b.iter(|| {
            for message in MESSAGES {
                black_box(route::route(black_box(message), &[]));
            }
        });
    });
    let worst = worst();
    c.bench_function("route/worst_64k", |b| {
        b.iter(|| black_box(route::route(black_box(&worst), &[])))
    });
}

fn confirming(c: &mut Criterion) {
    let prompt = Some("Send this mail to Ana at 3 pm?");
    c.bench_function("confirm/everyday", |b| {
        b.iter(|| {
            for reply in ["yes", "yes please send it", "no, not now", "yes but at 4"] {
                black_box(confirm::answer(black_box(reply), prompt));
            }
        });
    });
    let worst = "yes and sure ok it is right, ".repeat(2500);
    c.bench_function("confirm/worst_64k", |b| {
        b.iter(|| black_box(confirm::answer(black_box(&worst), prompt)))
    });
}

fn calculating(c: &mut Criterion) {
    let Ok(now) = "2026-01-12T09:00:00-05:00[America/New_York]".parse::<Zoned>() else {
        return;
    };
    let policy = Policy::default();
    c.bench_function("calc/everyday", |b| {
        b.iter(|| {
            for text in [
                "15% of 240",
                "5 km in miles",
                "days until June 3",
                "what time is it in Tokyo",
                "buy milk",
            ] {
                black_box(calc::calculate(black_box(text), &now, &policy).ok());
            }
        });
    });
    c.bench_function("calc/worst", |b| {
        b.iter(|| black_box(calc::calculate(black_box("9^999 * 3 + 200!"), &now, &policy).ok()));
    });
}

criterion_group!(benches, routing, confirming, calculating);
criterion_main!(benches);
