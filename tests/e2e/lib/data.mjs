// A small world to import, around the day the test runs on.

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const DAY_MS = 24 * 60 * 60 * 1000;

/** `20260112T140000Z`, so many days from today. */
function stamp(days, time) {
  const day = new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10).replaceAll('-', '');
  return `${day}T${time}00Z`;
}

function event(uid, summary, days, from, to, more = '') {
  return `BEGIN:VEVENT\r\nUID:${uid}@example.org\r\nDTSTAMP:20260101T000000Z\r\nSUMMARY:${summary}\r\nDTSTART:${stamp(days, from)}\r\nDTEND:${stamp(days, to)}\r\n${more}END:VEVENT\r\n`;
}

/** Writes calendar, contacts and mail into a folder and returns it. */
export function world(home) {
  const folder = join(home, 'import');
  mkdirSync(folder, { recursive: true });
  writeFileSync(
    join(folder, 'calendar.ics'),
    'BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//example//tests//EN\r\n' +
      event('dentist', 'Dentist', 1, '0900', '1000') +
      event('pricing', 'Pricing review', 1, '1300', '1400') +
      event('lunch', 'Lunch with Ana', 2, '1100', '1200', 'ATTENDEE;CN=Ana Ruiz:mailto:ana@example.org\r\n') +
      'END:VCALENDAR\r\n',
  );
  writeFileSync(
    join(folder, 'contacts.vcf'),
    'BEGIN:VCARD\r\nVERSION:3.0\r\nFN:Ana Ruiz\r\nN:Ruiz;Ana;;;\r\nEMAIL:ana@example.org\r\nEND:VCARD\r\n',
  );
  writeFileSync(
    join(folder, 'inbox.mbox'),
    'From ana@example.org Mon Jan  5 09:00:00 2026\nFrom: Ana Ruiz <ana@example.org>\nTo: me@example.org\n' +
      'Subject: Contract\nDate: Mon, 05 Jan 2026 09:00:00 +0000\nMessage-ID: <contract@example.org>\n\nThe contract is ready to sign.\n\n',
  );
  return folder;
}
