import type { Approval, Card } from '../wire';

const plain: Pick<Card, 'notes' | 'items' | 'attachments' | 'digest_line'> = {
  notes: [],
  items: [],
  attachments: [],
  digest_line: 'What you see is exactly what is sent',
};

export const moveCard: Card = {
  ...plain,
  title: 'Move “Mara / Raj” and tell Raj',
  verb: 'move',
  account: 'Work calendar, mara@northwind.example',
  facts: [
    {
      label: 'When',
      before: 'Wed 14 Jan, 10:00–10:30',
      value: 'Thu 15 Jan, 11:00–11:30 New York\n16:00–16:30 in London, Raj’s time',
      source: { kind: 'derived', detail: 'Both calendars' },
      path: '/start',
    },
    {
      label: 'Guest',
      value: 'Raj Patel <raj.patel@northwind.example>',
      source: { kind: 'data', detail: 'Your address book', open: { what: 'contacts', id: 'raj' } },
    },
    {
      label: 'Raj gets',
      value: 'An updated invitation by mail',
      source: { kind: 'settings', detail: 'Your settings' },
    },
    {
      label: 'Stays',
      value: 'Room, video link, notes and the weekly series',
      source: { kind: 'data', detail: 'Your calendar', open: { what: 'events', id: 'e-raj' } },
    },
  ],
  undo: { possible: true, text: 'Can be undone. Raj would get a second update.' },
};

const LETTER = `Hi Hannah,

Thank you for the draft. We’re happy to renew Unit 4 for two years from 1 March at the rent you proposed, €4,150 a month. The signed copy is attached.

Could you confirm that the service charge stays capped at 3 % a year, as in the current lease?

Best,
Mara`;

export const mailCard: Card = {
  ...plain,
  title: 'Send a mail to 2 people',
  verb: 'send',
  account: 'Reply in “Lease renewal, Unit 4”, from mara@northwind.example',
  notes: [
    {
      kind: 'untrusted',
      text: 'One address comes from a message, not from you. It appears in Hannah’s mail of 12 Jan and is not in your address book.',
      path: '/cc/0',
    },
  ],
  facts: [
    {
      label: 'To',
      value: 'Hannah Voss <hannah.voss@kelm-estates.example>',
      source: { kind: 'data', detail: 'Your address book', open: { what: 'contacts', id: 'hannah' } },
      path: '/to',
    },
    {
      label: 'Cc',
      value: 'billing@kelm-estates-office.example',
      source: { kind: 'found', detail: 'Mail of 12 Jan', open: { what: 'mail', id: 'mail-1' } },
      path: '/cc/0',
    },
    { label: 'Bcc', value: '' },
    {
      label: 'Subject',
      value: 'Re: Lease renewal, Unit 4',
      source: { kind: 'data', detail: 'The thread' },
      path: '/subject',
    },
  ],
  body: LETTER,
  body_path: '/body',
  attachments: [
    {
      name: 'Unit-4-signed.pdf',
      size: 214_000,
      sha256: '4be1d9a0c3f7e26655aa0b1c9d8e7f60123456789abcdef0fedcba9876543210',
    },
  ],
  undo: {
    possible: false,
    text: 'Cannot be undone once sent. It waits 20 seconds first, and you can take it back until then.',
  },
};

export const batchCard: Card = {
  ...plain,
  title: 'Delete 23 tasks',
  verb: 'delete',
  account: 'Done before 1 October 2025, local list “Work”',
  facts: [],
  items: [
    ...['Order monitor arms', 'Call Bergmann about the quote', 'Renew domain', 'Send slides to Ana', 'Book team lunch'],
    ...['Cancel the old phone line', 'Update the address list', 'Ask Priya for the figures', 'Fix the printer'],
    ...['Write to the landlord', 'Pay the dentist', 'Sort the photos', 'Return the drill', 'Buy stamps'],
    ...[
      'Check the smoke alarms',
      'Clean the inbox',
      'Order business cards',
      'Archive 2024 invoices',
      'Water meter reading',
    ],
    ...['Renew the library card', 'Call the plumber', 'Send the contract back', 'Prepare the June report'],
  ].map((label, index) => ({ id: `i${index + 1}`, label, detail: `${(index % 28) + 1} Aug` })),
  undo: { possible: true, text: 'Can be undone for 30 days.' },
  digest_line: 'What you see is exactly what is deleted',
};

export const toolCard: Card = {
  ...plain,
  title: 'Forget “Window seat, forward-facing”',
  verb: 'forget',
  account: 'Memory, on this machine',
  facts: [
    {
      label: 'Memory',
      value: 'Window seat, forward-facing',
      source: { kind: 'data', detail: 'Your memory', open: { what: 'memories', id: 'm-sign' } },
    },
    { label: 'Also', value: 'Removed from search. Answers already given stay.', source: { kind: 'settings' } },
  ],
  undo: { possible: false, text: 'Cannot be undone.' },
  digest_line: 'What you see is exactly what is forgotten',
};

/** A card that tries to deceive: a right-to-left override in an address and Cyrillic letters in a name. */
export const trickCard: Card = {
  ...plain,
  title: 'Send a mail to 1 person',
  verb: 'send',
  account: 'from mara@northwind.example',
  notes: [{ kind: 'untrusted', text: 'The address holds characters that hide or imitate others.', path: null }],
  facts: [
    {
      label: 'To',
      value: 'P\u0430yp\u0430l Support <supp\u202eort@p\u0430ypal.example>',
      source: { kind: 'found', detail: 'Mail of 13 Jan' },
    },
    { label: 'Bcc', value: '' },
    { label: 'Subject', value: 'Invoice\u200b', source: { kind: 'found', detail: 'Mail of 13 Jan' } },
  ],
  body: 'As asked, here are the details.',
  undo: { possible: false, text: 'Cannot be undone once sent.' },
};

let digests = 0;

/** A stored approval around a card, `minutes` left, created a while ago. */
export function approval(
  id: string,
  tool: string,
  shown: Card,
  now: number,
  more: Partial<Approval> & { minutes?: number } = {},
): Approval {
  const { minutes = 14, ...rest } = more;
  digests += 1;
  const digest = (digests.toString(16).padStart(4, '0') + '9f2c41ab07de55e1c0ffee00').repeat(3).slice(0, 64);
  return {
    id,
    digest,
    tool,
    args: {},
    shown,
    risk: tool.startsWith('email') || tool === 'calendar.update' ? 'reaches_people' : 'destroys',
    sources: {},
    created: new Date(now - (15 - minutes) * 60_000).toISOString(),
    expires: new Date(now + minutes * 60_000 + 20_000).toISOString(),
    state: 'pending',
    conversation: null,
    turn: null,
    ...rest,
  };
}
