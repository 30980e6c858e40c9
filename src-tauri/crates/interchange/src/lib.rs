//! Adjutant: interchange.
