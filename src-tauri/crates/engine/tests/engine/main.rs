//! The engine with ports in memory: whole turns, as a person and a window see them.

mod asks;
mod buttons;
mod due;
mod log;
mod recovery;
mod replies;
mod script;
mod streams;
mod world;
