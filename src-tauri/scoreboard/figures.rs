//! Computes shares, percentiles and calibration.

use adjutant_api::scoreboard::{Figure, Miss, ReliabilityRow, SuiteScore};

use super::MISSES_MAX;

/// Number of rows in the reliability table, which divide the range 0 to 1 equally.
const ROWS: usize = 10;

/// Accumulates the results of one suite.
#[derive(Debug, Default)]
pub(super) struct Tally {
    cases: u64,
    right: u64,
    micros: Vec<u64>,
    misses: Vec<Miss>,
}

impl Tally {
    pub(super) fn add(&mut self, micros: u64, miss: Option<Miss>) {
        self.cases += 1;
        self.micros.push(micros);
        match miss {
            None => self.right += 1,
            Some(miss) if self.misses.len() < MISSES_MAX => self.misses.push(miss),
            Some(_) => {}
        }
    }

    pub(super) fn score(mut self, suite: &str, figures: &[(&str, f64)]) -> SuiteScore {
        self.micros.sort_unstable();
        SuiteScore {
            suite: suite.to_owned(),
            cases: self.cases,
            right: self.right,
            accuracy: share(self.right, self.cases),
            p50_micros: percentile(&self.micros, 50),
            p95_micros: percentile(&self.micros, 95),
            figures: figures
                .iter()
                .map(|&(name, value)| Figure {
                    name: name.to_owned(),
                    value,
                })
                .collect(),
            misses: self.misses,
        }
    }
}

/// Returns `part / whole`, rounded to four digits; 0 if `whole` is 0.
pub(super) fn share(part: u64, whole: u64) -> f64 {
    if whole == 0 {
        return 0.0;
    }
    #[expect(
        clippy::cast_precision_loss,
        reason = "counts of cases are far below 2^52"
    )]
    rounded(part as f64 / whole as f64)
}

fn rounded(value: f64) -> f64 {
    (value * 10_000.0).round() / 10_000.0
}

/// Returns the nearest-rank percentile of sorted values; 0 if there are none.
fn percentile(sorted: &[u64], percent: usize) -> u64 {
    let rank = (sorted.len() * percent).div_ceil(100).max(1);
    sorted.get(rank - 1).copied().unwrap_or_default()
}

/// Returns the reliability table and expected calibration error of (confidence, right) pairs.
pub(super) fn reliability(cases: &[(f64, bool)]) -> (Vec<ReliabilityRow>, f64) {
    let (mut rows, mut error) = (Vec::new(), 0.0);
    for row in 0..ROWS {
        #[expect(clippy::cast_precision_loss, reason = "there are ten rows")]
        let (from, to) = (row as f64 / ROWS as f64, (row + 1) as f64 / ROWS as f64);
        let inside: Vec<(f64, bool)> = cases
            .iter()
            .copied()
            .filter(|(confidence, _)| {
                *confidence >= from && (*confidence < to || (row + 1 == ROWS && *confidence <= to))
            })
            .collect();
        if inside.is_empty() {
            continue;
        }
        #[expect(
            clippy::cast_precision_loss,
            reason = "counts of cases are far below 2^52"
        )]
        let (count, all) = (inside.len() as f64, cases.len() as f64);
        let confidence = inside.iter().map(|(confidence, _)| confidence).sum::<f64>() / count;
        let right = inside.iter().filter(|(_, right)| *right).count() as u64;
        let right = share(right, inside.len() as u64);
        error += (confidence - right).abs() * count / all;
        rows.push(ReliabilityRow {
            from,
            to,
            cases: inside.len() as u64,
            confidence: rounded(confidence),
            right,
        });
    }
    (rows, rounded(error))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn confidence_that_is_kept_has_no_error() {
        let cases = [(1.0, true), (1.0, true), (0.5, true), (0.5, false)];
        let (rows, error) = reliability(&cases);
        assert!(error.abs() < 1e-9, "{error}");
        let counted: Vec<(u64, f64)> = rows.iter().map(|row| (row.cases, row.right)).collect();
        assert_eq!(counted, [(2, 0.5), (2, 1.0)]);
    }

    #[test]
    fn overconfidence_shows() {
        let (_, error) = reliability(&[(0.9, false), (0.9, true)]);
        assert!((error - 0.4).abs() < 1e-9, "{error}");
        assert_eq!(reliability(&[]), (Vec::new(), 0.0));
    }

    #[test]
    fn percentiles_are_values_that_were_measured() {
        let values: Vec<u64> = (1..=20).collect();
        assert_eq!((percentile(&values, 50), percentile(&values, 95)), (10, 19));
        assert_eq!(percentile(&[7], 95), 7);
        assert_eq!(percentile(&[], 95), 0);
    }

    #[test]
    fn misses_are_counted_beyond_those_that_are_named() {
        let mut tally = Tally::default();
        for _ in 0..MISSES_MAX + 5 {
            let miss = Miss {
                id: String::new(),
                text: String::new(),
                expected: String::new(),
                got: String::new(),
            };
            tally.add(3, Some(miss));
        }
        tally.add(3, None);
        let score = tally.score("route", &[("recall", 0.5)]);
        assert_eq!((score.cases, score.right), (MISSES_MAX as u64 + 6, 1));
        assert_eq!(score.misses.len(), MISSES_MAX);
        assert_eq!(score.figures[0].name, "recall");
    }
}
