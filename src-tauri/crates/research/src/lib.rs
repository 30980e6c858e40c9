//! Research as a pure machine: no I/O, no clock.
