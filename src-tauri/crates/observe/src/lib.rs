//! Adjutant: observe.
