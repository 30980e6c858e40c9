//! Requests about notes, lists, memory and the address book, each with the call it becomes.

use adjutant_domain::focus::{Focus, Referent, Shown};
use adjutant_domain::reading::{Reading, Utterance};
use adjutant_domain::record::Kind;
use adjutant_domain::settings::Settings;
use adjutant_domain::tool::ToolSpec;
use serde_json::{Value, json};

use super::super::decide::plan;
use crate::fixture::named;

/// A tool whose arguments are of the types named: `text`, `texts`, `yes`, or those of a nested object.
fn tool(name: &str, arguments: &Value) -> ToolSpec {
    let asked = [
        "list", "count", "any", "when", "text", "phone", "email", "birthday", "age",
    ];
    let asked = asked.map(|word| json!({"const": word}));
    let spec = json!({
        "name": name, "domain": "note", "description": "", "risk": "read", "phrases": [], "participle": "done",
        "schema": {"type": "object", "properties": properties(arguments), "$defs": {
            "Moment": {"type": "string"},
            "Ask": {"oneOf": asked},
        }},
    });
    serde_json::from_value(spec).expect("a tool")
}

fn properties(arguments: &Value) -> Value {
    let fields = arguments.as_object().expect("arguments").iter();
    let typed = fields.map(|(name, kind)| {
        let schema = match kind.as_str() {
            Some("texts") => json!({"type": "array", "items": {"type": "string"}}),
            Some("yes") => json!({"type": "boolean"}),
            Some("moment") => json!({"$ref": "#/$defs/Moment"}),
            Some("ask") => json!({"$ref": "#/$defs/Ask"}),
            Some(_) => json!({"type": "string"}),
            None => json!({"type": "object", "properties": properties(kind)}),
        };
        (name.clone(), schema)
    });
    Value::Object(typed.collect())
}

fn tools() -> Vec<ToolSpec> {
    let note = json!({"text": "text", "title": "text", "title_is": "text", "pick": "text", "order": "text", "changed_from": "moment",
        "changed_to": "moment", "ask": "ask"});
    let contact = json!({"name": "text", "text": "text", "organisation": "text", "pick": "text", "ask": "ask",
        "birthday_from": "moment", "birthday_to": "moment"});
    let memory = json!({"text": "text", "key": "text", "pick": "text"});
    [
        ("note.create", json!({"title": "text", "body": "text"})),
        ("note.append", json!({"id": "text", "target": note, "title": "text", "text": "text", "items": "texts", "create": "yes"})),
        ("note.update", json!({"id": "text", "target": note, "changes": {"title": "text", "remove_lines": "texts", "check": "texts",
            "uncheck": "texts", "add_tags": "texts"}})),
        ("note.read", json!({"id": "text", "target": note})),
        ("note.list", note.clone()),
        ("note.search", json!({"text": "text"})),
        ("note.delete", json!({"id": "text", "target": note})),
        ("memory.store", json!({"key": "text", "value": "text", "adds": "yes"})),
        ("memory.forget", json!({"id": "text", "target": memory})),
        ("memory.search", memory),
        ("contact.find", contact.clone()),
        ("contact.create", json!({"name": "text", "emails": "texts", "phones": "texts", "organisation": "text"})),
        ("contact.update", json!({"target": contact, "changes": {"phone": "text", "email": "text", "add_phones": "texts",
            "add_emails": "texts", "organisation": "text", "relation": "text"}})),
        ("file.search", json!({"text": "text", "name": "text"})),
    ]
    .map(|(name, arguments)| tool(name, &arguments))
    .into()
}

/// What a message becomes: the tool, its arguments, and what is asked.
fn read(text: &str, focus: &Focus) -> String {
    let now: jiff::Zoned = "2026-05-06T10:00:00+02:00[Europe/Paris]"
        .parse()
        .expect("a time");
    let people = ["Ana Ruiz", "Will Kent"].map(|name| (name.to_owned(), Vec::new()));
    let names = ["Packing list", "Garden"].map(|title| named(Kind::Note, title, title));
    let said = Utterance {
        text,
        now: &now,
        settings: &Settings::default(),
        focus,
        history: &[],
        people: &people,
        roles: &[],
        names: &names,
        tools: &tools(),
    };
    let Some(Reading::Plan { plan, .. }) = plan(&said) else {
        return "-".to_owned();
    };
    let steps = plan.steps.iter().map(|step| {
        let asked = step
            .question
            .as_ref()
            .map(|asked| format!(" ? {}", asked.text));
        format!("{} {}{}", step.tool, step.args, asked.unwrap_or_default())
    });
    steps.collect::<Vec<_>>().join(" + ")
}

/// Checks that each line's message becomes what stands behind it.
fn check(table: &str, focus: &Focus) {
    let mut wrong = Vec::new();
    for line in table.trim().lines() {
        let (text, wanted) = line.split_once(" | ").expect("a row");
        let got = read(text, focus);
        if got != wanted {
            wrong.push(format!("{text} | {got}"));
        }
    }
    assert!(wrong.is_empty(), "\n{}\n", wrong.join("\n"));
}

fn shown(kind: Kind, id: &str) -> Focus {
    let mut focus = Focus::default();
    focus.push(Shown {
        items: vec![Referent {
            kind,
            id: id.into(),
            instance: None,
            label: id.to_owned(),
            people: Vec::new(),
        }],
        acted: false,
    });
    focus
}

#[test]
fn notes_are_written() {
    check(
        r#"
note that the gate sticks | note.create {"body":"The gate sticks"}
write down: paint code 6019 | note.create {"body":"Paint code 6019"}
jot this down for me: Ana likes the blue one | note.create {"body":"Ana likes the blue one"}
take a note titled Wine: Rioja, Barolo | note.create {"body":"Rioja, Barolo","title":"Wine"}
make a note called Shed with "two hinges, one lock" | note.create {"body":"two hinges, one lock","title":"Shed"}
new note called Roof | note.create {"title":"Roof"}
note: rent goes up in June | note.create {"body":"Rent goes up in June"}
write down the number of the plumber | contact.find {"name":"plumber","pick":"one"} + note.create {"body":{"$from":"s1","path":"/items/0/phones/0"}}
note to Will about the roof | -
"#,
        &Focus::default(),
    );
}

#[test]
fn lists_are_kept() {
    check(
        r#"
make a grocery list with oats, figs and rye bread | note.create {"body":"- oats\n- figs\n- rye bread","title":"Grocery list"}
start a list called Errands | note.create {"title":"Errands"}
add figs to my grocery list | note.append {"create":true,"text":"figs","title":"Grocery list"}
put oats and figs on the packing list | note.append {"items":["oats","figs"],"target":{"pick":"one","title_is":"Packing list"},"text":"oats and figs"}
add "call the shop" to the Garden note | note.append {"target":{"pick":"one","title_is":"Garden"},"text":"call the shop"}
add Ana's phone number to the Garden note | contact.find {"name":"Ana","pick":"one"} + note.append {"target":{"pick":"one","title_is":"Garden"},"text":{"$from":"s1","path":"/items/0/phones/0"}}
add buy stamps to my todo list | -
add it to the Garden note | -
take figs off the grocery list | note.update {"changes":{"remove_lines":["figs"]},"target":{"pick":"one","title":"grocery list"}}
tick off oats on the packing list | note.update {"changes":{"check":["oats"]},"target":{"pick":"one","title":"packing list"}}
rename the Garden note to Yard | note.update {"changes":{"title":"Yard"},"target":{"pick":"one","title_is":"Garden"}}
delete the packing list | note.delete {"target":{"pick":"one","title_is":"Packing list"}}
delete the note about the roof | note.delete {"target":{"pick":"one","text":"roof"}}
"#,
        &Focus::default(),
    );
    check(
        r#"
take the figs off again | note.update {"changes":{"remove_lines":["figs"]},"id":"note_list"}
remove oats from it | note.update {"changes":{"remove_lines":["oats"]},"id":"note_list"}
add tea to it | note.append {"id":"note_list","text":"tea"}
"#,
        &shown(Kind::Note, "note_list"),
    );
}

#[test]
fn facts_are_kept_and_forgotten() {
    check(
        r#"
my bike lock code is 4411 | memory.store {"key":"bike lock code","value":"4411"}
my favourite tea is oolong | memory.store {"key":"favourite tea","value":"oolong"}
my day was long | -
my knee is killing me | -
is my bike lock code 4411 | -
remember that Ana likes lilies | memory.store {"adds":true,"key":"what Ana likes","value":"lilies"}
can you remember I take my tea with milk | memory.store {"key":"tea","value":"I take my tea with milk"}
keep in mind that I don't eat fish | memory.store {"adds":true,"key":"what I don't eat","value":"fish"}
I'm allergic to cats | memory.store {"adds":true,"key":"allergic to cats","value":"allergic to cats"}
my hat size is 58, remember that | memory.store {"key":"hat size","value":"58"}
for future reference: the fuse box is in the cellar | memory.store {"key":"fuse box","value":"in the cellar"}
remember to buy milk | -
save this: alarm code 9921 | memory.store {"key":"alarm code","value":"9921"}
forget my bike lock code | memory.forget {"target":{"pick":"one","text":"bike lock code"}}
forget what I told you about Ana | memory.forget {"target":{"pick":"all","text":"Ana"}}
"#,
        &Focus::default(),
    );
    check(
        r#"forget it | memory.forget {"id":"mem_1"}"#,
        &shown(Kind::Memory, "mem_1"),
    );
}

#[test]
fn people_are_added_changed_and_asked_about() {
    check(
        r#"
add a contact: Olga Brand, olga@brand.example, 555 0177 234 | contact.create {"emails":["olga@brand.example"],"name":"Olga Brand","phones":["555 0177 234"]}
add Jonas Beck to my contacts, his number is +49 170 1234567 | contact.create {"name":"Jonas Beck","phones":["+49 170 1234567"]}
save Mia Holt's number: 07700 900123 | contact.create {"name":"Mia Holt","phones":["07700 900123"]}
change Ana's phone number to 555 019 9911 | contact.update {"changes":{"phone":"555 019 9911"},"target":{"name":"Ana"}}
Ana's new email is ana@new.example | contact.update {"changes":{"email":"ana@new.example"},"target":{"name":"Ana"}}
add a second number for Will: 555 010 2020 | contact.update {"changes":{"add_phones":["555 010 2020"]},"target":{"name":"Will"}}
when is Ana's birthday | contact.find {"ask":"birthday","name":"Ana"}
how old is Will | contact.find {"ask":"age","name":"Will"}
whose birthday is next | contact.find {"ask":"birthday"}
who has a birthday this month | contact.find {"ask":"birthday","birthday_from":"2026-05-01","birthday_to":"2026-06-01"}
what's Will's phone number | contact.find {"ask":"phone","name":"Will"}
what did I write about the roof | note.list {"ask":"text","text":"roof"}
what's on my packing list | note.read {"target":{"pick":"one","title":"packing list"}}
which notes mention hinges | note.search {"text":"hinges"}
what's the rent in the lease document | file.search {"name":"lease","text":"rent"}
"#,
        &Focus::default(),
    );
}
