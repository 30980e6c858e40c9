import { HostFault } from '../host';
import type { Approval, Card, Fact, JsonValue, ProposedEvent, SourceTarget } from '../wire';
import { digest, instant } from './rows';

type Sources = Record<string, { kind: string; origin?: string; what?: string; words?: string | null }>;

const fact = (
  label: string,
  value: string,
  kind?: string,
  detail?: string,
  before: string | null = null,
  target?: SourceTarget,
): Fact => ({
  label,
  value,
  before,
  source: kind ? { kind, detail: detail ?? null, ...(target ? { target } : {}) } : null,
});

const card = (title: string, verb: string, account: string | null, undo: string, more: Partial<Card> = {}): Card => ({
  title,
  verb,
  account,
  undo,
  icon: 'usual',
  undo_kind: /^Cannot/.test(undo) ? 'no' : 'yes',
  notes: [],
  facts: [],
  items: [],
  body: null,
  attachments: [],
  digest_line: 'What you see is exactly what is sent',
  ...more,
});

export const moveCard = card(
  'Move “Mara / Raj” and tell Raj',
  'Move',
  'Work calendar, mara@northwind.example',
  'Can be undone. Raj would get a second update.',
  {
    icon: 'event',
    facts: [
      fact(
        'When',
        'Thu 15 Jan, 11:00–11:30 New York\n16:00–16:30 in London, Raj’s time',
        'derived',
        'Both calendars',
        'Wed 14 Jan, 10:00–10:30',
      ),
      fact('Guest', 'Raj Patel <raj.patel@northwind.example>', 'address_book', 'Your address book'),
      fact('Raj gets', 'An updated invitation by mail', 'settings', 'Your settings'),
      fact('Stays', 'Room, video link, notes and the weekly series', 'data', 'Your calendar', null, {
        kind: 'event',
        id: 'e-raj',
      }),
    ],
  },
);
/** The event as it would be after the move. */
export const moveProposed: ProposedEvent[] = [
  {
    id: 'e-raj',
    uid: 'e-raj@adjutant',
    instance: null,
    summary: 'Mara / Raj',
    start: '2026-01-15T11:00:00-05:00',
    end: '2026-01-15T11:30:00-05:00',
    all_day: false,
  },
];
export const moveArgs = {
  id: 'e-raj',
  changes: { start: '2026-01-15T11:00:00-05:00[America/New_York]', end: '2026-01-15T11:30:00-05:00[America/New_York]' },
};

const LETTER = `Hi Hannah,

Thank you for the draft. We’re happy to renew Unit 4 for two years from 1 March at the rent you proposed, €4,150 a month. The signed copy is attached.

Could you confirm that the service charge stays capped at 3 % a year, as in the current lease?

Best,
Mara`;

export const mailArgs = {
  to: ['hannah.voss@kelm-estates.example'],
  cc: ['billing@kelm-estates-office.example'],
  bcc: [] as string[],
  subject: 'Re: Lease renewal, Unit 4',
  body: LETTER,
};
export const mailSources: Sources = {
  '/to': { kind: 'address_book' },
  '/cc/0': { kind: 'untrusted', origin: 'mail of 12 January' },
  '/subject': { kind: 'own_data', what: 'the thread' },
};

/** A mail's card as the engine renders it from the arguments; fields the person changed have the person as source. */
export function mailOf(args: typeof mailArgs, sources: Sources = mailSources): Card {
  const by = (key: string, kind: string, detail: string) =>
    sources[key]?.kind === 'person' ? ['person'] : [kind, detail];
  const found = sources['/cc/0'] !== undefined && args.cc.length > 0;
  const people = args.to.length + args.cc.length + args.bcc.length;
  const line = (address: string) =>
    address === 'hannah.voss@kelm-estates.example' ? `Hannah Voss <${address}>` : address;
  return card(
    people === 1 ? 'Send a mail to 1 person' : `Send a mail to ${people} people`,
    'Send',
    'Reply in “Lease renewal, Unit 4”, from mara@northwind.example',
    'Cannot be undone once sent.',
    {
      notes: found
        ? [
            {
              kind: 'untrusted',
              text: 'One address comes from a message, not from you. It appears in Hannah’s mail of 12 Jan and is not in your address book.',
            },
          ]
        : [],
      facts: [
        fact('To', args.to.map(line).join('\n'), ...(by('/to', 'address_book', 'Your address book') as [string])),
        found
          ? fact('Cc', args.cc.join('\n'), 'found', 'Mail of 12 Jan', null, {
              kind: 'mail',
              id: 'mail-kelm',
              words: 'billing@kelm-estates-office.example',
            })
          : fact('Cc', args.cc.join('\n')),
        fact('Bcc', args.bcc.join('\n')),
        fact('Subject', args.subject, ...(by('/subject', 'data', 'The thread') as [string])),
      ],
      icon: 'send',
      body: args.body,
      attachments: [
        {
          name: 'Unit-4-signed.pdf',
          size: 214_000,
          sha256: '4be1d9a0c3f7e26655aa0b1c9d8e7f60123456789abcdef0fedcba9876543210',
        },
      ],
    },
  );
}
export const mailCard = mailOf(mailArgs);

const OLD_TASKS = [
  ...['Order monitor arms', 'Call Bergmann about the quote', 'Renew domain', 'Send slides to Ana', 'Book team lunch'],
  ...['Cancel the old phone line', 'Update the address list', 'Ask Priya for the figures', 'Fix the printer'],
  ...['Write to the landlord', 'Pay the dentist', 'Sort the photos', 'Return the drill', 'Buy stamps'],
  ...['Check the smoke alarms', 'Clean the inbox', 'Order business cards', 'Archive 2024 invoices', 'Read the meter'],
  ...['Renew the library card', 'Call the plumber', 'Send the contract back', 'Prepare the June report'],
];
const OLD_IDS = OLD_TASKS.map((_, index) => `old-${index + 1}`);
/** The arguments as first asked: a description of the tasks. An edit replaces it with the ids that remain. */
export const batchArgs: JsonValue = { target: { status: 'done', pick: 'all' } };

/** One card for several deletions. */
export function batchOf(ids: string[]): Card {
  const items = ids.map((id) => {
    const place = Number(id.replace('old-', ''));
    return { id, label: OLD_TASKS[place - 1] ?? id, detail: `${(place % 28) + 1} Aug` };
  });
  return card(
    `Delete ${items.length} tasks`,
    'Delete',
    'Done before 1 October 2025, local list “Work”',
    'Can be undone for 30 days.',
    { icon: 'delete', items, digest_line: 'What you see is exactly what is deleted' },
  );
}
export const batchCard = batchOf(OLD_IDS);

const MAILS = [
  ['Budget review today', 'Emily Carter', 'emily.carter@northwind.example'],
  [
    'Re: Re: hiring plan and the open question about the second designer in London',
    'Tom Baker',
    'tom@northwind.example',
  ],
  ['Security training reminder', 'David Brown', 'it.support@northwind.example'],
  ['Morning briefing', 'The Ledger', 'newsletter@ledger.example'],
] as const;

/** A batch of mails as the engine words it; every label and detail is long. */
export const archiveCard = card('Archive 16 mails', 'Archive', null, 'Can be undone from Activity.', {
  icon: 'archive',
  notes: [{ kind: 'warn', text: '16 at once.' }],
  items: Array.from({ length: 16 }, (_, at) => {
    const [label, name, address] = MAILS[at % MAILS.length] ?? MAILS[0];
    const detail = `from ${name} (${address}) · Wed ${at + 1} Jan, 08:05 · inbox`;
    return { id: `mail-${at}`, label, detail };
  }),
  digest_line: 'What you see is exactly what is done.',
});
/** Several calls on one card; the details of each call stand below its item. */
export const repliesCard = card('Reply to 2 mails', 'Send', null, 'Cannot be undone once sent.', {
  icon: 'send',
  items: [
    {
      id: 'mail-1',
      label: 'Budget review today',
      detail: 'Emily Carter (emily.carter@northwind.example)',
      facts: [fact('To', 'Emily Carter <emily.carter@northwind.example>', 'address_book', 'Your address book')],
      body: 'I will be ten minutes late. Please begin without me.',
    },
    {
      id: 'mail-2',
      label: 'Re: Re: hiring plan and the open question about the second designer in London',
      detail: 'Tom Baker (tom@northwind.example)',
      facts: [fact('To', 'tom.b@elsewhere.example', 'found', 'Mail of 13 Jan')],
      body: 'I will be ten minutes late. Please begin without me.',
    },
  ],
  digest_line: 'What you see is exactly what is sent',
});

export const archiveArgs: JsonValue = { target: { folder: 'inbox', pick: 'all' } };

export const forgetCard = card(
  'Forget “Window seat, forward-facing”',
  'Forget',
  'Memory, on this machine',
  'Cannot be undone.',
  {
    icon: 'delete',
    facts: [
      fact('Memory', 'Window seat, forward-facing', 'data', 'Your memory'),
      fact('Also', 'Removed from search. Answers already given stay.', 'settings'),
    ],
    digest_line: 'What you see is exactly what is forgotten',
  },
);

/** A deceptive card: a right-to-left override in an address, and Cyrillic letters in a name. */
export const trickCard = card(
  'Send a mail to 1 person',
  'Send',
  'from mara@northwind.example',
  'Cannot be undone once sent.',
  {
    icon: 'send',
    notes: [{ kind: 'untrusted', text: 'The address holds characters that hide or imitate others.' }],
    facts: [
      fact('To', 'P\u0430yp\u0430l Support <supp\u202eort@p\u0430ypal.example>', 'found', 'Mail of 13 Jan'),
      fact('Bcc', ''),
      fact('Subject', 'Invoice\u200b', 'found', 'Mail of 13 Jan'),
    ],
    body: 'As asked, here are the details.',
  },
);

/** A stored approval of a card, created a while ago, with `minutes` left. */
export function approval(
  id: string,
  tool: string,
  shown: Card,
  now: number,
  more: Partial<Approval> & { minutes?: number } = {},
): Approval {
  const { minutes = 14, ...rest } = more;
  return {
    id,
    digest: digest(),
    tool,
    args: {},
    shown,
    risk: tool.startsWith('email') || tool === 'calendar.update' ? 'reaches_people' : 'destroys',
    sources: {},
    created: instant(now - (15 - minutes) * 60_000),
    expires: instant(now + minutes * 60_000 + 20_000),
    state: 'pending',
    conversation: 'direct',
    turn: `turn-${id}`,
    step: 'do',
    superseded_by: null,
    proposed: [],
    why: '',
    needless: false,
    grant: null,
    account: 'local',
    flood: null,
    tainted: shown.notes.some((note) => note.kind === 'untrusted'),
    ...rest,
  };
}

/** The ids that a deletion names; the tool takes no other arguments. */
function idsOf(args: JsonValue): string[] {
  const { id, ids, target, ...more } = args as Record<string, JsonValue | undefined>;
  const named = [id, ids].flatMap((one) => one ?? []).map(String);
  const found = named.length > 0 || !target ? named : OLD_IDS;
  const [other] = Object.keys(more);
  if (other === undefined && found.length > 0) return found;
  const message = other ? `“${other}” is not an argument of task.delete.` : 'Say which task you mean.';
  throw new HostFault({ code: 'bad_arguments', message, hint: 'Fill it in on the card.' });
}

/** The changed fields of the approval after an edit of its arguments. */
export function rendered(old: Approval, args: JsonValue, call?: number): Pick<Approval, 'args' | 'shown' | 'sources'> {
  if (Array.isArray(old.args)) {
    const at = call ?? -1;
    if (at < 0 || at >= old.args.length) {
      const message = 'This card holds several things, and it is not clear which one to change.';
      throw new HostFault({ code: 'batch', message, hint: 'Choose one of them on the card.' });
    }
    const title = (args as Record<string, JsonValue | undefined>)['title'];
    const items = old.shown.items.map((item, place) => (place === at ? { ...item, label: String(title) } : item));
    return { args: old.args.with(at, args), shown: { ...old.shown, items }, sources: old.sources };
  }
  if (old.tool === 'task.delete') return { args, shown: batchOf(idsOf(args)), sources: old.sources };
  if (!old.tool.startsWith('email.')) return { args, shown: old.shown, sources: old.sources };
  const before = old.args as typeof mailArgs;
  const after = args as typeof mailArgs;
  const keys = Object.keys(after) as (keyof typeof mailArgs)[];
  const changed = keys.filter((key) => JSON.stringify(before[key]) !== JSON.stringify(after[key]));
  const sources: Sources = Object.fromEntries([
    ...Object.entries(old.sources as Sources).filter(([at]) => !changed.some((key) => at.startsWith(`/${key}`))),
    ...changed.map((key) => [`/${key}`, { kind: 'person', words: null }] as const),
  ]);
  return { args, shown: mailOf(after, sources), sources: sources as JsonValue };
}
