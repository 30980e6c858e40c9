//! The arguments of `research`.

use clap::{Subcommand, ValueEnum};

/// Research.
#[derive(Debug, Subcommand)]
pub(crate) enum ResearchCommand {
    /// Begin one. Where something is missing it asks for that.
    Start {
        /// What shall be found out.
        #[arg(num_args = 0.., value_name = "TEXT", required_unless_present = "deeper")]
        text: Vec<String>,
        /// What it is for.
        #[arg(long, value_name = "TEXT")]
        why: Option<String>,
        /// What a good result looks like; may be given several times.
        #[arg(long, value_name = "TEXT")]
        success: Vec<String>,
        /// Where to look: web, own (your documents, notes, mail and memory) or both.
        #[arg(long, value_enum)]
        sources: Option<Where>,
        /// Go deeper into a claim of another research: its id and the number of the claim, like res_1:2.
        #[arg(long, value_name = "ID:NUMBER")]
        deeper: Option<String>,
        /// Repeat it every week.
        #[arg(long)]
        weekly: bool,
        /// Do not wait for it: it goes on when Adjutant runs.
        #[arg(long)]
        detach: bool,
    },
    /// Answer what one asks for.
    Answer {
        /// Which.
        id: String,
        /// The answer.
        #[arg(required = true, num_args = 1.., value_name = "TEXT")]
        text: Vec<String>,
        /// Do not wait for it.
        #[arg(long)]
        detach: bool,
    },
    /// All research, newest first.
    List,
    /// All of one.
    Show {
        /// Which.
        id: String,
    },
    /// Stop one; it can be resumed.
    Stop {
        /// Which.
        id: String,
    },
    /// Let one go on, and follow it.
    Resume {
        /// Which.
        id: String,
        /// Do not wait for it.
        #[arg(long)]
        detach: bool,
    },
    /// Let one write its report with what it has.
    WriteNow {
        /// Which.
        id: String,
    },
    /// Repeat one every week, or not any more.
    Repeat {
        /// Which.
        id: String,
        /// Not any more.
        #[arg(long)]
        off: bool,
    },
    /// Print the report as a file.
    Export {
        /// Which.
        id: String,
        /// In which format: md, html, bib, csl or json; pdf says how to make one.
        #[arg(long, value_enum, default_value = "md")]
        format: Format,
    },
    /// What the later of two reports says otherwise.
    Compare {
        /// The earlier one.
        before: String,
        /// The later one.
        after: String,
    },
}

/// Where to look.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Where {
    /// With the search engine that is chosen.
    Web,
    /// On this computer; nothing leaves it.
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
    /// A page to print; there is none here.
    Pdf,
}
