//! `adjutant-local MODEL.gguf` reads requests from standard input and writes replies to standard output; see
//! `adjutant_local::wire`. `adjutant-local --look MODEL.gguf` describes the file.

use std::io::{BufReader, stdin, stdout};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use adjutant_local::{look, serve};

/// Time without requests after which the process ends and frees its memory.
const IDLE: Duration = Duration::from_secs(10 * 60);

fn main() -> ExitCode {
    let mut args: Vec<_> = std::env::args_os().skip(1).collect();
    let only_look = args.first().is_some_and(|first| first == "--look");
    if only_look {
        args.remove(0);
    }
    let [file] = args.as_slice() else {
        eprintln!("This is a part of Adjutant: adjutant-local [--look] MODEL.gguf");
        return ExitCode::from(2);
    };
    let file = PathBuf::from(file);
    let done = if only_look {
        look(&file, &mut stdout().lock())
    } else {
        let input = BufReader::new(stdin());
        // The app is gone, for whatever reason. Nothing is left to do, even in the middle of an answer.
        let gone = || std::process::exit(0);
        serve(&file, input, &mut stdout().lock(), IDLE, gone)
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(fault) => {
            eprintln!("{fault}");
            ExitCode::FAILURE
        }
    }
}
