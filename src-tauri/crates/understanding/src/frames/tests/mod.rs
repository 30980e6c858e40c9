//! Requests and the calls they become, a file for each family of tools.

mod amend;
mod beside;
mod bounds;
mod calendar;
mod calendar_questions;
mod casual;
mod changes;
mod compose;
mod correct;
mod created;
mod dialog;
mod everyday;
mod filed;
mod gist;
#[path = "../../../tests/gold/mod.rs"]
mod gold;
mod known_names;
mod last_request;
mod lead_in;
mod loose;
mod made;
mod mail;
mod mail_chosen;
mod mail_questions;
mod mail_sent;
mod mail_told;
mod mail_tools;
mod own;
mod questions;
mod repair;
mod roles;
mod side_remark;
mod swallowed;
mod tasks;
mod things;
mod told_new;
