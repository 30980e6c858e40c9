use super::*;
use adjutant_domain::{
    focus::Focus,
    named::{NameOf, Named},
    reading::Utterance,
    record::Kind,
    settings::Settings,
    source::Taint,
    tool::ToolSpec,
};
#[test]
fn probe() {
    let Ok(path) = std::env::var("PROBE") else {
        return;
    };
    let now: jiff::Zoned = "2026-03-11T09:00:00-04:00[America/New_York]"
        .parse()
        .unwrap();
    let (settings, focus) = (Settings::default(), Focus::default());
    let tools: Vec<ToolSpec> =
        serde_json::from_str(&std::fs::read_to_string("/tmp/specs.json").unwrap()).unwrap();
    let all: Vec<(String, String, Option<String>)> =
        serde_json::from_str(&std::fs::read_to_string("/tmp/names.json").unwrap()).unwrap();
    let people: Vec<(String, Vec<String>)> = all
        .iter()
        .filter(|n| n.0 == "contact")
        .map(|n| (n.1.clone(), vec![]))
        .collect();
    for line in std::fs::read_to_string(path).unwrap().lines() {
        let words: Vec<String> = adjutant_text::words(line)
            .iter()
            .map(|w| adjutant_text::stem(w))
            .collect();
        let names: Vec<Named> = all
            .iter()
            .enumerate()
            .filter(|(_, n)| {
                adjutant_text::words(&n.1)
                    .iter()
                    .any(|w| w.len() > 2 && words.contains(&adjutant_text::stem(w)))
            })
            .map(|(i, n)| Named {
                of: NameOf::Record {
                    kind: match n.0.as_str() {
                        "event" => Kind::Event,
                        "task" => Kind::Task,
                        "note" => Kind::Note,
                        "mail" => Kind::Mail,
                        _ => Kind::Contact,
                    },
                    id: format!("{}_{i}", n.0).as_str().into(),
                },
                label: n.1.clone(),
                when: n
                    .2
                    .as_ref()
                    .map(|d| adjutant_domain::moment::Moment::Day(d.parse().unwrap())),
                taint: Taint::Clean,
            })
            .collect();
        let said = Utterance {
            text: line,
            now: &now,
            settings: &settings,
            focus: &focus,
            history: &[],
            people: &people,
            names: &names,
            tools: &tools,
        };
        let lattice = lattice::Lattice::read(line, &said).unwrap();
        let mut chart = chart::Chart::new(&lattice, lattice.len());
        let frames: Vec<usize> = (0..grammar::GRAMMAR.categories.len())
            .filter(|n| grammar::GRAMMAR.categories[*n].tool.is_some())
            .collect();
        let begun = std::time::Instant::now();
        let found = chart.requests(0, &frames);
        println!(
            "== {line}  ({:?}) {} {}",
            begun.elapsed(),
            found.len(),
            if plan(&said).is_some() { "SURE" } else { "-" }
        );
        for b in found.iter().take(3) {
            println!(
                "   {:.2} {} {}",
                b.score,
                show(b, &lattice),
                match compile::steps(&lattice, b, &[], 0) {
                    Ok(_) => String::new(),
                    Err(e) => format!("UNFIT {}", e.0),
                }
            );
        }
        for sequence in clauses::sequences(&lattice).iter().take(3) {
            println!("   -> {:.2}", sequence.score);
            for c in &sequence.requests {
                for step in &c.steps {
                    println!(
                        "      {} {} {} {}",
                        c.frame.category().name,
                        step.tool,
                        step.args,
                        step.question
                            .as_ref()
                            .map_or(String::new(), |q| q.text.clone())
                    );
                }
            }
        }
    }
}
fn show(b: &binding::Binding, l: &lattice::Lattice<'_>) -> String {
    let mut out = b.category().name.to_string();
    for (role, v) in &b.roles {
        out += &format!(
            " {role}={}",
            match v {
                binding::Value::Text(t) => format!(
                    "“{}”",
                    t.iter()
                        .map(|r| l.slice(r.clone()))
                        .collect::<Vec<_>>()
                        .join(" ")
                ),
                binding::Value::Filler(_, r) => format!("<{}>", l.slice(r.clone())),
                binding::Value::Constant(c) => (*c).to_string(),
                binding::Value::Inner(i) => format!("[{}]", show(i, l)),
            }
        );
    }
    if !b.left.is_empty() {
        out += &format!(
            " LEFT {}",
            b.left
                .iter()
                .map(|t| l.word(*t))
                .collect::<Vec<_>>()
                .join(" ")
        );
    }
    out
}
