//! Questions in other words: when, where, how long, how many, which, who; and what is looked for where no rule says.

use adjutant_domain::focus::{Focus, Referent, Shown};
use adjutant_domain::mentioned_name::MentionedName;
use adjutant_domain::reading::{Planner as _, Router as _, Utterance};
use adjutant_domain::record::Kind;
use adjutant_domain::settings::Settings;

use crate::Embedded;
use crate::fixture::{named, rendered, tools};

/// The names of things that the person has.
const NAMES: &[(Kind, &str)] = &[
    (Kind::Event, "Harbour tour"),
    (Kind::Event, "Choir practice"),
    (Kind::Event, "Boiler inspection"),
    (Kind::Event, "Train home"),
    (Kind::Event, "Petra's farewell drinks"),
    (Kind::Note, "Paint colours"),
    (Kind::Mail, "Quote for the roof"),
];

/// How a message is read on a Wednesday morning; `shown`: what was shown before it.
fn read(text: &str, shown: &[Referent]) -> String {
    let now: jiff::Zoned = "2026-05-06T09:30:00+02:00[Europe/Paris]"
        .parse()
        .expect("a time");
    let people: Vec<(String, Vec<String>)> = ["Ana Ruiz", "Will Kent", "Kim Soto", "Petra Lang"]
        .iter()
        .map(|name| ((*name).to_owned(), Vec::new()))
        .collect();
    let stems = |text: &str| -> Vec<String> {
        let words = adjutant_text::words(text).into_iter();
        let telling = words.filter(|word| !adjutant_text::says_nothing(word));
        telling.map(|word| adjutant_text::stem(&word)).collect()
    };
    let said = stems(text);
    let mentioned = NAMES
        .iter()
        .filter(|(_, label)| stems(label).iter().any(|word| said.contains(word)));
    let names: Vec<MentionedName> = mentioned
        .map(|(kind, label)| named(*kind, label, label))
        .collect();
    let mut focus = Focus::default();
    if !shown.is_empty() {
        focus.push(Shown {
            items: shown.to_vec(),
            acted: false,
        });
    }
    let said = Utterance {
        text,
        now: &now,
        settings: &Settings::default(),
        focus: &focus,
        history: &[],
        people: &people,
        roles: &[],
        names: &names,
        tools: tools(),
    };
    rendered(&Embedded.plan(&said, &Embedded.route(&said))).replace("+02:00[Europe/Paris]", "")
}

/// Checks that each line's message becomes the one call behind it.
fn check_after(table: &str, shown: &[Referent]) {
    let wrong: Vec<String> = table
        .trim()
        .lines()
        .filter_map(|line| {
            let (text, wanted) = line.split_once(" | ").expect("a row");
            let got = read(text, shown);
            (got.trim() != wanted)
                .then(|| format!("{text}\n  wanted {wanted}\n  got    {}", got.trim()))
        })
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

fn check(table: &str) {
    check_after(table, &[]);
}

#[test]
fn when_and_where_are_asked_in_other_words() {
    check(
        r#"
on what day and at what time is the choir practice, in my time | calendar.list {"ask":"when","pick":"first","summary_is":"Choir practice"}
at what hour does the boiler inspection begin | calendar.list {"ask":"when","pick":"first","summary_is":"Boiler inspection"}
when does the harbour tour wrap up | calendar.list {"ask":"when","pick":"first","summary_is":"Harbour tour"}
until when does the choir practice go | calendar.list {"ask":"when","pick":"first","summary_is":"Choir practice"}
how late does the harbour tour run | calendar.list {"ask":"when","pick":"first","summary_is":"Harbour tour"}
when does my train home from Lyon arrive | calendar.list {"ask":"when","pick":"first","summary_is":"Train home"}
when's the harbour tour again and where | calendar.list {"ask":"list","pick":"first","summary_is":"Harbour tour"}
harbour tour when? | calendar.list {"ask":"list","summary_is":"Harbour tour"}
where choir practice? | calendar.list {"ask":"list","summary_is":"Choir practice"}
next choir practice? | calendar.list {"ask":"list","from":"2026-05-06T09:30:00","order":"start","pick":"first","starts_from":true,"summary_is":"Choir practice"}
last time with Kim? | calendar.list {"ask":"when","order":"-start","person":["Kim"],"pick":"first","to":"2026-05-06T09:30:00"}
whom am I to meet on Friday | calendar.list {"ask":"who","from":"2026-05-08","to":"2026-05-09"}
in which room will the choir practice take place | calendar.list {"ask":"where","pick":"first","summary_is":"Choir practice"}
may I know who will attend the harbour tour | calendar.list {"ask":"who","pick":"first","summary_is":"Harbour tour"}
"#,
    );
    let tour = Referent {
        kind: Kind::Event,
        id: "ev1".into(),
        instance: None,
        label: "Harbour tour".into(),
        people: Vec::new(),
    };
    check_after(
        r#"
how late does it go? | calendar.list {"ask":"when","ids":["ev1"]}
until when does that run | calendar.list {"ask":"when","ids":["ev1"]}
when is it over | calendar.list {"ask":"when","ids":["ev1"]}
where's that? | calendar.list {"ask":"where","ids":["ev1"]}
"#,
        &[tour],
    );
}

#[test]
fn how_many_and_which_count_what_was_and_what_comes() {
    check(
        r#"
how many choir practices shall I have in June | calendar.list {"ask":"count","from":"2026-06-01","summary_is":"Choir practice","to":"2026-07-01"}
which calls have I had with Will so far this month | calendar.list {"ask":"list","from":"2026-05-01","person":["Will"],"to":"2026-05-06T09:30:00"}
have I had any meetings with Ana so far this year | calendar.list {"ask":"any","from":"2026-01-01","person":["Ana"],"to":"2026-05-06T09:30:00"}
which tasks are still to be done this week | task.list {"ask":"list","due_from":"2026-05-04","due_to":"2026-05-11","status":"open"}
by what date must I renew the passport | task.list {"ask":"when","text":"renew passport"}
do I have any completely free weekends left in June | calendar.free {"ask":"weekends","from":"2026-06-01","to":"2026-07-01"}
when's my next free weekend | calendar.free {"ask":"weekends","from":"2026-05-06T09:30:00","pick":"first","to":"2026-07-01T09:30:00"}
"#,
    );
}

#[test]
fn mails_are_asked_about_by_who_sent_them_last_and_what_they_bring() {
    check(
        r#"
latest from Petra? | email.read {"target":{"from":["Petra"],"order":"-date","pick":"first"}}
did Will attach a file to his last message | email.read {"target":{"from":["Will"],"order":"-date","pick":"first"}}
is there an attachment in Kim's latest mail | email.read {"target":{"from":["Kim"],"order":"-date","pick":"first"}}
what did Ana ask me to sign | email.read {"target":{"from":["Ana"],"order":"-date","pick":"first","text":"sign"}}
which of my unread mails contain attachments | email.search {"ask":"list","has_attachment":true,"unread":true}
"#,
    );
}

#[test]
fn one_question_may_ask_for_several_things() {
    check(
        r#"
Kim's job title + mobile? | contact.find {"ask":"list","name":"Kim"}
the email and number of Will | contact.find {"ask":"list","name":"Will"}
Ana's role? | contact.find {"ask":"list","name":"Ana"}
Ana phone? | contact.find {"ask":"phone","name":"Ana"}
on which weekday does Kim's birthday fall this year | contact.find {"ask":"birthday","name":"Kim"}
how much is the roof quote, and how long is it valid | recall.search {"also":"length","ask":"amount","text":"roof quote valid"}
"#,
    );
    let both = read(
        "who's in the harbour tour + what did Ana want me to bring",
        &[],
    );
    let tools: Vec<&str> = both
        .lines()
        .filter_map(|line| line.split_whitespace().next())
        .collect();
    assert_eq!(tools, ["calendar.list", "email.read"], "{both}");
}

#[test]
fn what_is_looked_for_everywhere_is_told_by_its_content() {
    check(
        r#"
which colour did we pick for the hall | recall.search {"ask":"list","text":"colour pick hall"}
which paint did we go with? | recall.search {"ask":"list","text":"paint chosen"}
when is Kim away | recall.search {"ask":"time","text":"Kim vacation"}
is Ana out next week | recall.search {"ask":"time","text":"Ana vacation"}
how long does the pie have to be in the oven | recall.search {"ask":"length","text":"pie oven"}
until when is the roof quote valid | recall.search {"ask":"length","text":"roof quote valid"}
according to my notes, at what hour am I to meet Kim in Lyon | recall.search {"ask":"time","text":"meet Kim Lyon"}
according to the minutes from May 2, who is doing the sails | recall.search {"ask":"person","text":"sails minutes"}
who takes the sails according to the minutes? | recall.search {"ask":"person","text":"takes sails minutes"}
whats teh adress for the boiler inspecton | recall.search {"ask":"list","text":"adress boiler inspection"}
where was the key thing for the shed again | recall.search {"ask":"place","text":"key shed"}
how long does my pie go in for, and at what temperature? | recall.search {"also":"temperature","ask":"length","text":"pie go"}
for how many minutes does our pie go in the oven, and how hot? | recall.search {"also":"temperature","ask":"length","text":"pie go oven"}
what's the number of my mooring, and what do I pay for it? | recall.search {"also":"amount","ask":"figure","text":"number mooring pay"}
roof quote - how much, valid till when? | recall.search {"also":"length","ask":"amount","text":"roof quote"}
dig out the code for my locker | recall.search {"ask":"figure","text":"code locker"}
what did I tell Kim when he asked for the charts? | recall.search {"ask":"list","text":"asked charts","told":["Kim"]}
what did I answer Ana about the mast | recall.search {"ask":"list","text":"mast","told":["Ana"]}
how much did I spend on travel in April | recall.search {"ask":"total","from":"2026-04-01","text":"travel","to":"2026-05-01"}
February expenses total? | recall.search {"ask":"total","from":"2026-02-01","text":"expenses","to":"2026-03-01"}
roof quote amount? | recall.search {"ask":"figure","text":"roof quote amount"}
"#,
    );
}

#[test]
fn the_clock_of_somebody_else_is_looked_up() {
    check(
        r#"
what time is it for Kim | calc.evaluate {"person":["Kim"]}
if I call Will on Friday at 5pm my time, what time will it be for him? | calc.evaluate {"at":"2026-05-08T17:00:00","person":["Will"]}
what time is 9am my time for Ana | calc.evaluate {"at":"2026-05-07T09:00:00","person":["Ana"]}
what time is it | calc.evaluate {"text":"what time is it"}
"#,
    );
}

#[test]
fn a_question_about_a_list_is_read_as_that_list() {
    check(
        r#"
is anything clashing on Thursday? | calendar.list {"ask":"any","from":"2026-05-07","overlapping":true,"to":"2026-05-08"}
have I double booked myself on Friday | calendar.list {"ask":"any","from":"2026-05-08","overlapping":true,"to":"2026-05-09"}
are any two of my meetings at the same time on Monday, and if so which? | calendar.list {"ask":"any","from":"2026-05-11","overlapping":true,"to":"2026-05-12"}
anything on Saturday, and where do I have to be? | calendar.list {"ask":"any","from":"2026-05-09","to":"2026-05-10"}
which chores ought to be done by now but are not? | task.list {"ask":"list","overdue":true}
have I missed any deadlines? | task.list {"ask":"any","overdue":true}
which chores fall due by Sunday? | task.list {"ask":"list","due_from":"2026-05-06","due_to":"2026-05-11"}
how many messages have I not looked at yet, ignoring adverts and newsletters? | email.search {"ask":"count","except":[{"sort":"promotion"},{"sort":"newsletter"}],"unread":true}
who has written to me that I have yet to read? Only real people. | email.search {"ask":"who","unread":true}
whose mails have I not opened? | email.search {"ask":"who","unread":true}
the harbour tour - at what hour is that for me here in Paris? | calendar.list {"ask":"when","pick":"first","summary_is":"Harbour tour"}
"#,
    );
}

#[test]
fn what_follows_an_event_is_looked_up_behind_its_end() {
    for (text, tool, end) in [
        (
            "how much time do I have until my next meeting after the choir practice",
            "calendar.free",
            1440,
        ),
        (
            "when the choir practice is over, how long have I got till the next thing?",
            "calendar.free",
            1440,
        ),
        (
            "what do I have after the choir practice",
            "calendar.list",
            0,
        ),
    ] {
        let read = read(text, &[]);
        let last = read.lines().last().unwrap_or_default();
        assert!(
            read.contains(r#""summary_is":"Choir practice""#),
            "{text}: {read}"
        );
        assert!(last.trim().starts_with(tool), "{text}: {read}");
        assert!(
            last.contains(r#""from":{"$from":"s1","path":"/items/0/end""#),
            "{text}: {read}"
        );
        assert_eq!(
            last.contains(&format!(r#""shift_minutes":{end}"#)),
            end > 0,
            "{text}: {read}"
        );
    }
}

#[test]
fn talk_around_a_question_is_no_part_of_it() {
    check(
        r#"
where is the key for the shed again? Will is driving there later. | recall.search {"ask":"place","text":"key shed"}
Sitting in the train: what's the code for my locker? | recall.search {"ask":"figure","text":"code locker"}
what's the code for my locker, standing in front of it | recall.search {"ask":"figure","text":"code locker"}
"#,
    );
}

#[test]
fn what_a_statement_before_a_question_names_is_meant_by_it() {
    check(
        r#"
where did we leave the paddle for the shed? I have to clean it tomorrow. | recall.search {"ask":"place","text":"leave paddle shed"}
anything on for the weekend of the 16th and 17th? | calendar.list {"ask":"any","from":"2026-05-16","to":"2026-05-18"}
whose birthdays are still coming up before the month is out? | contact.find {"ask":"birthday","birthday_from":"2026-05-06T09:30:00","birthday_to":"2026-05-31"}
"#,
    );
}
