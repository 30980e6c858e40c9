//! Adjutant.
