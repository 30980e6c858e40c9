//! Adjutant: settings.
