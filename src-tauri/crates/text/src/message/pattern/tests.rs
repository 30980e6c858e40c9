use super::*;
use crate::message::{Text, filler};

const TABLE: &str = "
@meeting = meeting | appointment | stand up
4! (schedule | book) [a] .. @meeting
3 ^ remind me to {>}
2 add {..} to my list
1 how are you <end>
1 <num> \\% of
1 =note down
1 \\$ <num>
";

fn hits(source: &str) -> Vec<String> {
    let (set, errors) = Builder::default().file(0, TABLE).build();
    assert_eq!(errors, Vec::<String>::new());
    let text = Text::read(source);
    let mut line = set.line(&text, 500);
    filler::mark(&text, &mut line);
    set.find(&line)
        .into_iter()
        .map(|hit| {
            let cells = &line.cells[hit.cells.clone()];
            let tokens = cells[0].tokens.start..cells[cells.len() - 1].tokens.end;
            text.slice(tokens).to_owned()
        })
        .collect()
}

#[test]
fn patterns_fit_where_they_should() {
    for (source, expected) in [
        (
            "please schedule a quick stand-up",
            vec!["schedule a quick stand-up"],
        ),
        ("booked an appointment", vec!["booked an appointment"]),
        ("book it. A meeting", vec![]),
        (
            "could you remind me to add x to my list",
            vec!["remind me to", "add x to my list"],
        ),
        ("she will remind me to go", vec![]),
        ("how are you today?", vec!["how are you"]),
        ("how are you spelling it", vec![]),
        ("15% of it", vec!["15% of"]),
        ("notes down", vec![]),
        ("$5", vec!["$5"]),
    ] {
        assert_eq!(hits(source), expected, "{source}");
    }
}

#[test]
fn bad_lines_are_reported() {
    let (_, errors) = Builder::default()
        .file(0, "x no weight\n1 (open\n1 @nowhere\n1 <what>\n1 [maybe]")
        .build();
    assert_eq!(errors.len(), 5, "{errors:?}");
}

#[test]
fn misspelled_words_are_corrected_only_when_unknown() {
    assert_eq!(hits("shcedule a meting"), vec!["shcedule a meting"]);
    assert_eq!(hits("book a meaning"), Vec::<String>::new());
}
