//! New events and reminders as people speak of them: beside an event, on "that day", in sentences about themselves.

use adjutant_domain::reading::{Planner as _, Router as _};

use crate::Embedded;
use crate::fixture::{MessageContext, rendered};

/// Checks that each row's request becomes its calls, " + " between them; nothing where it is not understood.
fn check(table: &str) {
    let mut around = MessageContext::new();
    for name in ["Ana Ruiz", "Ben Ode", "Kim Soto"] {
        around.directive(&format!("person {name}"));
    }
    let mut wrong = Vec::new();
    for row in table.trim().lines() {
        let (request, wanted) = row
            .split_once(" | ")
            .unwrap_or((row.trim_end_matches(" |"), ""));
        let said = around.utterance(request);
        let got = rendered(&Embedded.plan(&said, &Embedded.route(&said)));
        let got: Vec<&str> = got.lines().map(str::trim).collect();
        let got = got.join(" + ");
        if got != wanted && !(wanted.is_empty() && got.starts_with('!')) {
            wrong.push(format!("{request} | {got}"));
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

#[test]
fn a_part_of_the_day_beside_an_event() {
    check(
        r#"
remind me the evening before my exam to sharpen pencils | calendar.list {"from":"2026-03-11T09:30:00","order":"start","pick":"first","text":"exam"} + task.create {"due":{"$from":"s1","at":"18:00","path":"/items/0/start","shift_minutes":-1440,"zone":"Europe/Paris"},"title":"Sharpen pencils"}
remind me on the night before the regatta to pack the oars | calendar.list {"from":"2026-03-11T09:30:00","order":"start","pick":"first","text":"regatta"} + task.create {"due":{"$from":"s1","at":"18:00","path":"/items/0/start","shift_minutes":-1440,"zone":"Europe/Paris"},"title":"Pack the oars"}
the evening before my flight to Lisbon remind me to check in | calendar.list {"from":"2026-03-11T09:30:00","order":"start","pick":"first","text":"Lisbon flight"} + task.create {"due":{"$from":"s1","at":"18:00","path":"/items/0/start","shift_minutes":-1440,"zone":"Europe/Paris"},"title":"Check in"}
remind me the morning after the party to return the glasses | calendar.list {"from":"2026-03-11T09:30:00","order":"start","pick":"first","text":"party"} + task.create {"due":{"$from":"s1","at":"09:00","path":"/items/0/end","shift_minutes":900,"zone":"Europe/Paris"},"title":"Return the glasses"}
remind me in the morning of the exam to bring my ID | calendar.list {"from":"2026-03-11T09:30:00","order":"start","pick":"first","text":"exam"} + task.create {"due":{"$from":"s1","at":"09:00","path":"/items/0/start","zone":"Europe/Paris"},"title":"Bring my ID"}
please remind me the afternoon before the picnic to buy ice | calendar.list {"from":"2026-03-11T09:30:00","order":"start","pick":"first","text":"picnic"} + task.create {"due":{"$from":"s1","at":"12:00","path":"/items/0/start","shift_minutes":-1440,"zone":"Europe/Paris"},"title":"Buy ice"}
set a reminder for the evening before my dentist appointment to floss | calendar.list {"from":"2026-03-11T09:30:00","order":"start","pick":"first","text":"dentist"} + task.create {"due":{"$from":"s1","at":"18:00","path":"/items/0/start","shift_minutes":-1440,"zone":"Europe/Paris"},"title":"Floss"}
remind me the day before my flight at 6pm to print the ticket | calendar.list {"from":"2026-03-11T09:30:00","order":"start","pick":"first","text":"flight"} + task.create {"due":{"$from":"s1","at":"18:00","path":"/items/0/start","shift_minutes":-1440,"zone":"Europe/Paris"},"title":"Print the ticket"}
at 8pm the day before the regatta remind me to charge the radio | calendar.list {"from":"2026-03-11T09:30:00","order":"start","pick":"first","text":"regatta"} + task.create {"due":{"$from":"s1","at":"20:00","path":"/items/0/start","shift_minutes":-1440,"zone":"Europe/Paris"},"title":"Charge the radio"}
remind me the night before Ana's birthday to wrap the gift | contact.find {"ask":"birthday","name":"Ana"} + task.create {"due":{"$from":"s1","at":"18:00","path":"/items/0/next_birthday/start","shift_minutes":-1440,"zone":"Europe/Paris"},"title":"Wrap the gift"}
remind me the evening before March 20 to set the alarm | task.create {"due":"2026-03-19T18:00:00","title":"Set the alarm"}
remind me the morning after March 20 to water the plants | task.create {"due":"2026-03-21T09:00:00","title":"Water the plants"}
add packing to my calendar for the evening before my flight | calendar.list {"from":"2026-03-11T09:30:00","order":"start","pick":"first","text":"flight"} + calendar.create {"start":{"$from":"s1","at":"18:00","path":"/items/0/start","shift_minutes":-1440,"zone":"Europe/Paris"},"summary":"Packing"}
remind me two days before the exam at 9am to revise | calendar.list {"from":"2026-03-11T09:30:00","order":"start","pick":"first","text":"exam"} + task.create {"due":{"$from":"s1","at":"09:00","path":"/items/0/start","shift_minutes":-2880,"zone":"Europe/Paris"},"title":"Revise"}
remind me an hour before the exam to eat | calendar.list {"from":"2026-03-11T09:30:00","order":"start","pick":"first","text":"exam"} + task.create {"due":{"$from":"s1","path":"/items/0/start","shift_minutes":-60},"title":"Eat"}
"#,
    );
}

#[test]
fn a_day_spoken_of_before() {
    check(
        r#"
if I have nothing on Saturday before noon, add a swim at 2pm that day | calendar.free {"ask":"free","from":"2026-03-14","hours":"any","to":"2026-03-14T12:00:00"} + calendar.create {"start":"2026-03-14T14:00:00","summary":"Swim"} when eq(s1/is_free, true)
if I'm free on Friday, please enter tea with Kim at four that day | calendar.free {"ask":"free","from":"2026-03-13","hours":"any","to":"2026-03-14"} + calendar.create {"people":["Kim"],"start":"2026-03-13T16:00:00","summary":"Tea with Kim"} when eq(s1/is_free, true)
add lunch with Ben on Friday at noon and a swim at 4pm that day | calendar.create {"people":["Ben"],"start":"2026-03-13T12:00:00","summary":"Lunch with Ben"} + calendar.create {"start":"2026-03-13T16:00:00","summary":"Swim"}
add lunch with Ben on Friday at noon and remind me that morning to confirm it | calendar.create {"people":["Ben"],"start":"2026-03-13T12:00:00","summary":"Lunch with Ben"} + task.create {"due":"2026-03-13T09:00:00","title":"Confirm it"}
dinner at 7 that day |
add a swim at 5 that day |
the bins are collected every tuesday and friday, remind me at 8pm those days | task.create {"due":"2026-03-13T20:00:00","rrule":"FREQ=WEEKLY;BYDAY=TU,FR","title":"Bins are collected"}
yoga is on mondays and wednesdays, ping me at 5pm on those days | task.create {"due":"2026-03-11T17:00:00","rrule":"FREQ=WEEKLY;BYDAY=MO,WE","title":"Yoga"}
my parking permit expires friday, remind me at 9am that day | task.create {"due":"2026-03-13T09:00:00","title":"Parking permit expires"}
my parking permit expires on friday, remind me that morning | task.create {"due":"2026-03-13T09:00:00","title":"Parking permit expires"}
recycling gets picked up every other thursday, nudge me at 7am that day | task.create {"due":"2026-03-12T07:00:00","rrule":"FREQ=WEEKLY;BYDAY=TH;INTERVAL=2","title":"Recycling gets picked up"}
remind me at 9pm those days |
"#,
    );
}

#[test]
fn sentences_about_oneself_are_named_by_what_is_done() {
    check(
        r#"
Kim and I are having tacos saturday at 7, put that on my calendar | calendar.create {"people":["Kim"],"start":"2026-03-14T19:00:00","summary":"Tacos with Kim"}
me and Ben are getting drinks thursday at 8, stick it in my diary | calendar.create {"people":["Ben"],"start":"2026-03-12T20:00:00","summary":"Drinks with Ben"}
Ana and I are going to the movies friday at 8:15, pop that on the calendar | calendar.create {"people":["Ana"],"start":"2026-03-13T20:15:00","summary":"Movies with Ana"}
I'm meeting Ben for coffee tomorrow at 3pm, add that to my calendar | calendar.create {"people":["Ben"],"start":"2026-03-12T15:00:00","summary":"Coffee with Ben"}
we're having lunch with Kim on friday at noon, put it on my calendar | calendar.create {"people":["Kim"],"start":"2026-03-13T12:00:00","summary":"Lunch with Kim"}
Ben invited me to his barbecue on saturday at 5pm, stick that in my calendar | calendar.create {"people":["Ben"],"start":"2026-03-14T17:00:00","summary":"Barbecue with Ben"}
Ana is taking me to lunch on friday at 1pm, put it in my calendar | calendar.create {"people":["Ana"],"start":"2026-03-13T13:00:00","summary":"Lunch with Ana"}
I've joined a choir that meets every Thursday at 7pm, put it in my calendar | calendar.create {"rrule":"FREQ=WEEKLY;BYDAY=TH;BYHOUR=19;BYMINUTE=0","start":"2026-03-12T19:00:00","summary":"Choir"}
I signed up for a pottery class that meets on Tuesdays at 6pm. Please add it to my calendar, starting in April. | calendar.create {"rrule":"FREQ=WEEKLY;BYDAY=TU;BYHOUR=18;BYMINUTE=0","start":"2026-04-07T18:00:00","summary":"Pottery class"}
I have taken up a chess club which meets on the first Monday of each month at eight in the evening. Could you enter it in my calendar, starting in April? | calendar.create {"rrule":"FREQ=MONTHLY;BYDAY=1MO;BYHOUR=20;BYMINUTE=0","start":"2026-04-06T20:00:00","summary":"Chess club"}
I got tickets to the opera on saturday at 8pm, put that in my calendar | calendar.create {"start":"2026-03-14T20:00:00","summary":"Opera"}
there's a book club that meets every monday at 7, add it to my calendar | calendar.create {"rrule":"FREQ=WEEKLY;BYDAY=MO;BYHOUR=19;BYMINUTE=0","start":"2026-03-16T19:00:00","summary":"Book club"}
Kim sent me the date of the wedding. Please enter it in my calendar. | calendar.create {"start":null,"summary":"Wedding"} ? /start
"#,
    );
}

#[test]
fn what_is_in_the_evening_by_its_nature() {
    check(
        r#"
add pizza with Ben friday at 7:30 | calendar.create {"people":["Ben"],"start":"2026-03-13T19:30:00","summary":"Pizza with Ben"}
add pizza with Ben friday at 11:30 | calendar.create {"people":["Ben"],"start":"2026-03-13T11:30:00","summary":"Pizza with Ben"}
schedule drinks with Kim tomorrow at 8 | calendar.create {"people":["Kim"],"start":"2026-03-12T20:00:00","summary":"Drinks with Kim"}
put book club on friday at 7 | calendar.create {"start":"2026-03-13T19:00:00","summary":"Book club"}
add karaoke saturday at 9 | calendar.create {"start":"2026-03-14T21:00:00","summary":"Karaoke"}
add breakfast pizza on friday at 8 | calendar.create {"start":"2026-03-13T08:00:00","summary":"Breakfast pizza"}
add a call with Ben friday at 9 | calendar.create {"people":["Ben"],"start":"2026-03-13T09:00:00","summary":"Call with Ben"}
"#,
    );
}

#[test]
fn politeness_is_passed_over() {
    check(
        r#"
I would be most grateful if you could see to it that I am reminded on Friday at nine to ring Ben back | task.create {"due":"2026-03-13T09:00:00","title":"Ring Ben back"}
I do hope this is no trouble, but would you be so good as to remind me tomorrow at 10 to post the letter? | task.create {"due":"2026-03-12T10:00:00","title":"Post the letter"}
the man from the bank rang while I was out, and I would be grateful if you could remind me tomorrow at 9 to call him back | task.create {"due":"2026-03-12T09:00:00","title":"Call him back"}
it would be most kind if you could enter lunch with Kim on Friday at noon | calendar.create {"people":["Kim"],"start":"2026-03-13T12:00:00","summary":"Lunch with Kim"}
might I trouble you to remind me at 5pm to feed the cat? | task.create {"due":"2026-03-11T17:00:00","title":"Feed the cat"}
"#,
    );
}

#[test]
fn wordings_of_people_who_learnt_the_language_late_or_type_in_haste() {
    check(
        r#"
I want that you remind me tomorrow at 11 to buy the train tickets | task.create {"due":"2026-03-12T11:00:00","title":"Buy the train tickets"}
I must bring the bike to the repair shop, remind me of it on Saturday at 10 | task.create {"due":"2026-03-14T10:00:00","title":"Bring the bike to the repair shop"}
rmd me 2 call Ben tomorrow at 8 | task.create {"due":"2026-03-12T08:00:00","title":"Call Ben"}
please mark the whole of April 11th as "Sister visiting" | calendar.create {"all_day":true,"start":"2026-04-11","summary":"Sister visiting"}
please write to Ana per mail that the dock is dry | email.send {"body":"The dock is dry.","to":["Ana"]}
write in the note Falcon that the demo is on 27 March | note.append {"create":true,"text":"the demo is on 27 March","title":"Falcon"}
"#,
    );
}
