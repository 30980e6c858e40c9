//! Plain text of bytes: pages, PDF, documents, text. Pure, and bounded in what comes out; whoever calls runs it beside
//! everything else and with a deadline ([`crate::pages`]).

mod charset;
mod docx;
mod html;
mod layout;
mod nesting;
mod pdf;
mod pdf_check;

pub use charset::decode;

use adjutant_domain::ports::web::SNAPSHOT_BYTES_MAX;

/// Characters of a title.
const TITLE_CHARS_MAX: usize = 300;

/// What bytes are read as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Media {
    /// A page.
    Html,
    /// PDF.
    Pdf,
    /// A document of a word processor (Office Open XML).
    Docx,
    /// Text, Markdown and other text that is shown as it is.
    Text,
}

/// What was read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Extracted {
    /// Title; empty where there is none.
    pub title: String,
    /// Plain text, paragraphs apart by an empty line.
    pub text: String,
    /// Whether the end is missing.
    pub cut: bool,
}

/// Why there is no text.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoText {
    /// It holds none, or none that can be read: a scan, a password, a damaged file.
    #[error("{0}")]
    Unreadable(&'static str),
    /// Unpacked it is too large.
    #[error("it is too large when it is unpacked")]
    Bomb,
}

impl Media {
    /// The media type it stands for.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Html => "text/html",
            Self::Pdf => "application/pdf",
            Self::Docx => "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
            Self::Text => "text/plain",
        }
    }

    /// Bytes that are read of it.
    #[must_use]
    pub fn bytes_max(self) -> usize {
        match self {
            Self::Html | Self::Text => 5 * 1024 * 1024,
            Self::Pdf | Self::Docx => 20 * 1024 * 1024,
        }
    }

    /// By the ending of a file's name; none for what is not read.
    #[must_use]
    pub fn of_name(name: &str) -> Option<Self> {
        let (_, ending) = name.rsplit_once('.')?;
        match ending.to_ascii_lowercase().as_str() {
            "html" | "htm" | "xhtml" => Some(Self::Html),
            "pdf" => Some(Self::Pdf),
            "docx" => Some(Self::Docx),
            "txt" | "text" | "md" | "markdown" | "rst" | "org" | "adoc" | "tex" => Some(Self::Text),
            _ => None,
        }
    }

    /// By what a server calls it and how it begins; the type of what is not read as the error.
    ///
    /// # Errors
    /// When it is a picture, a program or something else without text.
    pub fn of(declared: Option<&str>, bytes: &[u8]) -> Result<Self, String> {
        let declared = declared.unwrap_or_default().split(';').next();
        let declared = declared.unwrap_or_default().trim().to_ascii_lowercase();
        match declared.as_str() {
            "application/pdf" | "application/x-pdf" => Ok(Self::Pdf),
            "text/html" | "application/xhtml+xml" => Ok(Self::Html),
            "" | "application/octet-stream" | "binary/octet-stream" | "application/unknown" => {
                sniff(bytes).ok_or_else(|| "application/octet-stream".into())
            }
            named if named == Self::Docx.name() => Ok(Self::Docx),
            named if named.starts_with("text/") || is_textual(named) => Ok(Self::Text),
            other => Err(other.chars().take(100).collect()),
        }
    }
}

fn is_textual(named: &str) -> bool {
    let named = named.strip_prefix("application/");
    named.is_some_and(|rest| {
        matches!(rest, "json" | "xml" | "yaml" | "x-yaml" | "toml")
            || rest.ends_with("+json")
            || rest.ends_with("+xml")
    })
}

/// Bytes looked at to tell what something is.
const SNIFFED_BYTES: usize = 1_024;

fn sniff(bytes: &[u8]) -> Option<Media> {
    let head = &bytes[..bytes.len().min(SNIFFED_BYTES)];
    if head.starts_with(b"%PDF-") {
        return Some(Media::Pdf);
    }
    let lower = head.to_ascii_lowercase();
    let start = lower.trim_ascii_start();
    let page = ["<!doctype html", "<html", "<head", "<body"];
    if page.iter().any(|tag| start.starts_with(tag.as_bytes())) {
        return Some(Media::Html);
    }
    (!head.is_empty() && !head.contains(&0)).then_some(Media::Text)
}

/// Makes plain text of bytes. Any bytes are taken; no more than [`SNAPSHOT_BYTES_MAX`] bytes of text come out.
///
/// # Errors
/// When there is no text in them.
pub fn extract(bytes: &[u8], media: Media, charset: Option<&str>) -> Result<Extracted, NoText> {
    let read = match media {
        Media::Html => html::read(&decode(bytes, charset, true)),
        Media::Pdf => pdf::read(bytes)?,
        Media::Docx => docx::read(bytes)?,
        Media::Text => Extracted {
            text: layout::tidy(&decode(bytes, charset, false)),
            ..Extracted::default()
        },
    };
    let read = bounded(read);
    if read.text.trim().is_empty() {
        return Err(NoText::Unreadable("there is no text in it"));
    }
    Ok(read)
}

/// The same within the limits of a snapshot.
pub(crate) fn bounded(mut read: Extracted) -> Extracted {
    if read.text.len() > SNAPSHOT_BYTES_MAX {
        let end = (0..=SNAPSHOT_BYTES_MAX).rev();
        let end = end.into_iter().find(|at| read.text.is_char_boundary(*at));
        read.text.truncate(end.unwrap_or_default());
        read.cut = true;
    }
    read.title = layout::line(&read.title, TITLE_CHARS_MAX);
    read
}
