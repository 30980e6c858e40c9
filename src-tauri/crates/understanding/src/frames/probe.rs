use super::*;
#[test]
fn probe() {
    let Ok(path) = std::env::var("PROBE") else {
        return;
    };
    let now: jiff::Zoned = "2026-03-11T09:00:00-04:00[America/New_York]"
        .parse()
        .unwrap();
    let settings = adjutant_domain::settings::Settings::default();
    let focus = adjutant_domain::focus::Focus::default();
    let tools: Vec<adjutant_domain::tool::ToolSpec> =
        serde_json::from_str(&std::fs::read_to_string("/tmp/specs.json").unwrap()).unwrap();
    let people: Vec<(String, Vec<String>)> = [
        "Sarah Chen",
        "Tom Baker",
        "Emily Carter",
        "Hannah Weiss",
        "Luis Ortega",
        "Priya Patel",
        "Carlos Diaz",
        "Marcus Lee",
    ]
    .iter()
    .map(|n| ((*n).to_string(), vec![]))
    .collect();
    for line in std::fs::read_to_string(path).unwrap().lines() {
        let said = adjutant_domain::reading::Utterance {
            text: line,
            now: &now,
            settings: &settings,
            focus: &focus,
            history: &[],
            people: &people,
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
