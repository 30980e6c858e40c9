// Sample data to import, around the day on which the test runs.

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stamp } from './zone.mjs';

function event(zone, uid, summary, days, hour, more = '') {
  const [from, to] = [stamp(zone, days, hour), stamp(zone, days, hour + 1)];
  return `BEGIN:VEVENT\r\nUID:${uid}@example.org\r\nDTSTAMP:20260101T000000Z\r\nSUMMARY:${summary}\r\nDTSTART:${from}\r\nDTEND:${to}\r\n${more}END:VEVENT\r\n`;
}

/** Writes calendar, contacts and mail into a folder of the machine, and returns the folder. */
export function world({ home, zone }) {
  const folder = join(home, 'import');
  mkdirSync(folder, { recursive: true });
  writeFileSync(
    join(folder, 'calendar.ics'),
    'BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//example//tests//EN\r\n' +
      event(zone, 'dentist', 'Dentist', 1, 10) +
      event(zone, 'pricing', 'Pricing review', 1, 14) +
      event(zone, 'lunch', 'Lunch with Ana', 2, 12, 'ATTENDEE;CN=Ana Ruiz:mailto:ana@example.org\r\n') +
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
