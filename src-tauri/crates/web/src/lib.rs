//! Search engines and pages of the web, read politely and kept as snapshots.
