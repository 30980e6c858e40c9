//! `adjutant-local MODEL.gguf`: requests on standard input, replies on standard output; see `adjutant_local::wire`.

use std::io::{BufReader, stdin, stdout};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use adjutant_local::serve;

/// A model that nobody asks gives its memory back after this time.
const IDLE: Duration = Duration::from_secs(10 * 60);

fn main() -> ExitCode {
    let mut args = std::env::args_os().skip(1);
    let (Some(file), None) = (args.next(), args.next()) else {
        eprintln!("This is a part of Adjutant: adjutant-local MODEL.gguf");
        return ExitCode::from(2);
    };
    let input = BufReader::new(stdin());
    // Whoever asked is gone, however it went: nothing is left to do, even in the middle of an answer.
    let gone = || std::process::exit(0);
    match serve(
        &PathBuf::from(file),
        input,
        &mut stdout().lock(),
        IDLE,
        gone,
    ) {
        Ok(()) => ExitCode::SUCCESS,
        Err(fault) => {
            eprintln!("{fault}");
            ExitCode::FAILURE
        }
    }
}
