//! Estimates how hard a request is, which decides whether the answer is reviewed before it is shown.

/// How hard a request is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Complexity {
    /// The answer streams as it arrives.
    #[default]
    Simple,
    /// The draft is held back, criticised, and refined once if there is anything to improve.
    Complex,
}

/// Points from which a request is complex. Each sign below gives one, a long message two.
const COMPLEX_FROM: usize = 3;
/// Words from which a message counts as long.
const LONG_WORDS: usize = 60;
/// Questions or list items from which a message counts as having several parts.
const PARTS_MAX: usize = 3;

/// Words for work on a longer text.
const WRITES: &[&str] = &[
    "essay",
    "report",
    "article",
    "proposal",
    "speech",
    "memo",
    "summary",
    "documentation",
    "contract",
    "strategy",
    "presentation",
    "roadmap",
];
/// Words for weighing reasons.
const WEIGHS: &[&str] = &[
    "compare",
    "comparison",
    "analyse",
    "analyze",
    "analysis",
    "evaluate",
    "evaluation",
    "assess",
    "assessment",
    "pros",
    "tradeoffs",
    "trade-offs",
    "argue",
    "critique",
    "prove",
    "derive",
    "design",
    "refactor",
    "debug",
    "optimise",
    "optimize",
];
/// Words that ask for depth.
const DEPTH: &[&str] = &[
    "detailed",
    "detail",
    "details",
    "thorough",
    "thoroughly",
    "in-depth",
    "comprehensive",
    "carefully",
    "complete",
    "exhaustive",
    "rigorous",
    "step-by-step",
];
/// Words for code.
const CODE: &[&str] = &[
    "code",
    "function",
    "script",
    "algorithm",
    "sql",
    "regex",
    "python",
    "rust",
    "javascript",
    "typescript",
    "class",
    "query",
];

/// Estimates how hard a request is from its words alone.
#[must_use]
pub fn of(text: &str) -> Complexity {
    let words: Vec<String> = text
        .split_whitespace()
        .map(|word| {
            word.trim_matches(|char: char| !char.is_alphanumeric())
                .to_lowercase()
        })
        .collect();
    let has = |list: &[&str]| usize::from(words.iter().any(|word| list.contains(&word.as_str())));
    let listed = text
        .lines()
        .filter(|line| {
            let line = line.trim_start();
            line.starts_with(['-', '*', '•'])
                || line
                    .split_once(['.', ')'])
                    .is_some_and(|(number, _)| number.parse::<u8>().is_ok())
        })
        .count();
    let questions = text.matches('?').count();
    let points = has(WRITES)
        + has(WEIGHS)
        + has(DEPTH)
        + has(CODE)
        + usize::from(text.contains("```"))
        + usize::from(listed >= PARTS_MAX || questions >= PARTS_MAX)
        + 2 * usize::from(words.len() >= LONG_WORDS);
    if points >= COMPLEX_FROM {
        Complexity::Complex
    } else {
        Complexity::Simple
    }
}

#[cfg(test)]
mod tests {
    use super::{Complexity, of};

    #[test]
    fn most_messages_are_simple() {
        for text in [
            "",
            "hello",
            "Why is the sky blue?",
            "Write a poem about autumn",
            "What is the difference between a crow and a raven?",
            "Write a function that adds two numbers",
            "Give me a short summary of the French revolution",
            "Compare tea and coffee",
        ] {
            assert_eq!(of(text), Complexity::Simple, "{text}");
        }
    }

    #[test]
    fn several_signs_make_a_request_complex() {
        for text in [
            "Write a detailed report that compares solar and wind, with an analysis of the costs",
            "Analyse this algorithm in detail:\n```\nloop {}\n```",
            "Write a thorough strategy, with pros and cons:\n- hiring\n- pricing\n- support",
        ] {
            assert_eq!(of(text), Complexity::Complex, "{text}");
        }
    }
}
