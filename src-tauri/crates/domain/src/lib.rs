//! Adjutant: domain.
