//! What a day holds: events, and what is due.

use super::after;
use super::ask::{Part, QUESTION, end_of_clause, times_into};
use super::clause::Parse;
use super::cursor::Cursor;
use super::lexicon::{Noun, State};
use super::model::{Act, Ask, Pick, Request, Sel};
use super::table::phrases;

/// "What's on tomorrow", "what does my day look like", "what do I need to do today".
pub(super) fn agenda<'s, 'a>(parse: &mut Parse<'s, 'a>, cursor: &mut Cursor<'s, 'a>) -> Part {
    let first = cursor.at;
    let mut sel = Sel::of(Noun::Event);
    sel.plural = true;
    let tasks = cursor.eat_any(phrases!("what do i need to do | what do i have to finish | what do i need to finish | what do i need to get done | what do i have to get done | \
        what must i finish | what do i have to do | what should i do | what needs doing | \
        what needs to be done | what is left to do | what is on my to do list | \
        what is on my task list | what is on my list | what is due | \
        what is there to do | what must i do | what have i got to do | what have i still got to do | what have i left to do | what else do i have to do | what else do i need to do | what else have i got to do | what have i yet to do | what do i have yet to do | what have i got left to do | what do i still need to do | \
        what do i still have to do | what are my to dos | what is overdue | what is still open | \
        what am i supposed to do | what am i behind on | what should i be working on | \
        what should i work on | what is on the to do list | what is left on my list | what is left to do for | what is left for | what have i got left for | what is left | \
        what is left on my to do list | what is still on my list | what is still on my to do list | \
        anything due | is anything due | is anything overdue | anything overdue | \
        do i have anything due | do i have anything overdue | what am i late with | \
        what did i forget to do | what did i complete | what did i finish | what have i finished | what have i completed | what did i get done | what have i done | what have i forgotten to do | anything on my to do list | \
        what do i have due | what do i have left to do"));
    if tasks {
        let said = cursor
            .said
            .slice(cursor.at.saturating_sub(3)..cursor.at)
            .to_lowercase();
        sel = Sel::of(Noun::Task);
        sel.plural = true;
        if said.contains("overdue") || said.contains("behind on") || said.contains("late with") {
            sel.states.push(State::Overdue);
        }
        if ["complete", "finish", "done"]
            .iter()
            .any(|word| said.contains(word))
            && !said.contains("to be done")
            && !["to finish", "must i", "to get", "must finish"]
                .iter()
                .any(|open| said.contains(open))
        {
            sel.states.push(State::Done);
        }
        after::modifiers(cursor, &mut sel, QUESTION);
        parse.push(Request::new(Act::Query(Ask::List), sel));
        return Ok(true);
    }
    // "What does my Thursday look like", "how is my tomorrow looking".
    let mut look = *cursor;
    // "What's tomorrow look like".
    let short = look.sees(&["what is"]).is_some();
    if look.eat(&["what does", "how does", "how is", "how are", "what is"])
        && (look.eat(&["my", "our"]) || short)
        && let Some(index) = look.time()
        && look.eat(&["look like", "look", "looking", "shaping up"])
    {
        sel.when.push(index);
        *cursor = look;
        after::modifiers(cursor, &mut sel, QUESTION);
        parse.push(Request::new(Act::Query(Ask::List), sel));
        return Ok(true);
    }
    let any = cursor.eat_any(phrases!("is there anything | do i have anything | have i got anything | anything | is anything | \
        do i have something | is there something | have i anything | do i have any plans | any plans | \
        do i have plans | have i got any plans | do we have anything | do i already have anything | \
        do i have stuff | am i doing anything | are we doing anything | am i up to anything | is anything going on | is anything happening | is there anything going on | any reply | any replies | any answer | any response | any mail back | any news | is there any news | any word | is there any word | am i booked for anything | do i need to be anywhere | do i have to be anywhere | do i need to be somewhere | \
        is it true that i have anything | is it true that i have something | have i anything on"));
    let list = !any && cursor.eat_any(phrases!("what is on my calendar | what is on my schedule | what is on my agenda | \
        what is in my calendar | what is in my diary | what is in my schedule | \
        what is on the calendar | what is on the agenda | what is on my plate | what is on | what is up | what is on for me | what is in store for me | what is lined up | what is happening | \
        what is going on | what is coming up | what is next | what do i have on | \
        what do i have going on | what do i have planned | what do i have scheduled | what do i have | \
        what have i got on | what i have got on | what i have on | what is on for today | what i have got planned | what i have planned | what have i got planned | what have i got | what am i doing | \
        what have i planned | what is planned | what is scheduled | what is my schedule | \
        what is my agenda | what is my day | what does my day look like | \
        what does my schedule look like | what does my calendar look like | \
        what does my week look like | what does my agenda look like | how does my day look | what am i up to | what am i looking at | \
        how does my calendar look | how does my schedule look | how does my week look | how is my day | \
        how is my day looking | how is my schedule | how is my schedule looking | \
        how is my calendar looking | what are my plans | what is the plan | what is my plan | \
        what did i do | what did i have | what was on my calendar | what was on my schedule | \
        what was on | how busy am i | how full is my calendar | what do we have | what does | \
        how does | what is my calendar | what will i be doing | what was i doing | what did i have on | \
        what is ahead | what awaits me | what is my day like | what is my week like | \
        what are my appointments | what are my meetings | brief me on | run me through | \
        how packed is my day | what else do i have | what else is on my calendar | how does it look | \
        what is the rest of | what my week looks like | what my day looks like | what my calendar looks like | what my schedule looks like | \
        is it true that i have nothing on | is it true that i have nothing | am i right that i have nothing | do i really have nothing | \
        do i have nothing | have i got nothing | agenda for | my agenda for | schedule for | my schedule for | my calendar for | how my week looks | how my day looks"));
    if !any && !list {
        return Ok(false);
    }
    // "Anything new from Grace since yesterday?"
    if any && cursor.word(0) == "new" && cursor.word(1) == "from" {
        cursor.at += 1;
    }
    // "Anything from the bank this week?"
    if any && cursor.word(0) == "from" && cursor.sees_time().is_none() {
        let mut mail = Sel {
            plural: true,
            ..Sel::of(Noun::Mail)
        };
        after::modifiers(cursor, &mut mail, QUESTION);
        parse.push(Request::new(Act::Query(Ask::Any), mail));
        return Ok(true);
    }
    let said = cursor.at;
    let bare = matches!(
        cursor
            .said
            .slice(said.saturating_sub(2)..said)
            .to_lowercase()
            .as_str(),
        "what does" | "how does"
    );
    let next = cursor
        .said
        .pieces
        .get(said.wrapping_sub(1))
        .is_some_and(|piece| piece.word == "next");
    if next {
        sel.pick = Some(Pick::Next(1));
    }
    // "What is on the second page", "what does HTTP mean": only a calendar question when nothing else remains.
    let kinds = after::sees_noun(cursor);
    if kinds.is_some_and(|kind| kind != Noun::Event) && !bare {
        return Ok(false);
    }
    let start = *cursor;
    for _ in 0..6 {
        let before = cursor.at;
        after::modifiers(cursor, &mut sel, QUESTION);
        times_into(cursor, &mut sel);
        cursor.eat_any(phrases!("for me | for us | look like | looking | look | have in store | for | like | on my calendar | on my agenda | \
        going on | planned | scheduled | 's calendar | 's schedule | 's agenda | else | my calendar | \
        my schedule | my day | my week | lined up | the day | calendar wise | coming up | happening | \
        in my calendar | calendar | schedule | agenda | on | to do | my agenda | 's | of | my evening | \
        my morning | my afternoon | is | up"));
        if cursor.at == before {
            break;
        }
    }
    if !end_of_clause(cursor) || bare && sel.when.is_empty() {
        *cursor = start;
        return Ok(false);
    }
    // "What do I have in my inbox".
    if super::folder::holds_mail(&parse.said.pieces[first..cursor.at]) {
        sel.noun = Some(Noun::Mail);
        sel.said = true;
        let ask = if any { Ask::Any } else { Ask::List };
        parse.push(Request::new(Act::Query(ask), sel));
        return Ok(true);
    }
    // A day is its events and what is due, unless only the calendar was asked about.
    let only_events = (first..cursor.at).any(|at| {
        let word = parse.said.pieces[at].base.as_str();
        matches!(
            word,
            "calendar"
                | "schedule"
                | "agenda"
                | "diary"
                | "meeting"
                | "appointment"
                | "event"
                | "did"
                | "was"
                | "next"
                | "book"
                | "with"
        )
    });
    let tasks = (!only_events
        && !any
        && !sel.when.is_empty()
        && sel.with.is_empty()
        && sel.place.is_none())
    .then(|| Sel {
        plural: true,
        when: sel.when.clone(),
        span: sel.span.clone(),
        ..Sel::of(Noun::Task)
    });
    parse.push(Request::new(
        Act::Query(if any { Ask::Any } else { Ask::List }),
        sel,
    ));
    if let Some(tasks) = tasks {
        parse.push(Request::new(Act::Query(Ask::List), tasks));
    }
    Ok(true)
}
