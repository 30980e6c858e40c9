//! "All but …": filters whose rows are left out before any row is picked.

use std::borrow::Cow;
use std::collections::BTreeSet;

use adjutant_domain::outcome::Stop;
use adjutant_domain::ports::Cx;
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::de::{DeserializeOwned, Error};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;

use super::{Filter, Narrowing, Pick, Row, pick};
use crate::words;

/// Maximum exceptions of one choice; each is a separate search.
const EXCEPTIONS_MAX: usize = 20;

/// Exceptions of a choice: one or more filters of the same family. They apply only to the rows the choice itself found,
/// so "except the last one" means the last of those.
#[derive(Clone, Debug, PartialEq)]
pub struct Except<F>(pub Vec<F>);

/// The rows of a choice after its exceptions.
pub struct Remaining<R> {
    /// Rows that remain.
    pub rows: Vec<R>,
    /// Rows that match an exception.
    pub left_out: Vec<R>,
}

/// Removes the rows that match any exception, keeping the order.
///
/// # Errors
/// Fails like the search of the family.
pub async fn without<F: Filter>(
    rows: Vec<F::Row>,
    except: Option<&Except<F>>,
    cx: &Cx,
) -> Result<Remaining<F::Row>, Stop> {
    let mut out: BTreeSet<String> = BTreeSet::new();
    for filter in except.map(|except| except.0.as_slice()).unwrap_or_default() {
        let found = filter.among(&rows, cx).await?;
        // An exception for one row that matches several removes all of them, which loses nothing.
        let narrowing = filter.narrowing();
        let which = match narrowing.pick {
            None | Some(Pick::One) => Pick::All,
            Some(which) => which,
        };
        let chosen = pick(found.into(), which, narrowing.limit, usize::MAX, "/ids", cx)?;
        out.extend(chosen.rows.iter().map(Row::ref_id));
    }
    let (left_out, rows) = rows
        .into_iter()
        .partition(|row| out.contains(&row.ref_id()));
    Ok(Remaining { rows, left_out })
}

/// Returns the exceptions in words: ` except mails about “budget”`. Empty if there are none, or one goes by position.
#[must_use]
pub fn except_words<F: Filter>(except: Option<&Except<F>>, cx: &Cx) -> String {
    let filters = except.map(|except| except.0.as_slice()).unwrap_or_default();
    let by_place = |filter: &F| {
        let Narrowing { pick, limit, .. } = filter.narrowing();
        limit.is_some() || !matches!(pick, None | Some(Pick::All | Pick::One))
    };
    if filters.is_empty() || filters.iter().any(by_place) {
        return String::new();
    }
    let named: Vec<String> = filters.iter().map(|filter| filter.sought(cx)).collect();
    format!(" except {}", words::join(&named))
}

impl<F: Serialize> Serialize for Except<F> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}

impl<'de, F: DeserializeOwned + Default + PartialEq> Deserialize<'de> for Except<F> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let list = match Value::deserialize(deserializer)? {
            Value::Array(list) => list,
            Value::Null => Vec::new(),
            one => vec![one],
        };
        if list.len() > EXCEPTIONS_MAX {
            return Err(D::Error::custom(format!(
                "more than {EXCEPTIONS_MAX} exceptions"
            )));
        }
        let mut filters = Vec::with_capacity(list.len());
        for value in list {
            // Only by name, and only one level deep: exceptions of exceptions would multiply the searches.
            let Value::Object(fields) = &value else {
                return Err(D::Error::custom("an exception is an object of filters"));
            };
            if fields.contains_key("except") {
                return Err(D::Error::custom("an exception has no exceptions itself"));
            }
            let filter: F = serde_json::from_value(value).map_err(D::Error::custom)?;
            if filter == F::default() {
                return Err(D::Error::custom("an exception says what is left out"));
            }
            filters.push(filter);
        }
        Ok(Self(filters))
    }
}

impl<F: JsonSchema> JsonSchema for Except<F> {
    fn inline_schema() -> bool {
        true
    }
    fn schema_name() -> Cow<'static, str> {
        format!("Except_{}", F::schema_name()).into()
    }
    fn schema_id() -> Cow<'static, str> {
        format!("Except<{}>", F::schema_id()).into()
    }
    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let filters = generator.subschema_for::<F>();
        schemars::json_schema!({"type": "array", "items": filters, "maxItems": EXCEPTIONS_MAX})
    }
}
