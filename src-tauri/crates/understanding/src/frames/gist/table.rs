//! What is guessed: by which words it is recognised, what it needs, and the plain request that it becomes.

use adjutant_domain::record::Kind;

/// What a guess needs besides the name of a thing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Needs {
    /// Nothing; a time says which of several.
    Nothing,
    /// A time.
    Time,
    /// A length of time.
    Length,
    /// How much later or earlier.
    Shift,
    /// Somebody.
    People,
    /// Words behind a preposition after the cue: a place, a label.
    Words,
}

/// What a cue means for a kind of thing.
pub(super) struct Gist {
    pub kind: Kind,
    /// Class of the words by which it is recognised.
    pub cue: &'static str,
    pub needs: Needs,
    /// The request, with `{name}`, and `{it}` for what it needs.
    pub request: &'static str,
}

const fn gist(kind: Kind, cue: &'static str, needs: Needs, request: &'static str) -> Gist {
    Gist {
        kind,
        cue,
        needs,
        request,
    }
}

/// What is guessed. Several may fit a message; then it has to say which by more words.
#[rustfmt::skip]
pub(super) const GISTS: &[Gist] = &[
    gist(Kind::Event, "gist_cancel", Needs::Nothing, "cancel {name}"),
    gist(Kind::Event, "gist_move", Needs::Time, "move {name} to {it}"),
    gist(Kind::Event, "gist_shift", Needs::Shift, "move {name} {it}"),
    gist(Kind::Event, "gist_longer", Needs::Length, "make {name} {it} longer"),
    gist(Kind::Event, "gist_shorter", Needs::Length, "make {name} {it} shorter"),
    gist(Kind::Event, "gist_length", Needs::Length, "make {name} {it} long"),
    gist(Kind::Event, "gist_place", Needs::Words, "change the location of {name} to {it}"),
    gist(Kind::Event, "gist_invite", Needs::People, "invite {it} to {name}"),
    gist(Kind::Event, "gist_uninvite", Needs::People, "remove {it} from {name}"),
    gist(Kind::Task, "gist_done", Needs::Nothing, "mark {name} as done"),
    gist(Kind::Task, "gist_due", Needs::Time, "move {name} to {it}"),
    gist(Kind::Task, "gist_urgent", Needs::Nothing, "set the priority of {name} to high"),
    gist(Kind::Task, "gist_unhurried", Needs::Nothing, "set the priority of {name} to low"),
    gist(Kind::Task, "gist_drop", Needs::Nothing, "delete {name}"),
    gist(Kind::Mail, "gist_file", Needs::Nothing, "archive {name}"),
    gist(Kind::Mail, "gist_read", Needs::Nothing, "mark {name} as read"),
    gist(Kind::Mail, "gist_star", Needs::Nothing, "star {name}"),
    gist(Kind::Mail, "gist_bin", Needs::Nothing, "delete {name}"),
    gist(Kind::Mail, "gist_label", Needs::Words, "label {name} as {it}"),
    gist(Kind::Mail, "gist_forward", Needs::People, "forward {name} to {it}"),
];
