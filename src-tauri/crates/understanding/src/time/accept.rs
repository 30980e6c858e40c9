//! Decides whether an expression that looks like a time is one. A price, a version, a telephone number, a name or a
//! verb is not; when in doubt the answer is no, unless the expression is the whole text.

use super::find::Lead;
use super::judge::ExpressionContext;
use super::model::LonePiece;
use super::parse::{ParsedExpression, Parser};
use super::token::TokenKind;

/// Prepositions that are never part of an expression.
const ONLY_LEADS: &[&str] = &["on", "by", "until", "since", "for"];
/// Words that make the number after them a label.
const LABELS: &[&str] = &[
    "version",
    "v",
    "ver",
    "release",
    "build",
    "chapter",
    "section",
    "page",
    "pages",
    "room",
    "step",
    "item",
    "level",
    "figure",
    "table",
    "rfc",
    "ip",
    "ratio",
    "score",
    "code",
    "ssn",
    "id",
    "tel",
    "phone",
    "fax",
    "ticket",
    "order",
    "article",
    "appendix",
    "flight",
    "bus",
    "platform",
    "gate",
    "vol",
    "volume",
    "number",
    "no",
    "nr",
    "odds",
    "latitude",
    "longitude",
    "ext",
    "isbn",
    "sku",
    "zip",
];

/// Returns whether an expression can begin at token `i`: its word can begin one, and it is not the tail of something
/// else.
pub(super) fn may_begin(parser: &Parser<'_>, i: usize) -> bool {
    let Some(t) = parser.token(i) else {
        return false;
    };
    let word = match t.kind {
        TokenKind::Word => t.lex.starts,
        TokenKind::Number => false,
        TokenKind::Sign(c) => {
            let signed =
                matches!(c, '+' | '-') && parser.glued(i + 1) && parser.digits(i + 1).is_some();
            return (matches!(c, '½' | '¼' | '¾') || signed) && !t.glued;
        }
        TokenKind::Opaque => return false,
    };
    if t.kind == TokenKind::Word && (!word || parser.one_of(i, ONLY_LEADS)) {
        return false;
    }
    if !t.glued || i == 0 {
        return !(i > 0
            && t.kind == TokenKind::Number
            && parser
                .sign(i - 1)
                .is_some_and(|c| matches!(c, '$' | '€' | '£' | '#')));
    }
    let Some(before) = parser.token(i - 1) else {
        return true;
    };
    let TokenKind::Sign(sign) = before.kind else {
        return false;
    };
    let attached = before.glued
        && parser.token(i.wrapping_sub(2)).is_some_and(|p| {
            !matches!(p.kind, TokenKind::Sign(_)) || parser.sign(i - 2) == Some('.')
        });
    let after_number = before.glued && i > 1 && parser.digits(i - 2).is_some();
    match sign {
        '$' | '€' | '£' | '#' | '_' | '=' | '&' | '%' | '\\' | '+' | '^' => false,
        '@' => !attached || after_number,
        '.' | '/' | '-' if t.kind == TokenKind::Number => {
            !attached && (sign != '-' || i < 2 || parser.digits(i - 2).is_none())
        }
        '.' => !(attached && t.lex.shy),
        '/' => !attached,
        '-' => !attached,
        ':' | ',' => !(after_number && t.kind == TokenKind::Number),
        '\'' => !attached,
        _ => true,
    }
}

/// Returns whether an expression can end at `end`: nothing that belongs to its last token follows directly.
fn may_end(parser: &Parser<'_>, end: usize) -> bool {
    let number = |i: usize| parser.digits(i).is_some();
    let last_is_number = number(end - 1);
    if !parser.glued(end) {
        return true;
    }
    let solid = |i: usize| {
        parser.glued(i)
            && parser
                .token(i)
                .is_some_and(|t| !matches!(t.kind, TokenKind::Sign(_)))
    };
    match parser.token(end).map(|t| t.kind) {
        None => true,
        Some(TokenKind::Word) => parser.past_possessive(end) > end,
        Some(TokenKind::Number | TokenKind::Opaque) => false,
        Some(TokenKind::Sign(sign)) => match sign {
            '_' | '\\' | '=' | '&' | '#' => !solid(end + 1),
            '/' | '@' => !solid(end + 1) || sign == '@' && number(end + 1),
            '%' | '°' | '$' | '€' | '£' => false,
            '+' => !last_is_number,
            '-' => !(solid(end + 1) && (last_is_number || number(end + 1))),
            '.' => {
                !(solid(end + 1)
                    && (last_is_number
                        || number(end + 1)
                        || parser.token(end - 1).is_some_and(|t| t.lex.shy)))
            }
            ':' | ',' => !(last_is_number && parser.glued(end + 1) && number(end + 1)),
            _ => true,
        },
    }
}

/// Makes the final decision on an expression from token `start` to `end`.
pub(super) fn accept(
    parser: &Parser<'_>,
    text: &str,
    said: &ParsedExpression,
    start: usize,
    end: usize,
    lead: Option<&Lead>,
) -> bool {
    if !may_end(parser, end) {
        return false;
    }
    let labelled = start > 0 && parser.digits(start).is_some() && {
        let at = if parser
            .sign(start - 1)
            .is_some_and(|c| matches!(c, ':' | '.' | '#'))
        {
            start.saturating_sub(2)
        } else {
            start - 1
        };
        parser.one_of(at, LABELS)
    };
    let whole = start == 0
        && (end == parser.tokens.len()
            || (end..parser.tokens.len())
                .all(|i| parser.sign(i).is_some_and(|c| matches!(c, '.' | '!' | '?'))));
    let scene = ExpressionContext {
        parser,
        text,
        start,
        end,
        lead: lead.map_or("", |l| l.2),
        whole,
    };
    match said {
        ParsedExpression::Set(rule) => scene.set(rule.clocks.is_empty() && rule.days.is_empty()),
        ParsedExpression::Between(first, second) => !labelled && scene.between(first, second),
        ParsedExpression::Length(amount) => !labelled && scene.length(amount),
        ParsedExpression::Moment(moment) => {
            (!labelled
                || moment.composition.alone == LonePiece::Sure && moment.composition.pieces > 1)
                && scene.moment(moment)
        }
    }
}
