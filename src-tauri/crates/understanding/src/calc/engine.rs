//! Runs fend within limits: no randomness, no exchange rates, no files, a step budget, a short answer.

use std::sync::atomic::{AtomicU64, Ordering};

use fend_core::{Context, Interrupt};

use super::NoResult;

/// Maximum number of steps of one calculation; everyday ones take a few hundred.
const STEPS_MAX: u64 = 200_000;

/// Longest answer, in bytes; more digits help nobody.
const ANSWER_BYTES_MAX: usize = 80;

/// Longest expression to evaluate, in bytes.
const EXPRESSION_BYTES_MAX: usize = 500;

struct Budget(AtomicU64);

impl Interrupt for Budget {
    fn should_interrupt(&self) -> bool {
        self.0.fetch_add(1, Ordering::Relaxed) >= STEPS_MAX
    }
}

pub(super) struct Evaluation {
    pub text: String,
    pub rounded: bool,
    pub has_unit: bool,
}

/// Computes an expression that the grammar built, or returns why it has no result.
pub(super) fn evaluate(expression: &str) -> Result<Evaluation, NoResult> {
    if expression.len() > EXPRESSION_BYTES_MAX {
        return Err(NoResult::TooLarge);
    }
    let mut context = Context::new();
    context.disable_rng();
    let budget = Budget(AtomicU64::new(0));
    let plain = without_percent(expression);
    let result = fend_core::evaluate_with_interrupt(&plain, &mut context, &budget);
    let interrupted = budget.0.load(Ordering::Relaxed) > STEPS_MAX;
    match result {
        Ok(result) => {
            let raw = result.get_main_result();
            let text = raw.strip_prefix("approx. ").unwrap_or(raw);
            let text = &text
                .replace(" celsius", " °C")
                .replace(" fahrenheit", " °F")
                .replace(" floz", " fluid ounces");
            if text.len() > ANSWER_BYTES_MAX {
                return Err(NoResult::TooLarge);
            }
            Ok(Evaluation {
                rounded: raw.starts_with("approx. "),
                has_unit: text.contains(char::is_alphabetic),
                text: text.clone(),
            })
        }
        Err(_) if interrupted => Err(NoResult::TooLarge),
        Err(error) if error.contains("division by zero") || error.contains("divide by zero") => {
            Err(NoResult::DivisionByZero)
        }
        Err(error) if error.contains("large") || error.contains("expected a value less") => {
            Err(NoResult::TooLarge)
        }
        Err(_) => Err(NoResult::Impossible {
            expression: expression.to_owned(),
        }),
    }
}

/// Rewrites `20%` as `(20/100)`, because a product of percentages stays a percentage in fend.
fn without_percent(expression: &str) -> String {
    let mut out = String::with_capacity(expression.len() + 8);
    for ch in expression.chars() {
        let number = out.len()
            - out
                .trim_end_matches(|c: char| c.is_ascii_digit() || c == '.')
                .len();
        if ch == '%' && number > 0 {
            out.insert(out.len() - number, '(');
            out.push_str("/100)");
        } else if ch == '%' && out.ends_with(')') {
            out.push_str("/100");
        } else {
            out.push(ch);
        }
    }
    out
}
