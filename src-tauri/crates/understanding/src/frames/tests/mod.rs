//! Requests and the calls they become, a file for each family of tools.

mod gold;
mod mail;
mod own;
mod table;
