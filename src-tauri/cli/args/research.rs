//! The arguments of `research`.

use clap::{Subcommand, ValueEnum};

/// Research.
#[derive(Debug, Subcommand)]
pub(crate) enum ResearchCommand {
    /// Start research. It asks for anything it still needs to know.
    Start {
        /// What you want to find out.
        #[arg(num_args = 0.., value_name = "TEXT", required_unless_present = "deeper")]
        text: Vec<String>,
        /// What it is for.
        #[arg(long, value_name = "TEXT")]
        why: Option<String>,
        /// What a good result looks like. Can be repeated.
        #[arg(long, value_name = "TEXT")]
        success: Vec<String>,
        /// Where to look: web, own (your documents, notes, mail and memory) or both.
        #[arg(long, value_enum)]
        sources: Option<Where>,
        /// Go deeper into a claim of earlier research, given as its ID and the number of the claim, such as res_1:2.
        #[arg(long, value_name = "ID:NUMBER")]
        deeper: Option<String>,
        /// Repeat it every week.
        #[arg(long)]
        weekly: bool,
        /// Do not wait for the result; the work continues while Adjutant runs.
        #[arg(long)]
        detach: bool,
    },
    /// Answer a question that research asked you.
    Answer {
        /// ID of the research.
        id: String,
        /// The answer.
        #[arg(required = true, num_args = 1.., value_name = "TEXT")]
        text: Vec<String>,
        /// Do not wait for the result.
        #[arg(long)]
        detach: bool,
    },
    /// List all research, newest first.
    List,
    /// Show one in full, with its report.
    Show {
        /// ID of the research.
        id: String,
    },
    /// Stop research; you can resume it.
    Stop {
        /// ID of the research.
        id: String,
    },
    /// Resume research and follow it.
    Resume {
        /// ID of the research.
        id: String,
        /// Do not wait for the result.
        #[arg(long)]
        detach: bool,
    },
    /// Write the report now, with what was found so far.
    WriteNow {
        /// ID of the research.
        id: String,
    },
    /// Repeat research every week.
    Repeat {
        /// ID of the research.
        id: String,
        /// Stop repeating it.
        #[arg(long)]
        off: bool,
    },
    /// Print the report as a file.
    Export {
        /// ID of the research.
        id: String,
        /// Format: md, html, bib, csl or json; pdf explains how to make one.
        #[arg(long, value_enum, default_value = "md")]
        format: Format,
    },
    /// Show what changed between two reports.
    Compare {
        /// ID of the earlier research.
        before: String,
        /// ID of the later research.
        after: String,
    },
}

/// Where to look.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Where {
    /// On the web, with your search engine.
    Web,
    /// On this computer; no search leaves it.
    Own,
    /// In both.
    Both,
}

/// Formats of a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// Markdown.
    Md,
    /// One HTML file.
    Html,
    /// Sources as BibTeX.
    Bib,
    /// Sources as CSL-JSON.
    Csl,
    /// The brain document.
    Json,
    /// Instructions for printing the report to PDF.
    Pdf,
}
