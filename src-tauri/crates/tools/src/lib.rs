//! Adjutant: tools.
