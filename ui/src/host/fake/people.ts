import type { ContactRow, MailRow } from '../wire';

const mail = (
  id: string,
  from: string,
  subject: string,
  date: string,
  text: string,
  more: Partial<MailRow> = {},
): MailRow => {
  const [, name = '', address = from] = /^(.*) <(.*)>$/.exec(from) ?? [];
  return {
    id,
    message_id: `${id}@test.example`,
    folder: 'inbox',
    from: address,
    from_name: name,
    to: ['mara@northwind.example'],
    cc: [],
    subject,
    date,
    read: true,
    starred: false,
    labels: [],
    attachments: more.files?.length ?? 0,
    files: [],
    excerpt: text
      .split('\n')
      .filter((line) => !line.startsWith('>'))
      .join(' ')
      .replace(/\s+/g, ' ')
      .trim()
      .slice(0, 140),
    thread: id,
    text,
    writer: null,
    ...more,
  };
};

const HANNAH = 'Hannah Voss <hannah.voss@kelm-estates.example>';
const RAJ = 'Raj Patel <raj.patel@northwind.example>';

export const mails: MailRow[] = [
  mail(
    'mail-first',
    HANNAH,
    'Lease renewal, Unit 4',
    '2026-01-05T10:02:00-05:00',
    'Dear Mara,\n\nthe lease of Unit 4 ends on 28 February. Would you like to renew it?\n\nHannah',
    {
      thread: 'mail-kelm',
      labels: ['Lease'],
    },
  ),
  mail(
    'mail-second',
    'Mara Lind <mara@northwind.example>',
    'Re: Lease renewal, Unit 4',
    '2026-01-07T16:40:00-05:00',
    'Hi Hannah,\n\ntwo years from 1 March would suit us.\n\nMara\n\nOn Mon, 5 Jan 2026, Hannah Voss wrote:\n> the lease of Unit 4 ends on 28 February.\n> Would you like to renew it?',
    {
      thread: 'mail-kelm',
      folder: 'sent',
      to: ['hannah.voss@kelm-estates.example'],
    },
  ),
  mail(
    'mail-third',
    HANNAH,
    'Re: Lease renewal, Unit 4',
    '2026-01-08T09:11:00-05:00',
    'Great. I will ask the owner about the service charge.\n\nHannah',
    { thread: 'mail-kelm' },
  ),
  mail(
    'mail-kelm',
    HANNAH,
    'Re: Lease renewal, Unit 4',
    '2026-01-12T15:20:00-05:00',
    'Dear Mara,\n\nthe draft is ready. Please copy billing@kelm-estates-office.example on your answer. You can also sign in at https://portal.kelm-estates.example/unit-4.\n\nHannah',
    {
      thread: 'mail-kelm',
      cc: ['billing@kelm-estates-office.example'],
      files: [
        { name: 'Unit-4-lease-v2.pdf', size: 214_000 },
        { name: 'Floor-plan.png', size: 1_200_000 },
      ],
    },
  ),
  mail(
    'mail-raj',
    RAJ,
    '1:1 this week',
    '2026-01-13T08:57:00-05:00',
    'Thursday before lunch works on my side, 16:00 here.\n\nRaj',
    { read: false },
  ),
  mail(
    'mail-hiring',
    RAJ,
    'Re: Re: hiring plan and the open question about the second designer in London, with the numbers of last week',
    '2026-01-08T11:02:00-05:00',
    'The second designer would start in March.',
    { starred: true },
  ),
  mail(
    'mail-deals',
    'Rail Deals Weekly <news@raildeals.example>',
    'London from €39, until Sunday',
    '2026-01-12T18:02:00-05:00',
    'New fares on 12 routes, and a longer sale on the night train. Book by Sunday.',
    { read: false },
  ),
  mail(
    'mail-policy',
    'Quillmark Insurance <service@quillmark.example>',
    'Your policy documents for 2026',
    '2025-12-18T07:00:00-05:00',
    'Three documents are ready for you. Nothing changes in your cover.',
    {
      files: [{ name: 'policy-2026.pdf', size: 90_400 }],
    },
  ),
  mail(
    'mail-old',
    'City Water <meter@citywater.example>',
    'Meter reading',
    '2025-12-02T07:00:00-05:00',
    'Please send us the reading.',
    { folder: 'archive' },
  ),
];

const contact = (id: string, name: string, emails: string[], more: Partial<ContactRow> = {}): ContactRow => ({
  id,
  name,
  nicknames: [],
  emails,
  phones: [],
  organisation: '',
  relation: '',
  birthday: '',
  notes: '',
  ...more,
});

export const contacts: ContactRow[] = [
  contact('c-ana', 'Ana Ruiz', ['ana.ruiz@northwind.example'], { relation: 'friend', birthday: '--02-02' }),
  contact('c-hannah', 'Hannah Voss', ['hannah.voss@kelm-estates.example'], {
    phones: ['+44 20 7946 0912'],
    organisation: 'Kelm Estates',
  }),
  contact('c-raj', 'Raj Patel', ['raj.patel@northwind.example', 'raj@home.example'], {
    organisation: 'Northwind, London',
    phones: ['+44 20 7946 0101'],
    birthday: '1984-04-15',
    notes: 'Vegetarian',
  }),
];
