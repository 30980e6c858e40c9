//! Adjutant: testkit.
