//! Extracts plain text from HTML, PDF, documents and text files. Free of side effects and bounded in output. Callers
//! run it on a separate thread with a deadline ([`crate::pages`]).

mod charset;
mod docx;
mod html;
mod layout;
mod nesting;
mod pdf;
mod pdf_check;

pub use charset::decode;

use adjutant_domain::ports::web::SNAPSHOT_BYTES_MAX;

/// Maximum number of characters in a title.
const TITLE_CHARS_MAX: usize = 300;

/// The format of the content.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Media {
    /// HTML.
    Html,
    /// PDF.
    Pdf,
    /// A word processor document (Office Open XML).
    Docx,
    /// Plain text, Markdown and similar text shown as it is.
    Text,
}

/// Extracted text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Extracted {
    /// The title; empty if there is none.
    pub title: String,
    /// Plain text with paragraphs separated by an empty line.
    pub text: String,
    /// Whether the text was cut off at the size limit.
    pub cut: bool,
}

/// Why there is no text.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoText {
    /// The content has no readable text: a scan, a locked or a damaged file.
    #[error("{0}")]
    Unreadable(&'static str),
    /// The uncompressed content exceeds the limits.
    #[error("it is too large when it is unpacked")]
    Bomb,
}

impl Media {
    /// Returns the media type.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Html => "text/html",
            Self::Pdf => "application/pdf",
            Self::Docx => "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
            Self::Text => "text/plain",
        }
    }

    /// Returns the maximum size of a file in bytes.
    #[must_use]
    pub fn bytes_max(self) -> usize {
        match self {
            Self::Html | Self::Text => 5 * 1024 * 1024,
            Self::Pdf | Self::Docx => 20 * 1024 * 1024,
        }
    }

    /// Returns the format for a file name's extension; `None` for unsupported ones.
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

    /// Determines the format from the declared media type and the first bytes.
    ///
    /// # Errors
    /// Returns the media type if it is unsupported, such as an image or a program.
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

/// Number of bytes examined to detect the format.
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

/// Extracts plain text from any bytes. Returns at most [`SNAPSHOT_BYTES_MAX`] bytes of text.
///
/// # Errors
/// Returns a fault if there is no text.
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

/// Cuts the text and title to the limits of a snapshot.
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
