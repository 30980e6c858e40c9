//! The process: answers one request after another until no more arrive.

use std::collections::BTreeSet;
use std::io::{BufRead, Read as _, Write};
use std::path::Path;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use crate::fault::LocalFault;
use crate::head::Head;
use crate::model::LocalModel;
use crate::wire::{LINE_BYTES_MAX, Reply, Request};

/// Highest number of requests that wait. The app sends one at a time.
const WAITING_MAX: usize = 16;
/// Highest number of stopped requests that are remembered.
const STOPPED_MAX: usize = 64;

/// Numbers of the requests that are no longer wanted.
#[derive(Default)]
struct Unwanted(Mutex<BTreeSet<u64>>);

impl Unwanted {
    fn add(&self, id: u64) {
        let mut stopped = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        stopped.insert(id);
        while stopped.len() > STOPPED_MAX {
            stopped.pop_first();
        }
    }

    fn has(&self, id: u64) -> bool {
        let stopped = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        stopped.contains(&id)
    }
}

/// Loads the model and answers the requests from `input` on `output`. Returns after `idle` without a request, if the
/// model cannot be loaded, or when nobody reads `output` any more. Calls `gone` from another thread when `input`
/// ends, because the app is then gone.
///
/// # Errors
/// When the model cannot be loaded; `output` has been told too.
pub fn serve(
    file: &Path,
    input: impl BufRead + Send + 'static,
    output: &mut dyn Write,
    idle: Duration,
    gone: impl FnOnce() + Send + 'static,
) -> Result<(), LocalFault> {
    let (sender, requests) = sync_channel(WAITING_MAX);
    let unwanted = Arc::new(Unwanted::default());
    let listening = unwanted.clone();
    // This thread is not joined: it blocks on `input`, which ends with this process or with the app.
    std::thread::Builder::new()
        .name("requests".into())
        .spawn(move || {
            listen(input, &sender, &listening);
            drop(sender);
            gone();
        })
        .map_err(|why| LocalFault::Failed(why.to_string()))?;
    work(file, &requests, &unwanted, output, idle)
}

/// Describes a file on `output` without loading it.
///
/// # Errors
/// When the file cannot be read or used; `output` has been told too.
pub fn look(file: &Path, output: &mut dyn Write) -> Result<(), LocalFault> {
    let looked = Head::read(file);
    let reply = match &looked {
        Ok(head) => Reply::Looked {
            name: head.name(),
            window: head.window,
            memory: head.memory,
        },
        Err(fault) => fault_of(None, fault),
    };
    tell(output, &reply).map_err(|why| LocalFault::Failed(why.to_string()))?;
    looked.map(drop)
}

/// Reads requests until the input ends or one cannot be read.
fn listen(mut input: impl BufRead, requests: &SyncSender<Request>, unwanted: &Unwanted) {
    loop {
        let mut line = Vec::new();
        let read = input
            .by_ref()
            .take(LINE_BYTES_MAX)
            .read_until(b'\n', &mut line);
        if !read.is_ok_and(|bytes| bytes > 0) || line.last() != Some(&b'\n') {
            return;
        }
        match serde_json::from_slice(&line) {
            Ok(Request::Stop { id }) => unwanted.add(id),
            Ok(request) => {
                if requests.send(request).is_err() {
                    return;
                }
            }
            Err(_) => return,
        }
    }
}

fn work(
    file: &Path,
    requests: &Receiver<Request>,
    unwanted: &Unwanted,
    output: &mut dyn Write,
    idle: Duration,
) -> Result<(), LocalFault> {
    let mut model = match LocalModel::open(file) {
        Ok(model) => model,
        Err(fault) => {
            // Nobody may be reading any more, so the fault is returned as well.
            let _ = tell(output, &fault_of(None, &fault));
            return Err(fault);
        }
    };
    let ready = Reply::Ready {
        name: model.name().to_owned(),
        window: model.window(),
    };
    if tell(output, &ready).is_err() {
        return Ok(());
    }
    loop {
        match requests.recv_timeout(idle) {
            Ok(request) => {
                if answer(&mut model, request, unwanted, output).is_err() {
                    return Ok(());
                }
            }
            Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => return Ok(()),
        }
    }
}

/// Answers one request. Fails if nobody reads the replies any more.
fn answer(
    model: &mut LocalModel,
    request: Request,
    unwanted: &Unwanted,
    output: &mut dyn Write,
) -> std::io::Result<()> {
    let Request::Generate {
        id,
        system,
        messages,
        schema,
        max_tokens,
    } = request
    else {
        return Ok(());
    };
    let mut broken = Ok(());
    let mut say = |text: &str| {
        let text = text.to_owned();
        if broken.is_ok() {
            broken = tell(output, &Reply::Token { id, text });
        }
    };
    let wanted = || !unwanted.has(id);
    let answered = model.answer(
        &system,
        &messages,
        schema.as_ref(),
        max_tokens,
        &wanted,
        &mut say,
    );
    broken?;
    match answered {
        Ok(answered) => tell(
            output,
            &Reply::End {
                id,
                stop: answered.stop,
                input: answered.input,
                output: answered.output,
            },
        ),
        Err(fault) => tell(output, &fault_of(Some(id), &fault)),
    }
}

fn fault_of(id: Option<u64>, fault: &LocalFault) -> Reply {
    Reply::Fault {
        id,
        code: fault.code().to_owned(),
        why: fault.to_string(),
    }
}

fn tell(output: &mut dyn Write, reply: &Reply) -> std::io::Result<()> {
    serde_json::to_writer(&mut *output, reply)?;
    output.write_all(b"\n")?;
    output.flush()
}
