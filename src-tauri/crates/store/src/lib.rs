//! Adjutant: store.
