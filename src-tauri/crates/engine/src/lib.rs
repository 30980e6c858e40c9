//! Adjutant: engine.
