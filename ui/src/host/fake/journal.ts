import type { Card, PlanStep, ResultLine, Section, TurnEvent, StepStatus } from '../wire';
import { receipt } from './rows';

type Body<E> = E extends TurnEvent ? Omit<E, 'conversation' | 'turn' | 'seq'> : never;
/** An event before the journal numbers it. */
export type Said = Body<TurnEvent>;

export const step = (key: string, say: string, tool: string): PlanStep => ({ key, say, why: '', tool, status: 'next' });

/** The state of a step when the turn ends or waits, with its text. */
export const line = (step: string, tool: string, say: string, status: StepStatus = 'done'): ResultLine => ({
  step,
  tool,
  status,
  say,
});

type Result = Extract<Said, { event: 'tool_result' }>;

/** The event of a successful call. */
export const result = (step: string, say: string, ms = 12): Result => ({
  event: 'tool_result',
  step,
  ok: true,
  result: { output: { count: 0, total: 0, ids: [], items: [] }, say },
  ms,
});

/** The card in its event; some fields come only with the stored approval. */
export const told = (card: Card): Card => ({
  ...card,
  undo_kind: '',
  facts: card.facts.map(({ source, ...fact }) => {
    const { target: _, ...rest } = source ?? {};
    return { ...fact, source: source && (rest as typeof source) };
  }),
});

const section = (name: string, tokens: number, ms: number, more: Partial<Section> = {}): Section => ({
  name,
  tokens,
  ms,
  budget: 0,
  items: 1,
  dropped: [],
  ...more,
});

/** The context of a model, with dropped items and an unreadable source. */
export const modelContext: Section[] = [
  section('profile', 120, 1, { budget: 300 }),
  section('memories', 480, 6, {
    budget: 500,
    items: 12,
    dropped: [{ items: 3, tokens: 140, why: 'over_budget' }],
  }),
  section('history', 640, 2, { budget: 1200, items: 9, dropped: [{ items: 14, tokens: 2100, why: 'older' }] }),
  section('files', 0, 40, { budget: 400, problem: 'No folder is allowed yet.' }),
];

export const usage = { input: 0, output: 0, cost_micros: 0 };

export function finished(
  answer: string,
  tools: string[],
  ms: number,
  results: ResultLine[] = [],
  memories: string[] = [],
): Extract<Said, { event: 'done' }> {
  return {
    event: 'done',
    answer,
    results,
    used_tools: tools,
    used_memories: memories,
    usage,
    decision: 'embedded',
    ms,
  };
}

export function routed(type: string, domains: string[]): Said {
  return { event: 'routed', type, domains, is_followup: false, confidence: 0.97, by: 'embedded' };
}

/** The conversation of the mock-ups, up to the waiting card. */
export function moveRaj(card: { id: string; digest: string; shown: Card }): Said[] {
  return [
    {
      event: 'turn_started',
      text: 'Move my 1:1 with Raj to Thursday before lunch, whenever we’re both free, and send him the Q4 totals from the sheet. Also remind me Friday morning to book the London train.',
    },
    routed('action', ['calendar', 'email', 'task']),
    {
      event: 'context',
      sections: [section('calendar', 220, 4), section('memory', 60, 2)],
    },
    {
      event: 'plan',
      id: 'p1',
      request:
        'Move “Mara / Raj” to the first slot free for both on Thu 15 Jan before 12:00; mail Raj Patel the totals in q4-revenue.xlsx; remind you of the train, Fri 16 Jan, 09:00.',
      steps: [
        step('find', 'Find your 1:1 with Raj', 'calendar.list'),
        step('free', 'Find a time that suits both', 'calendar.free'),
        step('read', 'Read the Q4 totals', 'file.read'),
        step('remind', 'Remind you to book the train', 'task.create'),
        step('move', 'Move the 1:1 to Thursday', 'calendar.update'),
        step('mail', 'Send Raj the Q4 summary', 'email.send'),
      ],
    },
    { event: 'tool_call', step: 'find', tool: 'calendar.list', args: {} },
    result('find', '', 12),
    result('free', '', 41),
    result('read', '', 63),
    {
      ...result('remind', ''),
      receipt: receipt('r-train', 'task', 't-train', 'Book the London train', '2026-01-13T09:23:00-05:00'),
    },
    {
      event: 'approval_needed',
      id: card.id,
      step: 'move',
      digest: card.digest,
      tool: 'calendar.update',
      args: {},
      shown: told(card.shown),
      risk: 'reaches_people',
      sources: {},
    },
    {
      event: 'waiting',
      answer:
        'You’re both free Thursday at 11:00. The reminder is set; the move and the mail wait for you, and nothing has gone to Raj yet.',
      approvals: [card.id],
      questions: [],
      results: [
        line('find', 'calendar.list', 'Wed 14 Jan, 10:00, “Mara / Raj”'),
        line('free', 'calendar.free', 'Thu 15 Jan, 11:00 (Raj 16:00)'),
        line('read', 'file.read', '4 rows from q4-revenue.xlsx'),
        line('remind', 'task.create', 'Reminder “Book the London train”, Fri 16 Jan, 09:00'),
        line('move', 'calendar.update', '', 'waiting'),
        line('mail', 'email.send', '', 'next'),
      ],
    },
  ];
}

/** A turn that is still running. */
export const inFlight: Said[] = [
  { event: 'turn_started', text: 'Find a time with Raj on Thursday, then read the Q4 totals.' },
  routed('action', ['calendar', 'files']),
  {
    event: 'plan',
    id: 'p-run',
    request: 'Find a slot free for you and Raj Patel on Thu 15 Jan; read the totals in q4-revenue.xlsx.',
    steps: [
      step('free', 'Find a time that suits both', 'calendar.free'),
      step('read', 'Read the Q4 totals', 'file.read'),
      step('sum', 'Add up the four regions', 'calc.evaluate'),
    ],
  },
  result('free', ''),
  { event: 'tool_call', step: 'read', tool: 'file.read', args: {} },
  { event: 'status', text: 'Reading the Q4 totals' },
];

export const bankTurn: Said[] = [
  { event: 'turn_started', text: 'Remind me tomorrow at 9 to call the bank' },
  routed('action', ['task']),
  {
    event: 'plan',
    id: 'p-bank',
    request: 'Remind you to call the bank, Tue 13 Jan, 09:00.',
    steps: [step('remind', 'Set the reminder', 'task.create')],
  },
  {
    ...result('remind', ''),
    receipt: receipt('r-bank', 'task', 't-bank', 'Call the bank', '2026-01-12T17:10:00-05:00'),
  },
  finished('Reminder “Call the bank”, Tue 13 Jan, 09:00', ['task.create'], 8, [
    line('remind', 'task.create', 'Reminder “Call the bank”, Tue 13 Jan, 09:00'),
  ]),
];

export const leaseTurn: Said[] = [
  { event: 'turn_started', text: 'What did Hannah write about the lease?' },
  routed('question', ['email']),
  finished(
    'Hannah Voss wrote on **12 January**:\n\n- Two more years from 1 March, at €4,150 a month\n- The service charge is not mentioned; in the current lease it is capped at 3 %\n- She asks for a signed copy by **20 January**\n\n| | now | proposed |\n|---|---|---|\n| Rent | €3,980 | €4,150 |\n| Term | 1 year | 2 years |\n\nThe offer is at [kelm-estates.example](https://kelm-estates.example/unit-4).',
    ['email.search', 'email.read'],
    21,
    [],
    ['m-raj', 'm-sign'],
  ),
];

export const failedTurn: Said[] = [
  { event: 'turn_started', text: 'Search my files for the insurance policy' },
  routed('action', ['files']),
  {
    event: 'plan',
    id: 'p-fail',
    request: 'Search the allowed folders for the insurance policy.',
    steps: [step('find', 'Search your files', 'file.search')],
  },
  {
    event: 'tool_result',
    step: 'find',
    ok: false,
    error: {
      code: 'no_folder',
      message: 'No folder may be read yet.',
      hint: 'Open Settings, Files and add one.',
    },
    ms: 40,
  },
  {
    event: 'error',
    code: 'no_folder',
    message: 'No folder may be read yet.',
    hint: 'Open Settings, Files and add one, then ask again.',
  },
];
