//! Tasks, timers, files and questions of fact, each with the call it becomes.

use adjutant_domain::reading::{Planner as _, Router as _};

use crate::Embedded;
use crate::fixture::{MessageContext, rendered};

/// Checks that each line's message becomes what stands behind it; `!` is not understood.
fn check(table: &str) {
    let mut around = MessageContext::new();
    around.directive("person Ana Ruiz");
    let mut wrong = Vec::new();
    for line in table.trim().lines() {
        let (text, wanted) = line.split_once(" | ").expect("a row");
        let said = around.utterance(text);
        let reading = rendered(&Embedded.plan(&said, &Embedded.route(&said)));
        let steps: Vec<&str> = reading.lines().map(str::trim).collect();
        let got = match steps.join(" + ") {
            got if got.starts_with('!') => "!".to_owned(),
            got => got,
        };
        if got != wanted {
            wrong.push(format!("{text} | {got}"));
        }
    }
    assert!(wrong.is_empty(), "\n{}\n", wrong.join("\n"));
}

#[test]
fn tasks_are_written_down() {
    check(
        r#"
todo: oil the hinges | task.create {"title":"Oil the hinges"}
add oil the hinges to my to-do list | task.create {"title":"Oil the hinges"}
put the standup two hours earlier | calendar.update {"changes":{"shift_minutes":-120},"target":{"pick":"one","text":"standup"}}
what files do I have about Lisbon? | file.search {"text":"Lisbon"}
put "oil the hinges" on my list for Thursday | task.create {"due":"2026-03-12","title":"Oil the hinges"}
put "oil the hinges" on tomorrow's list | task.create {"due":"2026-03-12","title":"Oil the hinges"}
add "oil the hinges" as an urgent task | task.create {"priority":"high","title":"Oil the hinges"}
i gotta oil the hinges by friday | task.create {"due":"2026-03-13","title":"Oil the hinges"}
we need to oil the hinges, put that on my list | task.create {"title":"Oil the hinges"}
don't forget to oil the hinges on Saturday | task.create {"due":"2026-03-14","remind_at":"2026-03-14T09:00:00","title":"Oil the hinges"}
I should really oil the hinges this week | task.create {"due":"2026-03-15","title":"Oil the hinges"}
I should really oil the hinges | !
add three tasks: oil the hinges, book the hall and call Ana | task.create {"title":"Oil the hinges"} + task.create {"title":"Book the hall"} + task.create {"title":"Call Ana"}
add three tasks: oil the hinges, call Ana tomorrow at 10 and book the hall by friday | task.create {"title":"Oil the hinges"} + task.create {"due":"2026-03-12T10:00:00","title":"Call Ana"} + task.create {"due":"2026-03-13","title":"Book the hall"}
add three tasks: oil the hinges and call Ana | !
to do: oil the hinges | task.create {"title":"Oil the hinges"}
to do: call the hall, buy rope | task.create {"title":"Call the hall"} + task.create {"title":"Buy rope"}
add two tasks: call Ana tomorrow, buy rope | task.create {"due":"2026-03-12","title":"Call Ana"} + task.create {"title":"Buy rope"}
add to my list: rope, tape and glue | task.create {"title":"Rope"} + task.create {"title":"Tape"} + task.create {"title":"Glue"}
set a timer for 8 minutes | task.create {"due":"2026-03-11T09:38:00","title":"Timer"}
set a 25 minute timer for the bread | task.create {"due":"2026-03-11T09:55:00","title":"Bread"}
set an alarm for 6 | task.create {"due":"2026-03-12T06:00:00","title":"Alarm"}
set a timer | task.create {"due":null,"title":"Timer"} ? /due
"#,
    );
}

#[test]
fn tasks_are_changed() {
    check(
        r#"
move "Buy rope" to Friday | task.update {"changes":{"due":"2026-03-13"},"target":{"pick":"one","text":"Buy rope"}}
push the deadline for the hinges task back by two days | task.update {"changes":{"shift_days":2},"target":{"pick":"one","text":"hinges"}}
the hinges task can wait until Monday | task.update {"changes":{"due":"2026-03-16"},"target":{"pick":"one","text":"hinges"}}
snooze the hinges reminder for an hour | task.update {"changes":{"shift_minutes":60},"target":{"pick":"one","text":"hinges"}}
bring the hinges task forward by a day | task.update {"changes":{"shift_days":-1},"target":{"pick":"one","text":"hinges"}}
lower the priority of the hinges task | task.update {"changes":{"priority":"low"},"target":{"pick":"one","text":"hinges"}}
give "oil hinges" high priority | task.update {"changes":{"priority":"high"},"target":{"pick":"one","text":"oil hinges"}}
add a note to the hinges task: use the thin oil | task.update {"changes":{"add_notes":"use the thin oil"},"target":{"pick":"one","text":"hinges"}}
change the task oil the hinges to oil the gate | task.update {"changes":{"title":"oil the gate"},"target":{"pick":"one","text":"oil hinges"}}
I already oiled the hinges | !
I've already called the plumber, tick that off | task.complete {"target":{"pick":"one","text":"plumber"}}
the report's finished | task.complete {"target":{"pick":"one","text":"report"}}
mark the report and the slides as done | task.complete {"target":{"pick":"one","text":"report"}} + task.complete {"target":{"pick":"one","text":"slides"}}
change the priority of the hinges task from low to high | task.update {"changes":{"priority":"high"},"target":{"pick":"one","text":"hinges"}}
move the deadline for the hinges task two days earlier | task.update {"changes":{"shift_days":-2},"target":{"pick":"one","text":"hinges"}}
done with the ironing | task.complete {"target":{"pick":"one","text":"ironing"}}
tick off the first two tasks | task.complete {"target":{"limit":2,"order":"due","pick":"all"}}
delete the reminder to call Ana | task.delete {"target":{"pick":"one","text":"call Ana"}}
delete the tasks I finished last week | task.delete {"target":{"completed_from":"2026-03-02","completed_to":"2026-03-09","pick":"all","status":"done"}}
delete tasks without a due date | task.delete {"target":{"has_due":false,"pick":"all"}}
clear my to-do list | task.delete {"target":{"pick":"all"}}
take the hinges off my to-do list | task.delete {"target":{"pick":"one","text":"hinges"}}
"#,
    );
}

#[test]
fn tasks_and_files_are_asked_about() {
    check(
        r#"
how many tasks do I have left | task.list {"ask":"count"}
what's on my list for the weekend | task.list {"ask":"list","due_from":"2026-03-14","due_to":"2026-03-16"}
which tasks have high priority | task.list {"ask":"list","priority":"high"}
what's my most urgent task | task.list {"ask":"list","order":"-priority","pick":"first"}
show my tasks sorted by due date | task.list {"ask":"list","order":"due"}
show me everything that's overdue | task.list {"ask":"list","overdue":true}
which of my tasks are overdue and urgent | task.list {"ask":"list","overdue":true,"priority":"high"}
what do I have to finish by Friday | task.list {"ask":"list","due_from":"2026-03-11","due_to":"2026-03-14"}
which files did I change yesterday | file.list {"ask":"list","modified_from":"2026-03-10","modified_to":"2026-03-11"}
what's the biggest file in Downloads | file.list {"ask":"list","folder":"Downloads","order":"-size","pick":"first"}
how many pdf files do I have | file.list {"ask":"count","name":"*.pdf"}
find documents about the regatta | file.search {"text":"regatta"}
open regatta.pdf | file.read {"target":{"name":"regatta.pdf","pick":"one"}}
show the note Rigging | note.read {"target":{"pick":"one","title":"Rigging"}}
find notes mentioning rope | note.list {"ask":"list","text":"rope"}
delete all notes tagged draft | note.delete {"target":{"pick":"all","tag":"draft"}}
"#,
    );
}

#[test]
fn what_no_kind_of_thing_answers_is_looked_for_everywhere() {
    check(
        r#"
what's the code of our shed | recall.search {"ask":"figure","text":"code shed"}
how much is my mooring | recall.search {"ask":"amount","text":"mooring"}
where does Ana work | recall.search {"ask":"place","text":"Ana work"}
what does Ana like | recall.search {"ask":"list","text":"Ana like"}
where did I say I left the pump | recall.search {"ask":"place","text":"left pump"}
do you remember my locker number | recall.search {"ask":"figure","text":"locker number"}
what do you know about Ana | recall.search {"ask":"about","text":"Ana"}
open the stew recipe | recall.search {"ask":"text","text":"stew recipe"}
what do you know about me | memory.search {"ask":"list"}
what's the wifi password | recall.search {"ask":"figure","text":"wifi password"}
what should I do next | recall.search {"text":"what should I do next","unsure":"meaning"}
what's the weather on the lake | !
what's the tallest mountain | !
what is a jib | !
"#,
    );
}
