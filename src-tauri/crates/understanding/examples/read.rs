//! Reads messages, one a line, and prints how they are planned: `cargo run --example read < messages.txt`.

use std::io::BufRead;

use adjutant_domain::focus::Focus;
use adjutant_domain::reading::{Reading, Utterance};
use adjutant_domain::route::{Route, RouteKind};
use adjutant_domain::settings::Settings;
use adjutant_understanding::plan;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let now: jiff::Zoned = "2023-11-30T00:00:00+00:00[UTC]".parse()?;
    let settings = Settings::default();
    let focus = Focus::default();
    let names = "Aisha Chen,Akira Sato,Amir Ali,Anaya Patel,Carlos Rodriguez,Chenwei Zhang,Dmitri Ivanov,Fatima Khan,Jinsoo Kim,Kofi Mensah,Leila Azizi,Lena Schmidt,Luis Ortiz,Nadia Moreau,Nia Johnson,Olga Petrova,Raj Patel,Santiago Martinez,Sofia Santos,Yuki Tanaka";
    let people: Vec<(String, Vec<String>)> = names.split(',').map(|name| (name.to_owned(), vec![format!("{}@atlas.com", name.to_lowercase().replace(' ', "."))])).collect();
    for line in std::io::stdin().lock().lines() {
        let text = line?;
        let utterance = Utterance { text: &text, now: &now, settings: &settings, focus: &focus, history: &[], people: &people, tools: &[] };
        let route = Route { kind: RouteKind::Action, domains: Vec::new(), is_followup: false, confidence: 1.0, by: "embedded".into() };
        println!("> {text}");
        match plan::plan(&utterance, &route) {
            Reading::Plan { plan, .. } => {
                println!("  = {}", plan.request);
                for step in plan.steps {
                    let when = step.when.map_or_else(String::new, |when| format!(" when {}", serde_json::to_string(&when).unwrap_or_default()));
                    let each = step.each.map_or_else(String::new, |each| format!(" each {}{}", each.from, each.path));
                    let question = step.question.map_or_else(String::new, |question| format!(" ? {} {}", question.slot, question.text));
                    println!("  {} {} {}{when}{each}{question}", step.key, step.tool, step.args);
                }
            }
            Reading::Say { text, .. } => println!("  say: {text}"),
            Reading::NotUnderstood { text, .. } => println!("  NOT: {text}"),
        }
    }
    Ok(())
}
