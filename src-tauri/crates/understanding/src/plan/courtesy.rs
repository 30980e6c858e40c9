//! What a mail does with the person: congratulates, wishes, apologizes, reminds, invites.

use super::cursor::Cursor;
use super::model::{Request, Words};
use super::speech;

/// What a mail does with the person ("congratulating her on X"), and how that is said to them.
pub(super) const COURTESIES: &[(&[&str], &str, &str)] = &[
    (
        &[
            "congratulating him on",
            "congratulating her on",
            "congratulating them on",
            "and congratulate him on",
            "and congratulate her on",
            "and congratulate them on",
            "to congratulate him on",
            "to congratulate her on",
            "to congratulate them on",
        ],
        "Congratulations on ",
        "!",
    ),
    (
        &[
            "wishing him",
            "wishing her",
            "wishing them",
            "and wish him",
            "and wish her",
            "and wish them",
            "to wish him",
            "to wish her",
            "to wish them",
        ],
        "I wish you ",
        "!",
    ),
    (
        &[
            "apologizing for",
            "apologising for",
            "to apologize for",
            "to apologise for",
            "and apologize for",
            "and apologise for",
        ],
        "I apologize for ",
        ".",
    ),
    (
        &[
            "reminding him to",
            "reminding her to",
            "reminding them to",
            "and remind him to",
            "and remind her to",
            "and remind them to",
            "to remind him to",
            "to remind her to",
            "to remind them to",
        ],
        "Please remember to ",
        ".",
    ),
    (
        &[
            "inviting him to",
            "inviting her to",
            "inviting them to",
            "and invite him to",
            "and invite her to",
            "and invite them to",
            "to invite him to",
            "to invite her to",
            "to invite them to",
        ],
        "I would like to invite you to ",
        ".",
    ),
    (
        &[
            "reminding him about",
            "reminding her about",
            "reminding them about",
            "reminding him of",
            "reminding her of",
            "reminding them of",
            "to remind him about",
            "to remind her about",
            "to remind them about",
            "to remind him of",
            "to remind her of",
            "to remind them of",
        ],
        "This is a reminder of ",
        ".",
    ),
];

/// "… congratulating her on the new job", "… reminding him to bring the charger".
pub(super) fn courtesy(cursor: &mut Cursor<'_, '_>, request: &mut Request) -> bool {
    let start = *cursor;
    for (phrases, says, ends) in COURTESIES {
        if !cursor.eat(phrases) {
            continue;
        }
        let from = cursor.at;
        let Some((words, _)) = speech::said(cursor).filter(|(words, _)| !words.quoted) else {
            break;
        };
        let text = cursor
            .said
            .slice(from..cursor.at)
            .trim_end_matches(['.', '!', '?', ' ']);
        // "Apologizing for the delay and suggesting Friday": the second half would be said as it stands.
        if text.is_empty()
            || [
                " and suggest",
                " and ask",
                " and offer",
                " and propos",
                " and tell",
            ]
            .iter()
            .any(|more| text.contains(more))
        {
            break;
        }
        request.vals.body = Some(Words {
            text: format!("{says}{}{ends}", speech::addressed(text)),
            ..words
        });
        request.vals.body_derived = true;
        return true;
    }
    *cursor = start;
    false
}
