//! How people type: asides, words in the middle of a phrase, missing apostrophes, what an alarm is for.

use adjutant_domain::reading::{Planner as _, Router as _};

use crate::Embedded;
use crate::fixture::{MessageContext, rendered};

#[test]
fn what_is_typed_casually_is_read() {
    let table = [
        ("mark the expense report as done, finally", "task.complete"),
        (
            "oh and i also have to call the landlord about the tap",
            "\"title\":\"Call the landlord about the tap\"",
        ),
        (
            "Hi, hope you're well! Could you please check if I have something on April 2nd?",
            "calendar.free",
        ),
        ("whats anas number", "contact.find"),
        ("did I ever answer Ana?", "\"answered\":true"),
        (
            "set an alarm for 6:15 tomorrow, i have to catch an early train",
            "\"title\":\"Alarm\"",
        ),
        (
            "add a recurring task: back up the laptop every sunday",
            "\"title\":\"Back up the laptop\"",
        ),
        (
            "theres a fire drill on monday from 11 to 11:20, put that in",
            "\"summary\":\"Fire drill\"",
        ),
        ("bump the insurance thing to tomorrow", "insurance\""),
        (
            "i owe Ana 45 dollars, dont let me forget",
            "\"title\":\"I owe Ana 45 dollars\"",
        ),
        (
            "everything due this week should be high priority",
            "\"priority\":\"high\"",
        ),
        (
            "schedule a call with Ana thursday 9pm my time",
            "\"summary\":\"Call with Ana\"",
        ),
    ];
    let mut around = MessageContext::new();
    around.directive("person Ana Ruiz");
    let mut wrong = Vec::new();
    for (request, part) in table {
        let said = around.utterance(request);
        let got = rendered(&Embedded.plan(&said, &Embedded.route(&said)));
        if !got.contains(part) || got.lines().count() > 1 {
            wrong.push(format!("{request}\n  wanted {part}\n  got    {got}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
