use super::*;
use proptest::prelude::*;

fn words(source: &str) -> Vec<String> {
    Text::read(source)
        .tokens
        .into_iter()
        .map(|t| t.word)
        .collect()
}

#[test]
fn contractions_and_shorthand_become_words() {
    assert_eq!(words("Don't"), ["do", "not"]);
    assert_eq!(words("whats up"), ["what", "is", "up"]);
    assert_eq!(
        words("I'll e-mail Bob's boss"),
        ["i", "will", "email", "bob", "'s", "boss"]
    );
    assert_eq!(words("let’s go pls"), ["let", "us", "go", "please"]);
    assert_eq!(words("my todo list"), ["my", "to", "do", "list"]);
}

#[test]
fn numbers_paths_and_addresses_stay_whole() {
    assert_eq!(
        words("1,250.50 at 9:30, the 2nd"),
        ["1250.50", "at", "9:30", ",", "the", "2nd"]
    );
    assert_eq!(
        words("mail ana@example.org."),
        ["mail", "ana@example.org", "."]
    );
    assert_eq!(words("open ~/docs/a b.pdf"), ["open", "~/docs/a", "b.pdf"]);
    assert_eq!(words("15% of $240"), ["15", "%", "of", "$", "240"]);
}

#[test]
fn spans_point_into_the_original() {
    let source = "Ｓｃｈｅｄｕｌｅ  Zoë’s «Big day» – ok";
    let text = Text::read(source);
    for token in &text.tokens {
        assert!(source.get(token.span.clone()).is_some(), "{token:?}");
    }
    assert_eq!(text.tokens[0].word, "schedule");
    assert_eq!(text.tokens[1].word, "zoe");
    assert_eq!(&source[text.quotes[0].inner.clone()], "Big day");
}

#[test]
fn apostrophes_do_not_quote() {
    let text = Text::read("my parents' house and Bob's car, I'm sure");
    assert!(text.quotes.is_empty(), "{:?}", text.quotes);
}

#[test]
fn quotes_of_every_kind_are_found() {
    for source in [
        "say 'Got it, thanks!' now",
        "say \"Got it, thanks!\" now",
        "say “Got it, thanks!” now",
    ] {
        let text = Text::read(source);
        let inner: Vec<_> = text
            .quotes
            .iter()
            .map(|q| &source[q.inner.clone()])
            .collect();
        assert_eq!(inner, ["Got it, thanks!"], "{source}");
        assert_eq!(text.sentences.len(), 1, "{source}");
    }
}

#[test]
fn sentences_split_at_ends_and_lines() {
    let count = |source| Text::read(source).sentences.len();
    assert_eq!(
        count("Book it for 3.30 p.m. with Dr. Lee. Then mail me!"),
        2
    );
    assert_eq!(count("first line\nsecond line"), 2);
    assert_eq!(count("is it 5.2?"), 1);
}

#[test]
fn other_languages_are_recognised() {
    for other in [
        "¿Qué tengo en el calendario mañana?",
        "Wann ist mein nächster Termin, bitte?",
        "今日の予定は？",
        "Quelle heure est-il pour vous",
        "покажи мои встречи",
    ] {
        assert_eq!(language(&Text::read(other)), Language::Other, "{other}");
    }
    for english in [
        "schedule lunch with José at La Crêperie",
        "5 + 7",
        "convert PST to EST",
        "meeting 10am",
        "",
        "α + β",
    ] {
        assert_eq!(
            language(&Text::read(english)),
            Language::English,
            "{english}"
        );
    }
}

#[test]
fn one_edit_is_one_edit() {
    for (a, b, near) in [
        ("meeting", "meting", true),
        ("calendar", "calender", true),
        ("email", "emial", true),
        ("email", "mail", true),
        ("email", "male", false),
        ("task", "tasks", true),
        ("ab", "ba", true),
        ("abc", "bca", false),
    ] {
        assert_eq!(typo::within_one_edit(a, b), near, "{a} {b}");
    }
}

#[test]
fn fillers_have_no_errors_and_are_skipped() {
    assert_eq!(filler::data_errors(), Vec::<String>::new());
    for (source, first) in [
        ("Hey, could you please delete it", "delete"),
        ("I need you to send this", "send"),
        ("can you help me find Bob", "find"),
        ("would you be able to move it", "move"),
    ] {
        let text = Text::read(source);
        assert_eq!(text.tokens[core_start(&text, 0)].word, first, "{source}");
    }
}

proptest! {
    #[test]
    fn any_text_reads_and_spans_hold(source in ".{0,400}") {
        let text = Text::read(&source);
        for token in &text.tokens {
            prop_assert!(source.get(token.span.clone()).is_some());
        }
        let covered: usize = text.sentences.iter().map(|s| s.len()).sum();
        prop_assert_eq!(covered, text.tokens.len());
        let _ = language(&text);
    }

    #[test]
    fn quotes_and_marks_do_not_confuse(source in "['\"“”a-c .!?,\n0-9:$%@/-]{0,200}") {
        let text = Text::read(&source);
        for quote in &text.quotes {
            prop_assert!(source.get(quote.inner.clone()).is_some());
        }
    }
}
