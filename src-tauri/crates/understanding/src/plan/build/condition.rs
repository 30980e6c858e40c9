//! Conditions as a reading step and a test of what it gave.

use adjutant_domain::ids::StepKey;
use adjutant_domain::plan::condition::Op;
use adjutant_domain::plan::{Condition, Operand};
use serde_json::json;

use super::super::clause::{Unread, Why};
use super::super::lexicon::Noun;
use super::super::model::{Cond, Sel, Test};
use super::filter::{self, Purpose};
use super::{Builder, at, read, when};
use crate::time::Relation;

impl Builder<'_, '_, '_> {
    /// The condition of an index; its reading step is added once.
    pub(super) fn condition(&mut self, index: usize) -> Result<Condition, Unread> {
        if let Some((_, condition)) = self.conds.get(&index) {
            return Ok(condition.clone());
        }
        let Some(cond) = self.parse.conds.get(index).cloned() else {
            return Err(Unread {
                span: None,
                why: Why::Nothing,
            });
        };
        let mut cond = cond;
        self.borrow_time(index, &mut cond);
        let (key, condition) = self.condition_step(&cond)?;
        let condition = if cond.negated {
            not(condition)
        } else {
            condition
        };
        self.conds.insert(index, (key, condition.clone()));
        Ok(condition)
    }

    /// "… tomorrow at 2 unless I'm busy", "tomorrow's gym if I have a meeting before 8": what the condition does not say
    /// about when is what the request says.
    fn borrow_time(&self, index: usize, cond: &mut Cond) {
        let Some(request) = self
            .parse
            .requests
            .iter()
            .find(|request| request.cond.is_some_and(|(at, _)| at == index))
        else {
            return;
        };
        let dated = |list: &[usize]| -> Vec<usize> {
            list.iter()
                .copied()
                .filter(|index| {
                    self.said
                        .times
                        .get(*index)
                        .is_some_and(|found| found.has_day)
                })
                .collect()
        };
        let free = matches!(cond.test, Test::Free(_));
        if free && cond.sel.when.is_empty() {
            cond.sel.when = if request.vals.times.is_empty() {
                request.sel.when.clone()
            } else {
                request.vals.times.clone()
            };
            return;
        }
        let clock_only = !cond.sel.when.is_empty()
            && dated(&cond.sel.when).is_empty()
            && cond.within_minutes.is_none()
            && cond.sel.when.iter().all(|index| {
                self.said
                    .times
                    .get(*index)
                    .is_some_and(|found| found.clock.is_some())
            });
        if clock_only && cond.sel.noun != Some(Noun::Mail) {
            let days = if dated(&request.sel.when).is_empty() {
                dated(&request.vals.times)
            } else {
                dated(&request.sel.when)
            };
            cond.sel.days = days;
        }
    }

    fn condition_step(&mut self, cond: &Cond) -> Result<(StepKey, Condition), Unread> {
        let text = self.text(cond.span);
        let unread = || Unread {
            span: cond.span,
            why: Why::Words(text.clone()),
        };
        let words = Some(text.clone());
        if let Test::Free(free) = cond.test {
            let (args, say) =
                read::free_args(self.said, &cond.sel, None, "free").ok_or_else(unread)?;
            let key = self.read("calendar.free", args, say, words, "to check the condition")?;
            let condition = Condition::new(Op::Eq, vec![at(&key, "/is_free"), json!(free)]);
            return Ok((key, condition));
        }
        if let Test::Like(like, expected) = &cond.test {
            return self.like_step(cond, like, *expected);
        }
        let mut sel = cond.sel.clone();
        sel.plural = true;
        // "If Kim hasn't replied by tomorrow noon": nobody can know yet.
        let now = self.said.utterance.now;
        let awaited = sel.noun == Some(Noun::Mail)
            && sel.when.iter().any(|index| {
                self.said.times.get(*index).is_some_and(|found| {
                    matches!(found.relation, Relation::By | Relation::Until)
                        && found
                            .value
                            .stretch(now)
                            .is_some_and(|(start, _)| start > *now)
                })
            });
        let to_come = awaited
            || sel.noun == Some(Noun::Mail)
                && sel.when.iter().any(|index| {
                    self.said
                        .times
                        .get(*index)
                        .and_then(|found| found.value.stretch(now))
                        .is_some_and(|(start, _)| start > *now)
                })
                && sel.when.iter().all(|index| {
                    self.said
                        .time(*index, true)
                        .and_then(|found| found.value.stretch(now))
                        .is_some_and(|(start, _)| start > *now)
                });
        if to_come {
            return Err(Unread {
                span: cond.span,
                why: Why::CanNot(
                    "Whether that will be so is not known yet, so I have done nothing. Ask again then, or say it of what there is now."
                        .to_owned(),
                ),
            });
        }
        if cond.within_minutes.is_some() {
            sel.when.clear();
            sel.states
                .retain(|state| *state != super::super::lexicon::State::Future);
        }
        let mut filter = filter::filter(self.said, &sel, Purpose::Read).ok_or_else(unread)?;
        if let Some(minutes) = cond.within_minutes {
            let now = self.said.utterance.now;
            let from = now
                .checked_sub(jiff::Span::new().minutes(minutes))
                .map_err(|_| unread())?;
            let (since, until) = if sel.noun == Some(Noun::Mail) {
                ("since", None)
            } else {
                ("from", Some("to"))
            };
            filter.args.insert(
                since.into(),
                json!(adjutant_domain::moment::Moment::At(from.clone())),
            );
            if let Some(until) = until {
                filter.args.insert(
                    until.into(),
                    json!(adjutant_domain::moment::Moment::At(now.clone())),
                );
            }
            filter.words = format!("{}, since {}", filter.words, when::instant_words(&from));
        }
        let tool = tool_of(sel.noun);
        if filter
            .pick
            .as_ref()
            .is_some_and(|pick| pick == "one" || pick == "all")
        {
            filter.pick = None;
        }
        if let Some(pick) = filter.pick {
            filter.args.insert("pick".into(), pick);
        }
        filter.args.insert("ask".into(), json!("any"));
        let say = format!("Look for {}", filter.words);
        let key = self.read(tool, filter.args, say, words, "to check the condition")?;
        let condition = match cond.test {
            Test::Exists(true) => Condition::new(Op::NotEmpty, vec![at(&key, "/ids")]),
            Test::Exists(false) => Condition::new(Op::Empty, vec![at(&key, "/ids")]),
            Test::Count(order, n) => {
                let op = match order {
                    std::cmp::Ordering::Greater => Op::Gt,
                    std::cmp::Ordering::Less => Op::Lt,
                    std::cmp::Ordering::Equal => Op::Eq,
                };
                Condition::new(op, vec![at(&key, "/count"), json!(n)])
            }
            Test::Free(_) | Test::Like(..) => return Err(unread()),
        };
        Ok((key, condition))
    }

    /// Whether what one step finds is like something: a second step looks among what the first found.
    fn like_step(
        &mut self,
        cond: &Cond,
        like: &Sel,
        expected: bool,
    ) -> Result<(StepKey, Condition), Unread> {
        let text = self.text(cond.span);
        let unread = || Unread {
            span: cond.span,
            why: Why::Words(text.clone()),
        };
        let tool = tool_of(cond.sel.noun);
        let found = filter::filter(self.said, &cond.sel, Purpose::Read).ok_or_else(unread)?;
        let mut args = found.args;
        if let Some(pick) = found.pick.filter(|pick| pick != "one" && pick != "all") {
            args.insert("pick".into(), pick);
        }
        let say = format!("Look for {}", found.words);
        let first = self.read(
            tool,
            args,
            say,
            Some(text.clone()),
            "to check the condition",
        )?;
        let mut like = like.clone();
        let clocks = self.clocks_out(&mut like);
        let inner = filter::filter(self.said, &like, Purpose::Read).ok_or_else(unread)?;
        let mut args = inner.args;
        args.extend(clocks);
        args.insert("ids".into(), at(&first, "/ids"));
        args.insert("ask".into(), json!("any"));
        let say = format!("Check whether it is so: {text}");
        let key = self.read(
            tool,
            args,
            say,
            Some(text.clone()),
            "to check the condition",
        )?;
        let condition = if expected {
            Condition::new(Op::NotEmpty, vec![at(&key, "/ids")])
        } else {
            both(
                Condition::new(Op::NotEmpty, vec![at(&first, "/ids")]),
                Condition::new(Op::Empty, vec![at(&key, "/ids")]),
            )
        };
        Ok((key, condition))
    }

    /// Times of day without a day, as bounds on the time of day an event begins.
    fn clocks_out(&self, like: &mut Sel) -> serde_json::Map<String, serde_json::Value> {
        let mut out = serde_json::Map::new();
        if like.noun != Some(Noun::Event) {
            return out;
        }
        like.when.retain(|index| {
            let Some(found) = self.said.times.get(*index) else {
                return true;
            };
            let morning =
                super::super::said::policy(self.said.utterance.settings).first_morning_hour;
            // "In the morning", whatever the day.
            if found.grain == crate::time::Grain::Part
                && !found.has_day
                && let crate::time::Value::Interval { start, .. } = &found.value
            {
                let part = match start.hour() {
                    ..12 => "morning",
                    12..17 => "afternoon",
                    _ => "evening",
                };
                out.insert("part_of_day".into(), json!(part));
                return false;
            }
            let Some(clock) = found.clock_elsewhere(morning).filter(|_| !found.has_day) else {
                return true;
            };
            let text = |clock: jiff::civil::Time| json!(clock.strftime("%H:%M").to_string());
            match found.relation {
                Relation::Before | Relation::By | Relation::Until => {
                    out.insert("starts_before".into(), text(clock));
                }
                Relation::After | Relation::From | Relation::Since => {
                    out.insert("starts_after".into(), text(clock));
                }
                _ => {
                    out.insert("starts_after".into(), text(clock));
                    let next = clock.wrapping_add(jiff::SignedDuration::from_mins(1));
                    out.insert("starts_before".into(), text(next));
                }
            }
            false
        });
        out
    }
}

/// The tool that reads things of a kind.
fn tool_of(noun: Option<Noun>) -> &'static str {
    match noun {
        Some(Noun::Mail) => "email.search",
        Some(Noun::Task | Noun::Reminder) => "task.list",
        Some(Noun::Note) => "note.list",
        _ => "calendar.list",
    }
}

/// The opposite.
pub(super) fn not(condition: Condition) -> Condition {
    let flipped = match condition.op {
        Op::Empty => Op::NotEmpty,
        Op::NotEmpty => Op::Empty,
        Op::Eq => Op::Ne,
        Op::Ne => Op::Eq,
        Op::Lt => Op::Ge,
        Op::Ge => Op::Lt,
        Op::Gt => Op::Le,
        Op::Le => Op::Gt,
        _ => {
            return Condition {
                op: Op::Not,
                args: vec![Operand::Condition(Box::new(condition))],
            };
        }
    };
    Condition {
        op: flipped,
        ..condition
    }
}

/// Both.
pub(super) fn both(one: Condition, other: Condition) -> Condition {
    Condition {
        op: Op::And,
        args: vec![
            Operand::Condition(Box::new(one)),
            Operand::Condition(Box::new(other)),
        ],
    }
}
