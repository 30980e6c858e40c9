//! Adjutant: api.
