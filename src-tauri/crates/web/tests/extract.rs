//! Properties of extracting text: any bytes are accepted, nothing panics, and the output is bounded.

use adjutant_domain::ports::web::SNAPSHOT_BYTES_MAX;
use adjutant_web::text::{Media, extract};
use proptest::prelude::*;

const ALL: [Media; 4] = [Media::Html, Media::Pdf, Media::Docx, Media::Text];

fn holds(bytes: &[u8]) {
    for media in ALL {
        if let Ok(read) = extract(bytes, media, None) {
            assert!(read.text.len() <= SNAPSHOT_BYTES_MAX);
            assert!(!read.text.trim().is_empty());
            let odd = |c: char| c.is_control() && c != '\n' && c != '\t';
            assert!(!read.text.contains(odd) && !read.title.contains(char::is_control));
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn reads_any_bytes(bytes in proptest::collection::vec(any::<u8>(), 0..4_000)) {
        holds(&bytes);
    }

    #[test]
    fn anything_like_a_page(page in "(<(p|div|table|tr|td|b|h1|ul|li|a|article|svg|math|template|select|style|!--|/p|/div|/table|/b)[ a-z=\"]{0,9}>|[a-zé&;#0 \n]{0,9}){0,200}") {
        holds(page.as_bytes());
    }

    #[test]
    fn anything_like_a_pdf(inner in "(1 0 obj|<<|>>|/Type /Page|/Kids \\[1 0 R\\]|/Parent 1 0 R|stream\n|endstream|endobj|xref|trailer|/Root 1 0 R|[0-9 ]{1,4}|\n){0,80}") {
        holds(format!("%PDF-1.4\n{inner}\n%%EOF").as_bytes());
    }
}

#[test]
fn cuts_large_text_and_says_so() {
    let long = "Straße und Turm. ".repeat(200_000);
    for (media, bytes) in [
        (Media::Text, long.clone()),
        (Media::Html, format!("<p>{long}</p>")),
    ] {
        let read = extract(bytes.as_bytes(), media, None).expect("read");
        assert!(
            read.cut && read.text.len() <= SNAPSHOT_BYTES_MAX,
            "{media:?}"
        );
    }
}
