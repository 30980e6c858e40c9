//! Politeness and detours around a request: what says nothing about what is wanted.

use super::table::phrases;
use std::sync::LazyLock;

use super::cursor::Cursor;
use super::lexicon::VERBS;
use super::said::Form;
use super::table::Table;

/// What an opener tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Opener {
    /// Nothing.
    Plain,
    /// That the person has to do something themselves ("I need to …").
    Duty,
    /// That a question may follow ("do you know …").
    Wonder,
}

static OPENERS: LazyLock<Table<Opener>> = LazyLock::new(|| {
    Table::new(&[
        (
            "check my calendar and | look at my calendar and | look in my calendar and | check my schedule and | check my diary and | check my inbox and | \
             look in my inbox and | look at my inbox and | check my mail and | check my emails and | go through my calendar and | check my tasks and | \
             check my notes and | have a look at my calendar and | hey | hi | hello | ok | okay | so | well | um | uh | uhm | hmm | please | kindly | just | also | then | now | actually | alright | right | great | perfect | cool | nice | good | thanks | thank you | thx | ta | cheers | sorry | quickly | adjutant | hey adjutant | sure | oh | ah | and | but | finally | lastly | hey there | hi there | dear adjutant | good morning | good afternoon | good evening | listen | look | assistant | buddy | mate | anyway | after that | afterwards | in addition | additionally | furthermore | plus | wait | hang on | no | nope | yes | yeah | yep | secondly | first | firstly | oh and | next up | meanwhile | hopefully | next thing | before i forget | sorry for the short notice | sorry to bother you | sorry to bother | excuse me | apologies | one last thing | one other thing | morning | afternoon | evening | good day | hello there | hiya | howdy | yo | hope you are good | hope you are well | hope you are doing well | i hope you are well | i hope you are doing well | hope all is well | hope all is good | hope you had a good weekend | hope this finds you well | if not too much trouble | if you are not too busy | by the way | btw | on another note | real quick | quick thing | quick favor | quick favour | fyi | honestly | basically | maybe | perhaps | sadly | unfortunately | first of all | for starters",
            Opener::Plain,
        ),
        (
            "if its not too much trouble | if it is not too much trouble | if it is no trouble | if that is ok | if that is okay | if it is ok | if it is okay | i was wondering whether you could | i was wondering whether you could possibly | i was wondering if you could possibly | i wonder whether you could | i would appreciate it if | can you | could you | would you | will you | can we | could we | can i | could i | may i | can u | could u | would u | can you please | are you able to | would you be able to | will you be able to | would you mind | do you mind | would it be possible to | would it be possible for you to | is it possible to | is it possible for you to | is there any way to | is there a way to | is there any way you could | is there any way you can | any chance you could | any chance you can | any chance that you could | is there any chance you could | could i get you to | can i get you to | may i ask you to | could you possibly | can you possibly | could you help me | can you help me | can you help me to | could you help me to | i need your help to | need your help to | help | it would be great if you could | it would be great if | it would be great to | would be great if you could | would be great if you can | it would be nice if you could | it would be helpful if you could | it would be good if you could | it would be lovely if you could | it would be wonderful if you could | it would be awesome if you could | it would help if you could | would be nice if you could | would be good if you could | would be lovely if you could | would be great if | i was wondering if you could | i was wondering if you can | i was wondering whether you could | i wonder if you could | i am wondering if you could | i am wondering if you can | wondering if you could | i was hoping you could | i was hoping you would | i am hoping you can | i hope you can | i would appreciate it if you could | i would appreciate it if you would | i would appreciate if you could | i would be grateful if you could | i would be glad if you could | would you be so kind as to | be so kind as to | would you kindly | do me a favor and | do me a favour and | do me a favor | do me a favour | go ahead and | help me | help me to | help me with | make sure to | make sure you | make sure that you | be sure to | try to | if you can | if you could | if you would | if you do not mind | if possible | when you get a chance | when you have a moment | when you have a minute | when you have time | when you can | quick one | quick question | one more thing | for me | i want you to | i would like you to | i need you to | i would love for you to | i would like for you to | you should | you need to | you can | you could | you must | let us | let us go ahead and | i think you should | i think we should | my request is to | please help me | please help me to | what i need is to | what i want is to | i would like it if you could | would it be ok to | would it be okay to | is it ok to | is it okay to | shall we | could we please | start by | i am asking you to | i ask you to | as a favor | as a favour | feel free to | could someone | can someone | i would prefer to | i would rather | i would prefer it if you could | i want us to | need you to | want you to | i need | i would like | it is time to | time to | i am looking to | looking to | i am going to need you to | mind | care to | i wish to | i wish you would | what about if you | how about you | you can go ahead and",
            Opener::Plain,
        ),
        (
            "i want to | i would like to | i would love to | i wanna | want to | would like to | would love to | i am trying to | trying to | i am hoping to | we want to | we would like to | like to | i was going to | i plan to | i intend to | i am planning to",
            Opener::Plain,
        ),
        (
            "i need to | i must not forget to | i can not forget to | i should not forget to | i do not want to forget to | i need to remember to | \
             i have to remember to | i must remember to | i should remember to | i should really | i really have to | i still need to | i still have to | i also need to | i also have to | i absolutely have to | i absolutely must | i absolutely need to | i really must | i really ought to | we really need to | i had better | i better | i still have got to | i have to have to | i have to | i have got to | i got to | i must | i should | i ought to | need to | have to | we need to | we should | we have to | we must | i really need to | i really should | i am going to | i will need to | i will have to | i am supposed to | gotta",
            Opener::Duty,
        ),
        (
            "do you know | do you happen to know | can you tell me | could you tell me | can you remind me | tell me | please tell me | i want to know | i would like to know | i need to know | i wonder | i was wondering | i am wondering | let me know | can you see | can you check | could you check | could you see | check | please check | check to see | can you let me know | could you let me know | any idea | do you remember | can you remember | i can not remember | i do not remember | can not remember | remind me | can you look up | can you confirm | could you confirm | see | can you find out | find out | figure out | i forgot | can you say | what i want to know is | i am curious | curious | tell me please | just tell me",
            Opener::Wonder,
        ),
    ])
});

static CLOSERS: LazyLock<Table<()>> = LazyLock::new(|| {
    Table::new(&[
        (
            "please | thanks | thank you | thank you very much | thank you so much | thanks a lot | many thanks | thanks so much | thanks in advance | thank you in advance | for me | for us | now | right now | right away | immediately | straight away | asap | as soon as possible | at once | if you can | if you could | if possible | if that is ok | if that is okay | if that is possible | if you do not mind | if you would | ok | okay | would you | will you | could you | can you | cheers | too | as well | also | again | instead | then | at your convenience | when you get a chance | when you have a moment | when you have a minute | when you can | any more | anymore | any longer | adjutant | mate | buddy | man | dear | i appreciate it | much appreciated | appreciated | that would be great | that would be lovely | that would be helpful | that would be good | that would be nice | that would be awesome | and that is it | that is all | that is it | will do | is that ok | is that okay | is that possible | is it possible | please and thank you | permanently | completely | entirely | altogether | for good | for now | for real | lol | haha | at all | exactly | really | actually | quickly | quick | somewhere | in there | alright | right | just in case | at the moment | currently | so far | yet | already | and so on | etc | or so | sometime | some time | if need be | if needed | if necessary | if i have one | if i have any | if there is one | if there are any | if any | so i can | and thanks | from now on | thx | it is urgent | this is urgent | urgently | do not ask | without asking | because i am busy | only | around here | whenever you can | whenever | if that makes sense | good to go | thanks again | have a nice day | have a good day | for the time being | off the top | off | away",
            (),
        ),
        (
            "it was a mistake | that was a mistake | it is a mistake | it is no longer needed | it is not needed any more | it is not needed anymore | it is not needed | i do not need it any more | i do not need it anymore | i do not need it | i no longer need it | we do not need it any more | we do not need it | it is not happening | it is off | she can not make it | he can not make it | they can not make it | something came up | i can not make it | can you do that | can you do that for me | can you do it | can you do it for me | could you do that | could you do that for me | could you do it | could you do this | can you do this | can you do this for me | would you do that | would you do that for me | will you do that | please do that | please do it | please do so | do that | do it | do this | please do | can you handle that | could you handle that | can you handle it | could you handle it | can you take care of that | could you take care of that | can you take care of it | could you take care of it | please take care of it | please take care of that | take care of it | take care of that | can you help | can you help me | can you help with that | could you help with that | can you help me with that | could you help me with that | can you sort that out | can you sort that | can you sort it | can you sort it out | sort that out | can you make that happen | could you make that happen | make it happen | make that happen | would that be possible | would that be ok | is that something you can do | is this possible | can we do that | can you manage that | can you see to that | could you see to it | could you arrange that | can you arrange that | can you get that done | can you please do that | please help | please help me",
            (),
        ),
    ])
});

/// Reads every opener; what the last telling one said.
pub(super) fn open(cursor: &mut Cursor<'_, '_>) -> Opener {
    let mut told = Opener::Plain;
    loop {
        cursor.skip_marks();
        // "Do cancel it", and "can you do delete them".
        if cursor.word(0) == "do" && verb_follows(cursor, 1) {
            cursor.at += 1;
            continue;
        }
        let Some((opener, len)) = cursor.sees_in(&OPENERS) else {
            return told;
        };
        if is_request_itself(cursor, len) {
            return told;
        }
        cursor.at += len;
        if opener != Opener::Plain {
            told = opener;
        }
    }
}

/// Some openers are also requests: "remind me to …", "check off …", "see Bob".
fn is_request_itself(cursor: &Cursor<'_, '_>, len: usize) -> bool {
    // "Check my calendar and tell me …".
    if len > 2 && cursor.word(len - 1) == "and" {
        return false;
    }
    let verb = cursor.sees_in(&VERBS);
    if verb.is_some_and(|(_, longer)| longer > len) {
        return true;
    }
    let mut after = *cursor;
    after.at += len;
    let asks = after
        .sees_any(phrases!("what | when | where | who | which | how | if | whether | do i | is there | are there | am i | \
        have i"))
        .is_some();
    match (cursor.peek(0).map_or("", |piece| piece.base.as_str()), len) {
        ("remind", 2) => !asks,
        ("do" | "can", 3) if cursor.word(2) == "remember" => !asks,
        ("check" | "see" | "tell" | "find" | "figure" | "let", _) => !asks,
        ("next", _) => true,
        ("i", _) if cursor.word(1) == "need" && len == 2 => after.is_done(),
        ("mind" | "care" | "need", 1) => true,
        ("good" | "first" | "right" | "great", 1) => {
            !matches!(after.word(0), "" | "," | "." | "!") && !verb_follows(&after, 0)
        }
        // "I'm going to be late": a remark.
        ("i" | "we", _) if cursor.word(len - 1) == "to" && after.word(0) == "be" => true,
        ("no", 1) => after.is_content(0) && after.word(0) != "actually" && !verb_follows(&after, 0),
        _ => false,
    }
}

fn verb_follows(cursor: &Cursor<'_, '_>, ahead: usize) -> bool {
    let mut after = *cursor;
    after.at += ahead;
    after.sees_in(&VERBS).is_some()
}

/// Reads every closer and mark; whether that was all there is.
pub(super) fn close(cursor: &mut Cursor<'_, '_>) -> bool {
    loop {
        cursor.skip_marks();
        let Some((_, len)) = cursor.sees_in(&CLOSERS) else {
            break;
        };
        cursor.at += len;
    }
    cursor.is_done() || cursor.peek(0).is_some_and(|piece| piece.form == Form::Mark)
}

/// Whether nothing but words that may as well belong to a text ("again", "now", "too") fill the rest.
pub(super) fn may_be_text(cursor: &Cursor<'_, '_>) -> bool {
    (cursor.at..cursor.end).all(|at| {
        let piece = &cursor.said.pieces[at];
        piece.form == Form::Mark
            || matches!(
                piece.word.as_str(),
                "again"
                    | "now"
                    | "too"
                    | "only"
                    | "already"
                    | "instead"
                    | "yet"
                    | "off"
                    | "away"
                    | "first"
                    | "any"
                    | "more"
                    | "anymore"
                    | "at"
                    | "all"
                    | "for"
                    | "good"
                    | "then"
                    | "currently"
                    | "completely"
                    | "entirely"
                    | "permanently"
                    | "longer"
            )
    })
}

/// Whether closers and marks fill the rest, without reading them.
pub(super) fn only_closers(cursor: &Cursor<'_, '_>) -> bool {
    // "Kick-off" is one word, its hyphen read or not.
    let tied = cursor
        .at
        .checked_sub(1)
        .and_then(|at| cursor.said.pieces.get(at))
        .zip(cursor.peek(0))
        .is_some_and(|(last, here)| {
            let hyphen = |text: Option<&str>| text == Some("-");
            let source = cursor.said.source;
            hyphen(source.get(last.span.end..here.span.start))
                || here.span.start == last.span.end
                    && (here.word == "-" && !cursor.said.pieces[cursor.at].ends || last.word == "-")
        });
    if tied {
        return false;
    }
    let mut rest = *cursor;
    close(&mut rest) && rest.is_done()
}
