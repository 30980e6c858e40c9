//! Writes a calculation as a person would.

/// Writes `18%*2450` as `18% of 2450`, and `(3+4)*2` as `(3 + 4) × 2`. Existing spaces stay.
pub(super) fn written(expression: &str) -> String {
    let mut said = String::new();
    let mut chars = expression.chars().peekable();
    while let Some(char) = chars.next() {
        if char.is_whitespace() {
            push_space(&mut said);
            continue;
        }
        // An operator between two values; at the beginning, or after another one, it is a sign.
        let between = said
            .trim_end()
            .ends_with(|last: char| last.is_alphanumeric() || matches!(last, ')' | '%' | '.'));
        let word = match char {
            '*' if chars.peek() == Some(&'*') => {
                chars.next();
                "^"
            }
            '*' if said.trim_end().ends_with('%') => "of",
            '*' => "×",
            '/' => "÷",
            '+' => "+",
            '-' => "−",
            _ => {
                said.push(char);
                continue;
            }
        };
        if between {
            push_space(&mut said);
            said.push_str(word);
            push_space(&mut said);
        } else {
            said.push_str(word);
        }
        while chars.next_if(|next| next.is_whitespace()).is_some() {}
    }
    said.trim_end().to_owned()
}

fn push_space(said: &mut String) {
    if !said.is_empty() && !said.ends_with(' ') {
        said.push(' ');
    }
}

#[cfg(test)]
mod tests {
    use super::written;

    #[test]
    fn sums_are_written_with_the_signs_of_a_person() {
        for (machine, person) in [
            ("18%*2450", "18% of 2450"),
            ("2+2", "2 + 2"),
            ("2 + 2", "2 + 2"),
            ("(3+4)*2", "(3 + 4) × 2"),
            ("-3*-4/2", "−3 × −4 ÷ 2"),
            ("84.50*(1+20%)", "84.50 × (1 + 20%)"),
            ("sqrt(144)", "sqrt(144)"),
            ("2**8", "2 ^ 8"),
            ("", ""),
        ] {
            assert_eq!(written(machine), person);
        }
    }
}
