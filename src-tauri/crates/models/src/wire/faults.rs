//! Interprets a provider's refusal. Providers agree on HTTP status codes only up to a point; the rest is in their
//! texts.

use std::time::Duration;

use adjutant_domain::model::ModelFault;
use adjutant_net::{HeaderMap, StatusCode};
use serde_json::Value;

use super::target::{Access, Feature};

/// Highest number of bytes of a refusal that are read.
pub(crate) const REFUSAL_BYTES_MAX: u64 = 64 * 1024;
/// Highest number of characters of a provider's text that are passed on.
const SAID_CHARS_MAX: usize = 300;
/// Longest wait a provider can demand.
const RETRY_AFTER_MAX: Duration = Duration::from_secs(3600);

/// A refusal that has not been interpreted yet.
pub(crate) struct Refusal {
    pub status: u16,
    retry_after: Option<Duration>,
    /// The provider's text, without secrets.
    said: String,
    /// Everything it sent, in lower case, to search for keywords.
    all: String,
}

impl Refusal {
    /// Reads a refusal sent instead of a reply.
    pub fn of_reply(status: StatusCode, headers: &HeaderMap, body: &[u8], access: &Access) -> Self {
        let text = access.redact(&String::from_utf8_lossy(body));
        let value = serde_json::from_str::<Value>(&text).ok();
        let said = value.as_ref().and_then(said).unwrap_or_default();
        Self {
            status: status.as_u16(),
            retry_after: retry_after(headers)
                .or_else(|| value.as_ref().and_then(retry_delay))
                .map(|wait| wait.min(RETRY_AFTER_MAX)),
            said: clean(said),
            all: text.to_lowercase(),
        }
    }

    /// Reads a refusal reported in the middle of a reply.
    pub fn of_report(report: &Value, access: &Access) -> Self {
        let text = access.redact(&report.to_string());
        let value = serde_json::from_str::<Value>(&text).unwrap_or_default();
        let all = text.to_lowercase();
        Self {
            status: reported_status(&value, &all),
            retry_after: retry_delay(&value).map(|wait| wait.min(RETRY_AFTER_MAX)),
            said: clean(said(&value).unwrap_or_default()),
            all,
        }
    }

    /// Returns the feature that the model does not support, if that is the reason for the refusal.
    pub fn complains_about(&self) -> Option<Feature> {
        if !matches!(self.status, 400 | 404 | 405 | 415 | 422 | 500 | 501) || self.is_too_long() {
            None
        } else if self.has(&["stream_options", "include_usage"]) {
            Some(Feature::Usage)
        } else if self.has(&[
            "response_format",
            "json_schema",
            "json schema",
            "response_schema",
            "responseschema",
            "responsejsonschema",
            "structured output",
            "grammar",
        ]) {
            Some(Feature::Structure)
        } else if self.is_about_tools() {
            Some(Feature::Tools)
        } else {
            None
        }
    }

    /// Returns the fault it stands for.
    pub fn fault(self, model: &str) -> ModelFault {
        let model = model.to_owned();
        let status = self.status;
        if self.is_too_long() {
            return ModelFault::TooLong { model };
        }
        if self.is_about_money() {
            return ModelFault::Refused {
                model,
                why: "the account has no credit left; top it up with the provider".to_owned(),
            };
        }
        if status == 401 || (matches!(status, 400 | 403) && self.is_about_the_key()) {
            return ModelFault::Key { model };
        }
        if matches!(status, 429 | 529) || (status == 503 && self.retry_after.is_some()) {
            return ModelFault::Busy {
                model,
                retry_after: self.retry_after,
            };
        }
        if matches!(status, 300..=399 | 404 | 405 | 410)
            || (status == 400 && self.is_about_the_model())
        {
            return ModelFault::NoSuchModel { model };
        }
        let why = if self.said.is_empty() {
            format!("HTTP {status}")
        } else {
            self.said
        };
        if (400..=499).contains(&status) && status != 408 {
            ModelFault::Refused { model, why }
        } else {
            ModelFault::Broken { model, why }
        }
    }

    fn has(&self, words: &[&str]) -> bool {
        words.iter().any(|word| self.all.contains(word))
    }

    fn is_about_tools(&self) -> bool {
        // llama.cpp fails where others refuse. Other texts of a failing server are no reason to stop sending tools.
        if self.status == 500 {
            return self.has(&["jinja", "tools param", "tool_choice"]);
        }
        self.has(&["tool", "function"])
            && self.has(&[
                "support",
                "not allowed",
                "not permitted",
                "unknown",
                "unrecognized",
                "requires",
            ])
    }

    fn is_too_long(&self) -> bool {
        self.status == 413
            || (matches!(self.status, 400 | 422 | 500)
                && self.has(&[
                    "context_length_exceeded",
                    "exceed_context_size",
                    "context size",
                    "context length",
                    "context window",
                    "prompt is too long",
                    "input is too long",
                    "input token count",
                    "too many tokens",
                    "request_too_large",
                ]))
    }

    fn is_about_money(&self) -> bool {
        self.status == 402
            || self.has(&["insufficient_quota"])
            || (matches!(self.status, 400 | 403) && self.has(&["credit balance", "billing"]))
    }

    fn is_about_the_key(&self) -> bool {
        self.all.is_empty()
            || self.has(&[
                "api key",
                "api_key",
                "apikey",
                "api-key",
                "unauthorized",
                "authentication",
                "permission_denied",
                "credentials",
                "forbidden",
            ])
    }

    fn is_about_the_model(&self) -> bool {
        self.has(&["model"])
            && self.has(&[
                "model_not_found",
                "not found",
                "not exist",
                "not a valid model",
                "invalid model",
                "unknown model",
            ])
    }
}

/// Returns the provider's text from whichever field contains it.
fn said(value: &Value) -> Option<&str> {
    let value = value.get(0).unwrap_or(value);
    let error = value.get("error").unwrap_or(value);
    [
        error.get("message"),
        Some(error),
        value.get("message"),
        value.get("detail"),
        value.pointer("/detail/0/msg"),
    ]
    .into_iter()
    .flatten()
    .find_map(Value::as_str)
}

fn clean(said: &str) -> String {
    said.chars()
        .map(|c| if c.is_control() { ' ' } else { c })
        .take(SAID_CHARS_MAX)
        .collect::<String>()
        .trim()
        .trim_end_matches('.')
        .to_owned()
}

/// Returns the HTTP status that an error in the middle of a reply stands for.
fn reported_status(report: &Value, all: &str) -> u16 {
    let error = report.get("error").unwrap_or(report);
    let number = ["code", "status", "status_code"]
        .into_iter()
        .find_map(|key| {
            let number = error.get(key)?.as_u64()?;
            u16::try_from(number)
                .ok()
                .filter(|number| (400..600).contains(number))
        });
    let by_word = || {
        let word = |words: &[&str]| words.iter().any(|word| all.contains(word));
        if word(&[
            "overloaded",
            "rate_limit",
            "rate limit",
            "resource_exhausted",
        ]) {
            429
        } else if word(&[
            "authentication_error",
            "permission_error",
            "invalid_api_key",
        ]) {
            401
        } else if word(&["not_found_error", "model_not_found"]) {
            404
        } else if word(&[
            "invalid_request",
            "exceed_context_size",
            "context_length_exceeded",
        ]) {
            400
        } else {
            500
        }
    };
    number.unwrap_or_else(by_word)
}

/// Returns the wait that the headers demand. A date is compared with the reply's own date, so that our clock does not
/// matter.
fn retry_after(headers: &HeaderMap) -> Option<Duration> {
    let text = |name: &str| headers.get(name).and_then(|value| value.to_str().ok());
    if let Some(millis) = text("retry-after-ms").and_then(|text| text.trim().parse::<f64>().ok()) {
        return Duration::try_from_secs_f64(millis / 1000.0).ok();
    }
    let after = text("retry-after")?.trim();
    if let Ok(seconds) = after.parse::<f64>() {
        return Duration::try_from_secs_f64(seconds).ok();
    }
    let until = httpdate::parse_http_date(after).ok()?;
    let now = httpdate::parse_http_date(text("date")?).ok()?;
    Some(until.duration_since(now).unwrap_or_default())
}

/// Returns the wait in Gemini's form: `{"@type": ".../RetryInfo", "retryDelay": "3.5s"}`.
fn retry_delay(value: &Value) -> Option<Duration> {
    let value = value.get(0).unwrap_or(value);
    let details = value.pointer("/error/details")?.as_array()?;
    let delay = details
        .iter()
        .find_map(|detail| detail.get("retryDelay")?.as_str())?;
    Duration::try_from_secs_f64(delay.strip_suffix('s')?.parse().ok()?).ok()
}
