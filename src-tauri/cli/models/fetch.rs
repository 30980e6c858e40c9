//! `models fetch`: downloads a model file after the person agreed to its size and licence.

use std::io::IsTerminal as _;

use adjutant::session::Session;
use adjutant_api::models::{AgreedTo, ModelFilesView, ModelOfferView};
use adjutant_api::{Fault, Reply, Request};
use adjutant_models::fetch::size_text;
use serde_json::json;

use crate::{End, print, progress, reply, unexpected};

/// Template of the progress bar: downloaded and total bytes, and remaining time.
const BAR: &str = "{bar:30} {bytes}/{total_bytes} {eta} {msg}";

/// Lists the files known by name.
pub(super) async fn list(session: &Session, as_json: bool) -> Result<End, Fault> {
    let files = files(session).await?;
    if as_json {
        print::json(&files);
        return Ok(End::Finished);
    }
    for one in &files.known {
        print::line(&format!(
            "{}: {} by {}, {}",
            one.name, one.title, one.by, one.licence
        ));
        print::line(&format!("   {}", one.good_for));
        match &one.path {
            Some(path) => print::line(&format!("   On this computer: {path}")),
            None => print::line(&format!("   adjutant models fetch {}", one.name)),
        }
    }
    print::aside("You see a file's size before anything is fetched.");
    if let Some(unable) = &files.unable {
        print::aside(unable);
    }
    Ok(End::Finished)
}

async fn files(session: &Session) -> Result<ModelFilesView, Fault> {
    match reply(session, Request::ModelFiles {}).await? {
        Reply::ModelFiles { files } => Ok(files),
        _ => Err(unexpected()),
    }
}

/// Fetches one file.
pub(super) async fn fetch(
    session: &Session,
    what: String,
    sha256: Option<String>,
    yes: bool,
    as_json: bool,
) -> Result<End, Fault> {
    let asked = Request::OfferModelFile {
        what: what.clone(),
        sha256: sha256.clone(),
    };
    let Reply::ModelOffer { offer } = reply(session, asked).await? else {
        return Err(unexpected());
    };
    if !offer.here {
        show(&offer);
        if !yes && !agreed()? {
            print::aside("Nothing was fetched.");
            return Ok(End::Failed);
        }
    }
    let request = Request::FetchModelFile {
        what,
        sha256,
        agreed: AgreedTo {
            bytes: offer.bytes,
            licence: offer.licence.clone(),
            sum: offer.sum.clone(),
        },
    };
    let Reply::ModelFile { file } = progress::follow(session, request, BAR, as_json).await? else {
        return Err(unexpected());
    };
    if as_json {
        print::json(&json!({ "path": file.path, "checked": file.checked, "offer": offer }));
        return Ok(End::Finished);
    }
    let checked = if file.checked {
        "its checksum is right"
    } else {
        "it could not be checked, because no checksum is known"
    };
    print::line(&format!("{} is fetched; {checked}.", file.path));
    print::aside(&format!(
        "To connect it: adjutant models add small --gguf \"{}\"",
        file.path
    ));
    Ok(End::Finished)
}

/// Prints what the person agrees to, to standard error because it is not part of the result.
fn show(offer: &ModelOfferView) {
    let rest = match offer.have {
        0 => String::new(),
        have => format!(", {} already fetched", size_text(have)),
    };
    print::aside(&format!("{} from {}", offer.title, offer.host));
    print::aside(&format!(
        "  Size, according to the server: {}{rest}",
        size_text(offer.bytes)
    ));
    let licence = match (&offer.licence, &offer.page) {
        (Some(licence), Some(page)) => format!("{licence} ({page})"),
        (Some(licence), None) => licence.clone(),
        (None, _) => "not known here; see where you found the address".to_owned(),
    };
    print::aside(&format!("  Licence: {licence}"));
    let checked = match offer.sum_from.as_str() {
        "person" => "against the checksum you gave",
        "server" => "against the checksum from the server",
        _ => "not at all, because no checksum is known; give one with --sha256",
    };
    print::aside(&format!("  Checked: {checked}"));
    print::aside(&format!("  Saved as: {}", offer.path));
}

fn agreed() -> Result<bool, Fault> {
    if !std::io::stdin().is_terminal() {
        return Err(Fault {
            code: "usage".into(),
            message: "Nothing was fetched: the size and licence need your agreement first.".into(),
            hint: "Add --yes to agree to them.".into(),
        });
    }
    print::aside("Fetch it? Type “yes” to agree to the size and the licence:");
    Ok(print::says_yes())
}
