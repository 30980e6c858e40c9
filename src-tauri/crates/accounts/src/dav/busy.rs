//! Finds out when people are busy: reads the person's own calendars and, for others, sends the server a free-busy
//! request (RFC 4791, 6638).

use adjutant_domain::account::CollectionKind;
use adjutant_domain::filter::Window;
use adjutant_domain::operation::RemoteFault;
use adjutant_domain::ports::{Busy, FreeBusy};
use adjutant_net::Url;
use jiff::{SignedDuration, Timestamp};

use super::client::{Depth, body};
use super::xml::{CALDAV, Node};
use super::{Dav, rows};
use crate::net;

/// Maximum number of busy periods returned.
const BUSY_MAX: usize = 10_000;
/// Length in days of a query window that has no end.
const DAYS: i64 = 366;

impl Dav {
    pub(super) async fn busy(
        &self,
        who: &[String],
        window: Window,
    ) -> Result<FreeBusy, RemoteFault> {
        let from = window.from.unwrap_or_else(|| self.client.now());
        let far = SignedDuration::from_hours(24 * DAYS);
        let to = window.to.or_else(|| from.checked_add(far).ok());
        let to = to.unwrap_or(Timestamp::MAX);
        if to <= from {
            return Ok(FreeBusy::default());
        }
        let own = rows::addresses(&self.client.access);
        let is_own = |one: &&String| own.iter().any(|own| own.eq_ignore_ascii_case(one));
        let mut all = FreeBusy::default();
        for one in who.iter().filter(is_own) {
            all.busy.extend(self.own_time(one, from, to).await?);
            all.known.push(one.clone());
        }
        let others: Vec<&String> = who.iter().filter(|one| !is_own(one)).collect();
        if let (Some(outbox), Some(organizer)) = (&self.outbox, own.first())
            && !others.is_empty()
        {
            let (known, busy) = self.of_others(outbox, organizer, &others, from, to).await?;
            all.known.extend(known);
            all.busy.extend(busy);
        }
        all.busy.retain(|one| one.start < to && from < one.end);
        all.busy.truncate(BUSY_MAX);
        all.busy = merged(all.busy);
        Ok(all)
    }

    /// Returns the busy periods in the person's own calendars.
    async fn own_time(
        &self,
        who: &str,
        from: Timestamp,
        to: Timestamp,
    ) -> Result<Vec<Busy>, RemoteFault> {
        let Some(home) = &self.calendars else {
            return Ok(Vec::new());
        };
        let calendars = self
            .listings
            .of(&self.client, home, CollectionKind::Calendar)
            .await?;
        let range = format!(
            r#"<C:time-range start="{}" end="{}"/>"#,
            basic(from),
            basic(to)
        );
        let mut busy = Vec::new();
        for calendar in calendars {
            let mut url = home.clone();
            url.set_path(&calendar.remote_id.0);
            let wanted = body("C:free-busy-query", &range);
            let asked = self
                .client
                .ask("REPORT", &url, Depth::Children, wanted)
                .await;
            let reply = asked.map_err(|fault| net::unread(&fault))?;
            if reply.code() != 200 {
                return Err(self.client.refused(&reply));
            }
            busy.extend(periods(&reply.text(), who));
        }
        Ok(busy)
    }

    /// Asks the server for the busy periods of other people. Returns whom it knows, and the periods.
    async fn of_others(
        &self,
        outbox: &Url,
        organizer: &str,
        others: &[&String],
        from: Timestamp,
        to: Timestamp,
    ) -> Result<(Vec<String>, Vec<Busy>), RemoteFault> {
        let safe = |one: &&&String| !one.chars().any(|c| c.is_control() || c.is_whitespace());
        let people = others
            .iter()
            .filter(safe)
            .map(|one| format!("ATTENDEE:mailto:{one}\r\n"));
        let people: String = people.collect();
        let uid = adjutant_domain::ids::render("fb", self.client.access.entropy.bits());
        let text = format!(
            "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//Adjutant//EN\r\nMETHOD:REQUEST\r\nBEGIN:VFREEBUSY\r\nUID:{uid}\r\nDTSTAMP:{}\r\nDTSTART:{}\r\nDTEND:{}\r\nORGANIZER:mailto:{organizer}\r\n{people}END:VFREEBUSY\r\nEND:VCALENDAR\r\n",
            basic(self.client.now()),
            basic(from),
            basic(to),
        );
        let headers = [("content-type", "text/calendar; charset=utf-8")];
        let asked = self.client.send("POST", outbox, &headers, Some(text)).await;
        let reply = asked.map_err(|fault| net::unread(&fault))?;
        if reply.code() != 200 {
            return Err(self.client.refused(&reply));
        }
        let root = reply.tree()?;
        let told = root.all(CALDAV, "response").filter_map(of_one);
        let (known, busy): (Vec<String>, Vec<Vec<Busy>>) = told.unzip();
        Ok((known, busy.into_iter().flatten().collect()))
    }
}

/// Extracts one person and their periods from the response; `None` if the server does not know them.
fn of_one(response: &Node) -> Option<(String, Vec<Busy>)> {
    let who = response.href_of(CALDAV, "recipient")?;
    let who = who.strip_prefix("mailto:").unwrap_or(who);
    let said = response.text_of(CALDAV, "calendar-data")?;
    (said.contains("VFREEBUSY")).then(|| (who.to_owned(), periods(said, who)))
}

/// Parses the periods in a VFREEBUSY component during which the person is not free.
fn periods(text: &str, who: &str) -> Vec<Busy> {
    let text = text
        .replace("\r\n", "\n")
        .replace("\n ", "")
        .replace("\n\t", "");
    let lines = text.lines().filter_map(|line| line.split_once(':'));
    let busy = lines.filter(|(head, _)| {
        let head = head.to_ascii_uppercase();
        let mut parts = head.split(';');
        parts.next() == Some("FREEBUSY") && !parts.any(|one| one == "FBTYPE=FREE")
    });
    let all = busy.flat_map(|(_, value)| value.split(','));
    all.take(BUSY_MAX)
        .filter_map(|period| {
            let (start, end) = period.trim().split_once('/')?;
            let start = instant(start)?;
            let end = match end.strip_prefix('P') {
                Some(_) => start
                    .checked_add(end.parse::<SignedDuration>().ok()?)
                    .ok()?,
                None => instant(end)?,
            };
            (start < end).then(|| Busy {
                who: who.to_owned(),
                start,
                end,
            })
        })
        .collect()
}

/// Merges overlapping and adjacent periods of the same person.
fn merged(mut busy: Vec<Busy>) -> Vec<Busy> {
    busy.sort_by(|one, other| (&one.who, one.start).cmp(&(&other.who, other.start)));
    let mut all: Vec<Busy> = Vec::new();
    for one in busy {
        match all.last_mut() {
            Some(last) if last.who == one.who && one.start <= last.end => {
                last.end = last.end.max(one.end);
            }
            _ => all.push(one),
        }
    }
    all
}

fn basic(at: Timestamp) -> String {
    at.strftime("%Y%m%dT%H%M%SZ").to_string()
}

fn instant(text: &str) -> Option<Timestamp> {
    let civil = jiff::civil::DateTime::strptime("%Y%m%dT%H%M%SZ", text).ok()?;
    Some(civil.to_zoned(jiff::tz::TimeZone::UTC).ok()?.timestamp())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn periods_are_read_whatever_their_form_and_joined_where_they_meet() {
        let text = "BEGIN:VFREEBUSY\r\nFREEBUSY;FBTYPE=BUSY:20260115T090000Z/20260115T100000Z,202\r\n 60115T100000Z/PT30M\r\nFREEBUSY;FBTYPE=FREE:20260116T090000Z/PT1H\r\nFREEBUSY:20260117T090000Z/PT0S,nonsense\r\nEND:VFREEBUSY\r\n";
        let found = merged(periods(text, "me@home.example"));
        let shown: Vec<String> = found
            .iter()
            .map(|one| format!("{}/{}", one.start, one.end))
            .collect();
        assert_eq!(shown, ["2026-01-15T09:00:00Z/2026-01-15T10:30:00Z"]);
    }
}
