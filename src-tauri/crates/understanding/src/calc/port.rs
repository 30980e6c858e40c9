//! The calculator behind the domain's port.

use adjutant_domain::faults::ToolFault;
use adjutant_domain::ports::{Calculated, Calculator};
use adjutant_domain::settings::Settings;
use jiff::Zoned;

use super::Kind;
use super::written::written;
use crate::Embedded;
use crate::plan;
use crate::time::Policy;

impl Calculator for Embedded {
    fn evaluate(
        &self,
        text: &str,
        now: &Zoned,
        settings: &Settings,
    ) -> Result<Calculated, ToolFault> {
        let policy = Policy {
            clock: settings.clock,
            ..plan::policy(settings)
        };
        let found = super::calculate(text, now, &policy)
            .map_err(|none| ToolFault::BadArguments { reason: none.say() })?;
        let asked = match found.kind {
            Kind::Sum => written(&found.expression),
            _ => found.expression.clone(),
        };
        let say = match &found.note {
            Some(note) => format!("{asked} = {} ({note})", found.value),
            None => format!("{asked} = {}", found.value),
        };
        Ok(Calculated {
            number: found.value.replace(',', "").parse().ok(),
            text: found.expression,
            result: found.value,
            say,
        })
    }
}
