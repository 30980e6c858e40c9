// A profile as large as that of a person with years of mail: 10,000 mails, tasks and notes, and a month of events.

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stamp } from './zone.mjs';

const NUMBER = 10_000;
const PEOPLE = ['Raj Patel', 'Ana Ruiz', 'Lena Vogt', 'Tom Okafor', 'Yuki Mori', 'Priya Nair', 'Sam Lindqvist'];
const TOPICS = ['contract', 'roof', 'budget', 'invoice', 'school trip', 'lease', 'release', 'garden', 'insurance', 'workshop'];
const VERBS = ['Send', 'Read', 'Check', 'Sign', 'Pay', 'Order', 'Plan', 'Call about'];

const of = (list, n) => list[n % list.length];
const address = (name) => `${name.split(' ')[0].toLowerCase()}@example.org`;

/** Writes the files into a folder of the machine, and returns the folder. */
export function many({ home, zone }) {
  const folder = join(home, 'many');
  mkdirSync(join(folder, 'notes'), { recursive: true });
  const numbers = Array.from({ length: NUMBER }, (_, n) => n);
  const start = Date.UTC(2024, 0, 1);
  const mail = (n) => {
    const date = new Date(start + n * 5_000_000).toUTCString();
    const from = of(PEOPLE, n);
    return (
      `From ${address(from)} ${date}\nFrom: ${from} <${address(from)}>\nTo: me@example.org\n` +
      `Subject: ${of(TOPICS, n * 7)} number ${n}\nDate: ${date}\nMessage-ID: <m${n}@example.org>\n\n` +
      `Please look at the ${of(TOPICS, n * 3)} of ${of(PEOPLE, n * 5)} before the ${of(TOPICS, n)}.\n\n`
    );
  };
  const task = (n) =>
    `BEGIN:VTODO\r\nUID:t${n}@example.org\r\nDTSTAMP:20260101T000000Z\r\nSUMMARY:${of(VERBS, n)} the ${of(TOPICS, n * 3)} ${n}\r\n` +
    (n % 4 === 0 ? `DUE:${stamp(zone, (n % 90) - 10, 9)}\r\n` : '') +
    `STATUS:${n % 3 === 0 ? 'COMPLETED' : 'NEEDS-ACTION'}\r\nEND:VTODO\r\n`;
  const event = (n) =>
    `BEGIN:VEVENT\r\nUID:e${n}@example.org\r\nDTSTAMP:20260101T000000Z\r\nSUMMARY:${of(TOPICS, n)} with ${of(PEOPLE, n * 3)}\r\n` +
    `DTSTART:${stamp(zone, (n % 30) - 5, 8 + (n % 10))}\r\nDURATION:PT30M\r\nEND:VEVENT\r\n`;
  const calendar = (entries) => `BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//example//tests//EN\r\n${entries.join('')}END:VCALENDAR\r\n`;
  writeFileSync(join(folder, 'inbox.mbox'), numbers.map(mail).join(''));
  writeFileSync(join(folder, 'tasks.ics'), calendar(numbers.map(task)));
  writeFileSync(join(folder, 'events.ics'), calendar(numbers.slice(0, 90).map(event)));
  writeFileSync(
    join(folder, 'people.vcf'),
    PEOPLE.map((name) => `BEGIN:VCARD\r\nVERSION:3.0\r\nFN:${name}\r\nEMAIL:${address(name)}\r\nEND:VCARD\r\n`).join(''),
  );
  for (const n of numbers)
    writeFileSync(join(folder, 'notes', `note-${n}.md`), `# ${of(TOPICS, n)} ${n}\n\nAbout the ${of(TOPICS, n * 3)}, from ${of(PEOPLE, n)}.\n`);
  return folder;
}
