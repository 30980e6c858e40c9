//! Calculations said as commands or with the percentage first.

use super::grammar::Sum;
use super::money::Money;
use super::parser::Parser;
use super::symbols::Symbol;

/// Reads a calculation said as a command or with the percentage first.
pub(super) fn phrase(parser: &mut Parser<'_>) -> Option<Sum> {
    let start = parser.at;
    for rule in PHRASES {
        parser.at = start;
        parser.currency = None;
        if let Some((expression, extra)) = rule(parser) {
            parser.worthwhile = true;
            if parser.mixed_money {
                return None;
            }
            return Some(match parser.currency {
                Some(currency) => Sum::Money(Money::Sum {
                    currency,
                    expression,
                    extra,
                }),
                None => Sum::Plain { expression, extra },
            });
        }
    }
    None
}

/// Things that a price without "each" is for.
const COUNTED: &[&str] = &[
    "night", "ticket", "day", "week", "month", "seat", "room", "person",
];

type PhraseRule = fn(&mut Parser<'_>) -> Option<(String, Option<(&'static str, String)>)>;

const PHRASES: &[PhraseRule] = &[
    // 20% off 80 · 20% tip on 80 · 20% tax on 80
    |p| {
        p.skip_article();
        let share = p.quantity()?;
        if !share.ends_with('%') {
            return None;
        }
        if p.any(&[&["off", "of"], &["off"], &["discount", "on"]]) {
            let whole = p.sum()?;
            return Some((
                format!("({whole})*(1-{share})"),
                Some(("saved", format!("({whole})*{share}"))),
            ));
        }
        let tip = p.any(&[
            &["tip", "on"],
            &["tip", "for"],
            &["gratuity", "on"],
            &["tax", "on"],
            &["vat", "on"],
        ]);
        if !tip {
            return None;
        }
        let whole = bill(p)?;
        Some((
            format!("({whole})*{share}"),
            Some(("total", format!("({whole})*(1+{share})"))),
        ))
    },
    // tip 18% on 54.20
    |p| {
        if !p.any(&[
            &["tip", "of"],
            &["tip"],
            &["gratuity", "of"],
            &["add", "a"],
            &["add"],
        ]) {
            return None;
        }
        let share = p.quantity()?;
        let joined = share.ends_with('%')
            && p.any(&[&["on"], &["for"], &["of"], &["tip", "on"], &["tip", "to"]]);
        let whole = joined.then(|| bill(p))??;
        Some((
            format!("({whole})*{share}"),
            Some(("total", format!("({whole})*(1+{share})"))),
        ))
    },
    // 80 with 20% off
    |p| {
        let whole = p.quantity()?;
        let _ = p.word("with");
        let _ = p.word("at");
        let share = p.quantity().filter(|s| s.ends_with('%'))?;
        p.any(&[&["off"], &["discount"]]).then(|| {
            (
                format!("({whole})*(1-{share})"),
                Some(("saved", format!("({whole})*{share}"))),
            )
        })
    },
    // 14.5 hours at 165 an hour
    |p| {
        let (number, used) = p.counted()?;
        p.at += used;
        let Some(Symbol::Word(things)) = p.rest().first() else {
            return None;
        };
        p.at += 1;
        let unit = things.strip_suffix('s').unwrap_or(things);
        let rate = p
            .any(&[&["at"], &["for"], &["times"]])
            .then(|| p.quantity())??;
        let each = p.any(&[&["each"], &["apiece"], &["a", "piece"], &["per", "piece"]])
            || ["a", "an", "per"].iter().any(|each| p.words(&[each, unit]));
        // "3 nights at 129": more than an hour of the day.
        let priced = COUNTED.contains(&unit) && rate.parse().is_ok_and(|rate: f64| rate > 24.0);
        if !each && !priced {
            return None;
        }
        let whole = format!("{number}*{rate}");
        if !p.any(&[&["plus"], &["and"], &["with"]]) {
            return Some((whole, None));
        }
        p.skip_article();
        let share = p.quantity().filter(|share| share.ends_with('%'))?;
        p.any(&[&["tip"], &["tax"], &["vat"], &["service"], &["gratuity"]])
            .then(|| (format!("({whole})*(1+{share})"), None))
    },
    // take 15% off 80 · add 20% to 80
    |p| {
        let less = p.any(&[&["take"], &["knock"], &["deduct"], &["subtract"]]);
        if !less && !p.word("add") {
            return None;
        }
        let share = p.quantity().filter(|share| share.ends_with('%'))?;
        let joined = match less {
            true => p.any(&[&["off", "of"], &["off"], &["from"]]),
            false => p.any(&[&["to"], &["onto"]]),
        };
        let whole = joined.then(|| p.sum())??;
        let sign = if less { "-" } else { "+" };
        Some((format!("({whole})*(1{sign}{share})"), None))
    },
    // increase 80 by 20%
    |p| {
        let sign = if p.any(&[&["increase"], &["raise"], &["grow"]]) {
            "+"
        } else if p.any(&[&["decrease"], &["reduce"], &["lower"]]) {
            "-"
        } else {
            return None;
        };
        let whole = p.quantity()?;
        let by = p.word("by").then(|| p.quantity())??;
        Some(if by.ends_with('%') {
            (format!("({whole})*(1{sign}{by})"), None)
        } else {
            (format!("{whole}{sign}{by}"), None)
        })
    },
    // what percent of 80 is 20
    |p| {
        if !p.any(&[
            &["what", "percent"],
            &["what", "percentage"],
            &["percentage"],
            &["percent"],
        ]) {
            return None;
        }
        let whole = p.word("of").then(|| p.quantity())??;
        let part = p.word("is").then(|| p.quantity())??;
        Some((format!("({part})/({whole}) to %"), None))
    },
    // 20 is what percent of 80 · 20 as a percentage of 80
    |p| {
        let part = p.quantity()?;
        let asks = p.any(&[
            &["is", "what", "percent", "of"],
            &["is", "what", "percentage", "of"],
            &["as", "a", "percentage", "of"],
            &["as", "a", "percent", "of"],
            &["is", "how", "many", "percent", "of"],
        ]);
        let whole = asks.then(|| p.quantity())??;
        Some((format!("({part})/({whole}) to %"), None))
    },
    |p| {
        pair(
            p,
            &[&["add"], &["sum"]],
            &[&["and"], &["to"], &["plus"]],
            |a, b| format!("{a}+{b}"),
        )
    },
    |p| {
        pair(
            p,
            &[&["subtract"], &["take"], &["deduct"]],
            &[&["from"], &["away", "from"]],
            |a, b| format!("{b}-{a}"),
        )
    },
    |p| {
        pair(
            p,
            &[&["multiply"]],
            &[&["by"], &["and"], &["with"], &["times"]],
            |a, b| format!("({a})*({b})"),
        )
    },
    |p| {
        pair(
            p,
            &[&["divide"], &["split"]],
            &[
                &["by"],
                &["between"],
                &["among"],
                &["into"],
                &["in"],
                &["across"],
                &["evenly", "between"],
                &["over"],
            ],
            |a, b| format!("({a})/({b})"),
        )
    },
    |p| {
        pair(
            p,
            &[
                &["difference", "between"],
                &["the", "difference", "between"],
            ],
            &[&["and"]],
            |a, b| format!("abs({a}-({b}))"),
        )
    },
    |p| {
        list(
            p,
            &[
                &["sum", "of"],
                &["the", "sum", "of"],
                &["total", "of"],
                &["the", "total", "of"],
                &["add", "up"],
            ],
            |n, _| n.join("+"),
        )
    },
    |p| {
        list(
            p,
            &[&["product", "of"], &["the", "product", "of"]],
            |n, _| format!("({})", n.join(")*(")),
        )
    },
    |p| {
        list(
            p,
            &[
                &["average", "of"],
                &["the", "average", "of"],
                &["mean", "of"],
                &["the", "mean", "of"],
                &["average"],
            ],
            |n, count| format!("({})/{count}", n.join("+")),
        )
    },
    // how much more is 340 than 290
    |p| {
        const COMPARED: &[&[&str]] = &[
            &["more"],
            &["less"],
            &["bigger"],
            &["larger"],
            &["smaller"],
            &["higher"],
            &["lower"],
        ];
        let _ = p.word("by");
        let asks = p.words(&["how", "much"]) && p.any(COMPARED) && p.any(&[&["is"], &["are"]]);
        let one = asks.then(|| p.quantity())??;
        let other = p.word("than").then(|| p.quantity())??;
        Some((format!("abs({one}-({other}))"), None))
    },
    // what is left of 500 after 120 and 80
    |p| {
        if !p.any(&[&["left", "of"], &["left", "from"], &["remains", "of"]]) {
            return None;
        }
        let whole = p.quantity()?;
        let first = p
            .any(&[&["after"], &["minus"], &["without"]])
            .then(|| p.quantity())??;
        let mut rest = format!("{whole}-{first}");
        while p.mark(',') || p.word("and") {
            let _ = p.word("and");
            rest = format!("{rest}-{}", p.quantity()?);
        }
        Some((rest, None))
    },
    // 126 split four ways · split 126 four ways
    |p| {
        let begins = p.any(&[&["split"], &["divide"], &["share"]]);
        let whole = p.quantity()?;
        let splits = p.any(&[&["split"], &["divided"], &["shared"]]) || begins;
        let _ = p.any(&[&["equally"], &["evenly"]]);
        let joined = p.any(&[&["between"], &["among"], &["by"], &["into"]]);
        let ways = splits.then(|| p.quantity())??;
        let shared = p.any(&[
            &["ways"],
            &["people"],
            &["persons"],
            &["friends"],
            &["of", "us"],
        ]);
        (joined || shared).then(|| (format!("({whole})/({ways})"), None))
    },
    // how many times does 12 go into 600
    |p| {
        if !p.any(&[&["how", "many", "times"]]) || !p.any(&[&["does"], &["can"], &["will"]]) {
            return None;
        }
        let part = p.quantity()?;
        let whole = p
            .any(&[&["go", "into"], &["fit", "into"], &["fit", "in"]])
            .then(|| p.quantity())??;
        Some((format!("({whole})/({part})"), None))
    },
];

fn bill(p: &mut Parser<'_>) -> Option<String> {
    let _ = p.any(&[
        &["a", "bill", "of"],
        &["the", "bill", "of"],
        &["a", "total", "of"],
        &["a"],
        &["the"],
    ]);
    let whole = p.sum()?;
    let _ = p.any(&[&["bill"], &["meal"], &["check"], &["dinner"], &["lunch"]]);
    Some(whole)
}

type ParsedPhrase = Option<(String, Option<(&'static str, String)>)>;

fn pair(
    p: &mut Parser<'_>,
    verbs: &[&[&str]],
    joins: &[&[&str]],
    build: fn(&str, &str) -> String,
) -> ParsedPhrase {
    if !p.any(verbs) {
        return None;
    }
    p.skip_article();
    let first = p.quantity()?;
    let _ = p.any(&[&["bill"], &["check"]]);
    let second = p.any(joins).then(|| p.quantity())??;
    let _ = p.any(&[
        &["people"],
        &["ways"],
        &["friends"],
        &["persons"],
        &["parts"],
    ]);
    Some((build(&first, &second), None))
}

fn list(
    p: &mut Parser<'_>,
    names: &[&[&str]],
    build: fn(&[String], usize) -> String,
) -> ParsedPhrase {
    if !p.any(names) {
        return None;
    }
    let mut all = vec![p.quantity()?];
    while p.mark(',') || p.any(&[&["and"], &["plus"]]) || p.mark('+') {
        let _ = p.word("and");
        all.push(p.quantity()?);
    }
    (all.len() > 1).then(|| (build(&all, all.len()), None))
}
