//! Adjutant: understanding.
