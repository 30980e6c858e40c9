//! Conditions of steps (`when`), over typed fields of earlier results only.
//!
//! On the wire: `{"$op": "empty", "args": [operand]}`, `{"$op": "lt", "args": [a, b]}`,
//! `{"$op": "and", "args": [condition, …]}`, `{"$op": "not", "args": [condition]}`.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::reference::{Outputs, UnresolvedReference, as_reference, look_up, uses};
use crate::ids::StepKey;

/// Maximum nesting depth of conditions.
pub const DEPTH_MAX: usize = 8;

/// Decides from the results of earlier steps whether a step runs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Condition {
    /// Operator.
    #[serde(rename = "$op")]
    pub op: Op,
    /// Operands: references, literals, or conditions for `and`, `or`, `not`.
    pub args: Vec<Operand>,
}

/// Operator of a condition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Op {
    /// A list, text or object is empty, or the value is null.
    Empty,
    /// The opposite of `empty`.
    NotEmpty,
    /// Equal.
    Eq,
    /// Not equal.
    Ne,
    /// Less than; numbers or times.
    Lt,
    /// At most.
    Le,
    /// Greater than.
    Gt,
    /// At least.
    Ge,
    /// All operands hold.
    And,
    /// Any operand holds.
    Or,
    /// The operand does not hold.
    Not,
}

/// Operand of a condition.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Operand {
    /// A nested condition.
    Condition(Box<Condition>),
    /// A reference (`{"$from": …}`) or a literal.
    Value(Value),
}

/// Why a condition cannot be evaluated.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadCondition {
    /// A reference points at nothing.
    #[error(transparent)]
    Reference(#[from] UnresolvedReference),
    /// The operands do not fit the operator.
    #[error("the condition {0} cannot be checked on these values")]
    Operands(&'static str),
    /// Nested too deep.
    #[error("the condition is nested too deep")]
    Depth,
}

impl Condition {
    /// Creates a condition that applies `op` to references and literals.
    #[must_use]
    pub fn new(op: Op, args: Vec<Value>) -> Self {
        Self {
            op,
            args: args.into_iter().map(Operand::Value).collect(),
        }
    }

    /// Returns whether the condition holds.
    ///
    /// # Errors
    /// Returns [`BadCondition`] if a reference points at nothing, the operands do not fit the operator, or the
    /// condition is nested deeper than [`DEPTH_MAX`].
    pub fn holds(&self, outputs: &Outputs) -> Result<bool, BadCondition> {
        self.holds_at(outputs, 0)
    }

    /// Returns the keys of the steps whose results it reads.
    #[must_use]
    pub fn uses(&self) -> Vec<StepKey> {
        let mut keys: Vec<_> = self
            .args
            .iter()
            .flat_map(|operand| match operand {
                Operand::Condition(inner) => inner.uses(),
                Operand::Value(value) => uses(value).0,
            })
            .collect();
        keys.sort();
        keys.dedup();
        keys
    }

    fn holds_at(&self, outputs: &Outputs, depth: usize) -> Result<bool, BadCondition> {
        if depth > DEPTH_MAX {
            return Err(BadCondition::Depth);
        }
        match (self.op, self.args.as_slice()) {
            (Op::And, args) => {
                for operand in args {
                    if !inner(operand, outputs, depth)? {
                        return Ok(false);
                    }
                }
                Ok(true)
            }
            (Op::Or, args) => {
                for operand in args {
                    if inner(operand, outputs, depth)? {
                        return Ok(true);
                    }
                }
                Ok(false)
            }
            (Op::Not, [operand]) => Ok(!inner(operand, outputs, depth)?),
            (Op::Empty, [operand]) => Ok(is_empty(&value(operand, outputs)?)),
            (Op::NotEmpty, [operand]) => Ok(!is_empty(&value(operand, outputs)?)),
            (op, [left, right]) => compare(op, &value(left, outputs)?, &value(right, outputs)?),
            _ => Err(BadCondition::Operands("with this number of operands")),
        }
    }
}

fn inner(operand: &Operand, outputs: &Outputs, depth: usize) -> Result<bool, BadCondition> {
    match operand {
        Operand::Condition(condition) => condition.holds_at(outputs, depth + 1),
        Operand::Value(literal) => value(&Operand::Value(literal.clone()), outputs)?
            .as_bool()
            .ok_or(BadCondition::Operands("and/or/not")),
    }
}

fn value(operand: &Operand, outputs: &Outputs) -> Result<Value, BadCondition> {
    match operand {
        Operand::Value(literal) => match as_reference(literal) {
            Some(reference) => Ok(look_up(&reference, outputs)?.clone()),
            None => Ok(literal.clone()),
        },
        Operand::Condition(_) => Err(BadCondition::Operands("on a condition")),
    }
}

fn is_empty(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::Array(list) => list.is_empty(),
        Value::Object(map) => map.is_empty(),
        Value::String(text) => text.is_empty(),
        Value::Bool(_) | Value::Number(_) => false,
    }
}

fn compare(op: Op, left: &Value, right: &Value) -> Result<bool, BadCondition> {
    use std::cmp::Ordering;
    if op == Op::Eq || op == Op::Ne {
        let same = match (left.as_f64(), right.as_f64()) {
            (Some(a), Some(b)) => (a - b).abs() < f64::EPSILON,
            _ => left == right,
        };
        return Ok(same == (op == Op::Eq));
    }
    let order = match (left, right) {
        (Value::Number(a), Value::Number(b)) => a
            .as_f64()
            .zip(b.as_f64())
            .and_then(|(a, b)| a.partial_cmp(&b)),
        (Value::String(a), Value::String(b)) => {
            match (
                a.parse::<crate::moment::Moment>(),
                b.parse::<crate::moment::Moment>(),
            ) {
                (Ok(a), Ok(b)) => {
                    let zone = jiff::tz::TimeZone::UTC;
                    Some(a.starts(&zone).cmp(&b.starts(&zone)))
                }
                _ => None,
            }
        }
        _ => None,
    }
    .ok_or(BadCondition::Operands("lt/le/gt/ge"))?;
    Ok(match op {
        Op::Lt => order == Ordering::Less,
        Op::Le => order != Ordering::Greater,
        Op::Gt => order == Ordering::Greater,
        _ => order != Ordering::Less,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn check(condition: Value, expect: Option<bool>) {
        let outputs = Outputs::from([(
            "s1".into(),
            json!({"count": 2, "list": [], "at": "2026-01-12T10:00:00Z"}),
        )]);
        let condition: Condition = serde_json::from_value(condition).expect("a condition");
        assert_eq!(condition.holds(&outputs).ok(), expect, "{condition:?}");
    }

    #[test]
    fn conditions_read_typed_fields() {
        check(
            json!({"$op":"empty","args":[{"$from":"s1","path":"/list"}]}),
            Some(true),
        );
        check(
            json!({"$op":"gt","args":[{"$from":"s1","path":"/count"}, 1]}),
            Some(true),
        );
        check(
            json!({"$op":"lt","args":[{"$from":"s1","path":"/at"}, "2026-01-12T10:30:00+00:00"]}),
            Some(true),
        );
        check(
            json!({"$op":"not","args":[{"$op":"eq","args":[{"$from":"s1","path":"/count"}, 2.0]}]}),
            Some(false),
        );
        check(
            json!({"$op":"and","args":[{"$op":"eq","args":[1,1]},{"$op":"eq","args":[1,2]}]}),
            Some(false),
        );
        check(json!({"$op":"lt","args":["a", 1]}), None);
        check(json!({"$op":"empty","args":[{"$from":"s9"}]}), None);
    }
}
