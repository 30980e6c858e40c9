//! One turn: the pure machine that decides, and the driver that performs.

pub(crate) mod again;
pub(crate) mod carry_out;
pub(crate) mod driver;
pub mod machine;
pub(crate) mod perform;
pub(crate) mod reading;
pub(crate) mod weigh;
