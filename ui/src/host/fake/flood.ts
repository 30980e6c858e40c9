import type { Approval } from '../wire';
import { approval, mailCard, moveCard } from './cards';

const MAILS = 16;
const PEOPLE = ['Priya Nair', 'Tomás Keller', 'Hannah Voss', 'Raj Patel'];

/** Many waiting actions: a flood of mails in one conversation, three similar moves in another, one tainted. */
export function flood(now: number): Approval[] {
  const mails = Array.from({ length: MAILS }, (_, n) => {
    const who = `${PEOPLE[n % PEOPLE.length]} ${n + 1}`;
    const to = `guest${n + 1}@northwind.example`;
    const subject = `Planning day, group ${n + 1}`;
    return approval(
      `a-mail-${n}`,
      'email.send',
      {
        ...mailCard,
        title: `Send a mail to ${who}`,
        notes: [],
        attachments: [],
        facts: [
          { label: 'To', value: `${who} <${to}>`, before: null, source: { kind: 'person', detail: null } },
          { label: 'Subject', value: subject, before: null, source: { kind: 'person', detail: null } },
        ],
        body: `Hello ${who},\n\nthe planning day is on Thursday. Please be there at nine.\n\nMara`,
      },
      now,
      {
        minutes: 14,
        args: { to: [to], cc: [], bcc: [], subject, body: '' },
        conversation: 'main',
        turn: 'turn-flood',
        step: `s${n}`,
        why: 'Asked because other people will see it.',
        flood: MAILS,
      },
    );
  });
  const moves = ['Design sync', 'Budget review', 'Standup'].map((name, n) =>
    approval(`a-move-${n}`, 'calendar.update', { ...moveCard, title: `Move “${name}” to Thursday` }, now, {
      minutes: 9 + n,
      conversation: 'c-lease',
      turn: 'turn-l2',
      step: `m${n}`,
      why: 'Asked because other people will see it.',
      tainted: n === 2,
    }),
  );
  return [...mails, ...moves];
}
