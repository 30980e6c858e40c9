//! Shows a mail as its sender designed it, with the images that the person wants to see.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use adjutant_api::mail::{LeavingBy, LeavingView, MailImageView, MailPageView};
use adjutant_api::{Fault, Reply};
use adjutant_domain::ids::RecordId;
use adjutant_domain::ports::Records as _;
use adjutant_domain::record::{Kind, Record};
use adjutant_interchange::page::{Page, Remote, data_address, page};
use adjutant_net::{AddressFrom, Follow, Method, NetClient, Outgoing, Url};
use adjutant_tools::email::{Leaving, leaving};
use futures::{StreamExt as _, stream};

use super::{Service, missing, store_fault};

/// Maximum number of images fetched for one mail.
const IMAGES_MAX: usize = 100;
/// Maximum size of one image in bytes.
const IMAGE_BYTES_MAX: usize = 5 * 1024 * 1024;
/// Maximum total size in bytes of one mail's images.
const ALL_BYTES_MAX: usize = 20 * 1024 * 1024;
/// Maximum number of images fetched concurrently.
const AT_ONCE: usize = 6;
/// Time allowed for one image.
const IMAGE_WITHIN: Duration = Duration::from_secs(10);

/// First bytes of the supported image formats. The server's declared media type is ignored.
const BEGINNINGS: &[(&[u8], &str)] = &[
    (b"\x89PNG\r\n\x1a\n", "image/png"),
    (b"\xff\xd8\xff", "image/jpeg"),
    (b"GIF87a", "image/gif"),
    (b"GIF89a", "image/gif"),
];

/// Returns the page of a mail. `images` says whether to fetch images; `None` fetches them for senders the person chose.
pub(super) async fn show(
    service: &Service,
    id: &str,
    images: Option<bool>,
) -> Result<Reply, Fault> {
    let record = RecordId(id.to_owned());
    let mail = service.store.get(Kind::Mail, &record).await;
    let Some(Record::Mail(mail)) = mail.map_err(store_fault)? else {
        return Err(missing(id));
    };
    let source = service.store.mail_source(&record).await;
    let source = source.map_err(store_fault)?.unwrap_or_default();
    let leaving = leaving(&source).as_ref().map(way_out);
    let read = tokio::task::spawn_blocking(move || page(&source)).await;
    let Some(page) = read.unwrap_or_default() else {
        return Ok(Reply::MailPage {
            page: None,
            leaving,
        });
    };
    let chosen = service.settings().mail.images_from;
    let chosen = || {
        chosen
            .iter()
            .any(|one| one.eq_ignore_ascii_case(&mail.from.email))
    };
    let data = if images.unwrap_or_else(chosen) {
        fetch(&service.network.client(), &page.images).await
    } else {
        vec![None; page.images.len()]
    };
    Ok(Reply::MailPage {
        page: Some(view(page, data)),
        leaving,
    })
}

fn way_out(leaving: &Leaving) -> LeavingView {
    LeavingView {
        by: match leaving {
            Leaving::Request(_) => LeavingBy::Request,
            Leaving::Mail { .. } => LeavingBy::Mail,
            Leaving::Page(_) => LeavingBy::Page,
        },
        target: leaving.target().to_owned(),
    }
}

fn view(page: Page, data: Vec<Option<String>>) -> MailPageView {
    let images = page.images.into_iter().zip(data);
    MailPageView {
        html: page.html,
        coloured: page.coloured,
        images: images
            .map(|(image, data)| MailImageView {
                host: Url::parse(&image.url)
                    .ok()
                    .and_then(|url| url.host_str().map(str::to_owned))
                    .unwrap_or_default(),
                tracker: image.tracker,
                data,
            })
            .collect(),
    }
}

/// Fetches the images as `data:` URLs, in order. A failed image is `None`: the mail is readable without it.
async fn fetch(net: &NetClient, images: &[Remote]) -> Vec<Option<String>> {
    let left = Arc::new(AtomicUsize::new(ALL_BYTES_MAX));
    // Each future owns its data: a stream of borrows could not be sent between threads.
    let work: Vec<_> = images
        .iter()
        .enumerate()
        .map(|(at, image)| {
            let wanted = !image.tracker && at < IMAGES_MAX;
            wanted.then(|| fetch_within(net.clone(), image.url.clone(), Arc::clone(&left)))
        })
        .map(|one| async move { one?.await })
        .collect();
    stream::iter(work).buffered(AT_ONCE).collect().await
}

/// Fetches one image, provided that the total size stays within the limit.
async fn fetch_within(net: NetClient, url: String, left: Arc<AtomicUsize>) -> Option<String> {
    let one = tokio::time::timeout(IMAGE_WITHIN, fetch_one(&net, &url));
    let bytes = one.await.ok()??;
    let kind = kind_of(&bytes)?;
    let rest = |left: usize| left.checked_sub(bytes.len());
    left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, rest)
        .ok()?;
    Some(data_address(kind, &bytes))
}

async fn fetch_one(net: &NetClient, url: &str) -> Option<Vec<u8>> {
    let mut request = Outgoing::new(
        Method::GET,
        Url::parse(url).ok()?,
        "show the images of a mail",
    );
    request.follow = Follow::Anywhere;
    request.from = AddressFrom::Outside;
    request.within = IMAGE_WITHIN;
    request.reply_bytes_max = IMAGE_BYTES_MAX as u64;
    let reply = net.send(request).await.ok()?;
    if !reply.status().is_success() {
        return None;
    }
    Some(reply.bytes(IMAGE_WITHIN).await.ok()?.to_vec())
}

fn kind_of(bytes: &[u8]) -> Option<&'static str> {
    if bytes.starts_with(b"RIFF") && bytes.get(8..12) == Some(b"WEBP") {
        return Some("image/webp");
    }
    let known = BEGINNINGS.iter().find(|(head, _)| bytes.starts_with(head));
    known.map(|(_, kind)| *kind)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_pictures_are_pictures() {
        assert_eq!(kind_of(b"\x89PNG\r\n\x1a\nrest"), Some("image/png"));
        assert_eq!(kind_of(b"RIFF\0\0\0\0WEBPVP8 "), Some("image/webp"));
        for other in [&b"<svg onload=x>"[..], b"<html>", b"RIFF\0\0\0\0WAVE", b""] {
            assert_eq!(kind_of(other), None);
        }
    }
}
