//! Which mails are meant: how many, whose, of when, holding what, and all but which.

use adjutant_domain::focus::Focus;

use super::mail_tools::{check, steps};

#[test]
fn so_many_of_them() {
    check(
        r#"
delete the two newest mails from Kim | email.delete | {"target": {"from": ["Kim"], "limit": 2, "order": "-date", "pick": "all"}}
archive Will's last three emails | email.archive | {"target": {"from": ["Will"], "limit": 3, "order": "-date", "pick": "all"}}
delete my five oldest messages | email.delete | {"target": {"limit": 5, "order": "date", "pick": "all"}}
star both mails from Petra | email.mark | {"starred": true, "target": {"from": ["Petra"], "pick": {"exactly": 2}}}
delete the second mail from Ana about the fence | email.delete | {"target": {"from": ["Ana"], "order": "date", "pick": {"nth": 2}, "subject": "fence"}}
delete all but the last two emails from Will | email.delete | {"target": {"except": [{"from": ["Will"], "limit": 2, "order": "-date", "pick": "all"}], "from": ["Will"], "pick": "all"}}
archive all but the latest mail from Kim | email.archive | {"target": {"except": [{"from": ["Kim"], "order": "-date", "pick": "first"}], "from": ["Kim"], "pick": "all"}}
delete all my mails | email.delete | {"target": {"pick": "all"}}
"#,
        &Focus::default(),
    );
}

#[test]
fn by_when_they_came_and_what_was_done_with_them() {
    check(
        r#"
delete every mail I got before March | email.delete | {"target": {"pick": "all", "until": "2026-03-01"}}
archive the emails from Kim that came in over the weekend | email.archive | {"target": {"from": ["Kim"], "pick": "all", "since": "2026-05-02", "until": "2026-05-04"}}
delete the mails from Will that are older than last month | email.delete | {"target": {"from": ["Will"], "pick": "all", "until": "2026-04-01"}}
archive the messages from Petra that I have already read | email.archive | {"target": {"from": ["Petra"], "pick": "all", "unread": false}}
show the emails I haven't opened yet | email.search | {"ask": "list", "unread": true}
which mails did Ana send me yesterday | email.search | {"ask": "list", "from": ["Ana"], "since": "2026-05-05", "until": "2026-05-06"}
which emails did I write to Kim this week | email.search | {"ask": "list", "folder": "sent", "since": "2026-05-04", "to": ["Kim"], "until": "2026-05-11"}
delete everything Will sent me before April | email.delete | {"target": {"from": ["Will"], "pick": "all", "until": "2026-04-01"}}
delete yesterday's and today's mails from Will | email.delete | {"target": {"from": ["Will"], "pick": "all", "since": "2026-05-05", "until": "2026-05-07"}}
clear the trash | email.delete | {"target": {"folder": "trash", "pick": "all"}}
delete all the spam from Prize Club | email.delete | {"target": {"folder": "junk", "from": ["Prize Club"], "pick": "all"}}
archive my inbox | email.archive | {"target": {"folder": "inbox", "pick": "all"}}
get rid of every newsletter older than a year | email.delete | {"target": {"pick": "all", "sort": "newsletter", "until": "2025-05-06T10:00:00+02:00[Europe/Paris]"}}
"#,
        &Focus::default(),
    );
}

#[test]
fn by_what_they_hold() {
    check(
        r#"
find mails from Kim with the word anchor | email.search | {"ask": "list", "from": ["Kim"], "text": "anchor"}
delete the emails from Will containing the word raffle | email.delete | {"target": {"from": ["Will"], "pick": "all", "subject": "raffle"}}
find Petra's mail with the subject "Sails" | email.search | {"ask": "list", "from": ["Petra"], "subject": "Sails"}
show emails with "mooring" in the subject from last month | email.search | {"ask": "list", "since": "2026-04-01", "subject": "mooring", "until": "2026-05-01"}
find the mail in which Will mentioned the mooring | email.search | {"ask": "list", "from": ["Will"], "text": "mooring"}
show me messages from Kim that mention the buoy | email.search | {"ask": "list", "from": ["Kim"], "text": "buoy"}
which mails from Ana have attachments | email.search | {"ask": "list", "from": ["Ana"], "has_attachment": true}
delete the emails from Will that have no attachment | email.delete | {"target": {"from": ["Will"], "has_attachment": false, "pick": "all"}}
pull up the thread about the mooring | email.search | {"ask": "list", "text": "mooring"}
any mails from Will or Kim about the jetty? | email.search | {"ask": "any", "from": ["Will", "Kim"], "text": "jetty"}
"#,
        &Focus::default(),
    );
}

#[test]
fn all_but_some() {
    check(
        r#"
delete all emails from Will except the one about the jetty | email.delete | {"target": {"except": [{"text": "jetty"}], "from": ["Will"], "pick": "all"}}
delete all mails from Kim but keep the starred ones | email.delete | {"target": {"except": [{"starred": true}], "from": ["Kim"], "pick": "all"}}
mark all messages as read apart from Petra's | email.mark | {"read": true, "target": {"except": [{"from": ["Petra"]}], "pick": "all"}}
delete the unread emails not from Ana | email.delete | {"target": {"except": [{"from": ["Ana"]}], "pick": "all", "unread": true}}
archive everything from Kim but leave today's | email.archive | {"target": {"except": [{"since": "2026-05-06", "until": "2026-05-07"}], "from": ["Kim"], "pick": "all"}}
"#,
        &Focus::default(),
    );
}

#[test]
fn who_wrote_and_what() {
    check(
        r#"
who wrote about the mooring | email.search | {"ask": "who", "text": "mooring"}
who sent me the email about the jetty | email.search | {"ask": "who", "text": "jetty"}
who sent me the latest message | email.search | {"ask": "who", "order": "-date", "pick": "first"}
did anyone write to me about the jetty since Sunday | email.search | {"ask": "any", "since": "2026-05-03", "text": "jetty"}
has Will ever got back to me about the anchor? | email.search | {"ask": "any", "from": ["Will"], "text": "anchor"}
did Kim answer my question about the sails | email.search | {"ask": "any", "from": ["Kim"], "text": "sails"}
any attachments from Petra this week? | email.search | {"ask": "any", "from": ["Petra"], "has_attachment": true, "since": "2026-05-04", "until": "2026-05-11"}
when was the last time Kim wrote to me | email.search | {"ask": "when", "from": ["Kim"], "order": "-date", "pick": "first"}
how often did Will email me in April | email.search | {"ask": "count", "from": ["Will"], "since": "2026-04-01", "until": "2026-05-01"}
what was the last thing Ana wrote to me | email.read | {"target": {"from": ["Ana"], "order": "-date", "pick": "first"}}
what was Kim's last mail about | email.read | {"target": {"from": ["Kim"], "order": "-date", "pick": "first"}}
anything new in my inbox? | email.search | {"ask": "any", "unread": true}
check my mail for anything from Petra | email.search | {"ask": "list", "from": ["Petra"]}
count the emails from Kim last week | email.search | {"ask": "count", "from": ["Kim"], "since": "2026-04-27", "until": "2026-05-04"}
"#,
        &Focus::default(),
    );
}

#[test]
fn what_no_rule_reads_is_not_swallowed() {
    for text in [
        "delete the emails with attachments larger than 10 MB",
        "delete all emails from Ana except the boring ones",
        "delete emails from people outside the club",
        "delete emails with no subject",
        "delete some of Kim's mails",
        "archive the harbour note",
    ] {
        assert_eq!(steps(text, &Focus::default()), None, "{text}");
    }
}
