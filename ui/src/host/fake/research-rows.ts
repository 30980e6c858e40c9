import type { Claim, DocumentChange, Lane, LaneStep, Research, ResearchPage, ResearchRow, Since } from '../wire';

// Research runs in different states: one at work, one with a question, one with its report, and the run before that.

const HASH = { field: 'f1'.repeat(32), prices: 'a2'.repeat(32), loss: '3c'.repeat(32) } as const;
const FIELD = 'https://buildingscience.example/field-study';
const PRICES = 'https://energy-office.example/prices';
const LOSS = 'file:///home/mara/Documents/House/heat-loss-ferry-st.pdf';

export const pages: ResearchPage[] = [
  {
    sha256: HASH.field,
    address: FIELD,
    title: 'Field performance of 42 cold-climate heat pumps',
    at: '2026-01-13T09:17:00-05:00',
    text: 'Summary\n\nForty-two homes were measured over two winters.\n\nThe seasonal efficiency of the\nmeasured units was 2.7 on average, against 3.4 in the laboratory.\n\nUnits in homes with panel radiators did worst.',
  },
  {
    sha256: HASH.prices,
    address: PRICES,
    title: 'Monthly residential energy prices',
    at: '2026-01-13T09:14:00-05:00',
    text: 'Heating oil cost $3.71 a gallon in December 2025.\n\nElectricity cost 17.2 cents a kilowatt hour.',
  },
  {
    sha256: HASH.loss,
    address: LOSS,
    title: 'heat-loss-ferry-st.pdf',
    at: '2026-01-13T09:15:00-05:00',
    text: 'Room by room\n\nN. bedrooms: 3,150 Btu/h needed, 2,480 available at 130 °F; all other rooms within 4 % or better.',
  },
];

const row = (id: string, objective: string, more: Partial<ResearchRow>): ResearchRow => ({
  ...{ id, objective, state: 'done', why: null, started: '2026-01-13T09:12:00-05:00' },
  ...{ updated: '2026-01-13T09:18:00-05:00', ended: null, round: 1, questions: 0, answered: 0, searches: 0, pages: 0 },
  ...{ credits: 0, cost_micros: null, credits_max: 1000, running_ms: 0, running_ms_max: 900_000 },
  ...{ answer: null, confidence: null },
  ...{ repeats: null, previous: null },
  ...more,
});

const claim = (number: number, text: string, quote: string, page: number, more: Partial<Claim> = {}): Claim => ({
  ...{ number, text, quote, source: pages[page]?.address ?? '', sha256: pages[page]?.sha256 ?? '' },
  ...{ doubt: null, sources: 1 },
  ...more,
});

const search = (query: string): LaneStep => ({ step: 'search', query });
const hit = (page: number): LaneStep => ({
  step: 'result',
  hits: [{ address: pages[page]?.address ?? '', title: pages[page]?.title ?? '', snippet: '' }],
  fault: null,
});
const read = (page: number): LaneStep => ({
  ...{ step: 'page', address: pages[page]?.address ?? '', title: pages[page]?.title ?? '' },
  ...{ sha256: pages[page]?.sha256 ?? '', at: pages[page]?.at ?? '' },
});
const reflect = (thought: string, delta = 'progress'): LaneStep => ({ step: 'reflect', thought, delta });

const lane = (id: string, question: string, more: Partial<Lane>): Lane => ({
  ...{ id, round: 1, name: question.slice(0, 30), question, goal: 'Numbers with their source' },
  ...{ state: 'running', phase: 'searching', steps: [], document: null },
  ...more,
});

const lanes = (): Lane[] => [
  lane('q1', 'What would an air-source unit cost to run in this house?', {
    steps: [
      search('heat pump running cost cold climate'),
      hit(0),
      read(0),
      reflect('Two field studies put the seasonal efficiency near 2.7, not 3.4.'),
      search('electricity price December 2025'),
      hit(1),
      read(1),
      reflect('Prices are known. The house itself is not yet.'),
      search('seasonal COP 60 °F zone 5A cold climate heat pump field study'),
    ],
  }),
  lane('q2', 'Which rebates can a 1931 two-family claim in 2026?', {
    phase: 'reflecting',
    steps: [
      search('state rebate whole-home heat pump two-family 2026'),
      { step: 'result', hits: [], fault: 'The search engine did not answer in time.' },
      reflect('Nothing came of it.', 'dead_end'),
      search('heat pump rebate income limit'),
      hit(1),
      {
        step: 'closed',
        address: 'https://rebates.example/list',
        fault: 'The page does not want to be read by programs.',
      },
    ],
  }),
  lane('q3', 'Will the existing radiators be large enough?', {
    state: 'done',
    phase: 'done',
    steps: [search('radiators Ferry Street heat loss'), hit(2), read(2), reflect('All rooms are listed.')],
    document: {
      answer: 'Five of seven rooms work at 130 °F water. The two north bedrooms need larger panels.',
      findings: [
        claim(0, 'The two north bedrooms fall short by about a fifth.', '3,150 Btu/h needed, 2,480 available', 2),
      ],
      sources: [],
      limitations: [],
      confidence: 'high',
      recommendation: 'promising',
    },
  }),
];

const brief = {
  why: 'To decide before the oil contract renews',
  success: ['Running cost a year against oil', 'Which rebates apply', 'Whether the radiators can stay'],
  sources: 'both' as const,
};

const source = (number: number, page: number, contribution: string) => ({
  ...{ number, address: pages[page]?.address ?? '', title: pages[page]?.title ?? '' },
  ...{ sha256: pages[page]?.sha256 ?? '', at: pages[page]?.at ?? '', contribution, changed: null },
});

/** The history of the brain documents. */
export const versions: DocumentChange[] = [
  {
    ...{ version: 1, at: '2026-01-13T09:12:00-05:00', changes: {} },
    lines: [
      { question: null, part: 'strategy', text: 'What it costs first, then what the house needs.' },
      { question: 'q1', part: 'question', text: 'What would an air-source unit cost to run in this house?' },
    ],
  },
  {
    ...{ version: 2, at: '2026-01-13T09:13:00-05:00', changes: {} },
    lines: [{ question: 'q1', part: 'search', text: 'heat pump running cost cold climate' }],
  },
  { ...{ version: 3, at: '2026-01-13T09:13:10-05:00', changes: {} }, lines: [] },
  {
    ...{ version: 4, at: '2026-01-13T09:14:00-05:00', changes: {} },
    lines: [
      { question: 'q1', part: 'page', text: 'Field performance of 42 cold-climate heat pumps' },
      { question: 'q1', part: 'fault', text: 'https://rebates.example/list: it does not want to be read by programs.' },
      { question: 'q1', part: 'reflection', text: 'Two field studies put the efficiency near 2.7, not 3.4.' },
    ],
  },
];

const since: Since = {
  ...{ id: 'r-before', started: '2026-01-05T10:00:00-05:00' },
  compared: {
    changed: [
      {
        before: claim(1, 'Heating oil cost $3.58 a gallon in November 2025.', 'Heating oil cost $3.58 a gallon', 1),
        after: claim(2, 'Heating oil cost $3.71 a gallon in December 2025.', 'Heating oil cost $3.71 a gallon', 1),
      },
    ],
    new: [claim(3, 'The two north bedrooms need larger radiators.', 'N. bedrooms: 3,150 Btu/h needed', 2)],
    gone: [],
    same: 2,
  },
};

/** The runs of a world, newest first. */
export const runs = (): Research[] => [
  {
    row: row('r-pump', 'Should we replace the oil boiler at Ferry Street with a heat pump this year?', {
      ...{
        state: 'running',
        round: 4,
        questions: 3,
        answered: 1,
        searches: 7,
        pages: 5,
        credits: 214,
        cost_micros: 1_070_000,
      },
      running_ms: 372_000,
    }),
    ...brief,
    asks: null,
    strategy: 'What it costs first, then what the house needs, then what is paid for.',
    lanes: lanes(),
    decisions: ['Rebates are open: asked again by building.'],
    ...{ rounds_max: 50, left_ms: 240_000, version: 31, report: null, since: null },
  },
  {
    row: row('r-ask', 'Train to London', { state: 'asking' }),
    ...{ why: '', success: [], sources: 'web', strategy: null, lanes: [], decisions: [] },
    asks: {
      missing: 'why',
      text: 'What is it for?',
      choices: ['To book a trip', 'To compare with flying', 'To plan a move'],
    },
    ...{ rounds_max: 50, left_ms: null, version: 1, report: null, since: null },
  },
  {
    row: row('r-stopped', 'Who repairs slate roofs near Ferry Street?', {
      ...{ state: 'stopped', round: 1, questions: 1, searches: 2, credits: 12, running_ms: 41_000 },
    }),
    ...{ ...brief, asks: null, strategy: null, lanes: lanes().slice(0, 1), decisions: [] },
    ...{ rounds_max: 50, left_ms: null, version: 6, report: null, since: null },
  },
  {
    row: row('r-done', 'What does a heat pump cost to run against oil?', {
      ...{ round: 2, questions: 3, answered: 3, searches: 14, pages: 9, credits: 96, running_ms: 288_000 },
      ...{
        started: '2026-01-12T10:00:00-05:00',
        updated: '2026-01-12T10:05:00-05:00',
        ended: '2026-01-12T10:05:00-05:00',
      },
      ...{ answer: 'A little less than oil: about $2,350 a year against $2,700.', confidence: 'medium' },
      ...{ repeats: '2026-01-19T10:00:00-05:00', previous: 'r-before' },
    }),
    ...{
      ...brief,
      asks: null,
      strategy: null,
      lanes: lanes().map((one) => ({ ...one, state: 'done', phase: 'done' })),
    },
    ...{ decisions: ['Enough is known to answer.'], rounds_max: 50, left_ms: null, version: 58, since },
    report: {
      answer: {
        text: 'A little less than oil: about $2,350 a year against $2,700.',
        because: 'It follows from the measured efficiency and the prices of December.',
        claims: [1, 2],
      },
      summary:
        'Likely yes, with two radiators replaced first.\n\nThe gap depends on a seasonal efficiency near 2.7, which two field studies support.',
      claims: [
        claim(
          1,
          'The seasonal efficiency measured in homes is 2.7 on average.',
          'The seasonal efficiency of the measured units was 2.7 on average',
          0,
          { sources: 2 },
        ),
        claim(
          2,
          'Heating oil cost $3.71 a gallon in December 2025.',
          'Heating oil cost $3.71 a gallon in December 2025.',
          1,
        ),
        claim(
          3,
          'The two north bedrooms need larger radiators.',
          'N. bedrooms: 3,150 Btu/h needed, 2,480 available at 130 °F',
          2,
        ),
        claim(4, 'In the laboratory the efficiency was 3.4 in every home.', 'against 3.4 in the laboratory', 0, {
          doubt: 'The quote does not say “every”.',
        }),
      ],
      sources: [
        source(1, 0, 'How well such units do in homes'),
        { ...source(2, 1, 'What oil and electricity cost'), changed: '2026-01-13T09:14:00-05:00' },
        source(3, 2, 'What each room needs'),
      ],
      contradictions: [{ one: 1, other: 4, about: 'The efficiency: 2.7 or 3.4' }],
      limitations: ['Whether the state rebate is counted per unit or per building was not found.'],
      confidence: 'medium',
      written_by: 'embedded',
      cut: 'write_now',
      dropped: 1,
    },
  },
  {
    row: row('r-before', 'What does a heat pump cost to run against oil?', {
      ...{ round: 1, questions: 2, answered: 2, searches: 8, pages: 4, credits: 51, running_ms: 120_000 },
      ...{
        started: '2026-01-05T10:00:00-05:00',
        updated: '2026-01-05T10:02:00-05:00',
        ended: '2026-01-05T10:02:00-05:00',
      },
      ...{ answer: 'About the same as oil.', confidence: 'low' },
    }),
    ...{
      ...brief,
      asks: null,
      strategy: null,
      lanes: [],
      decisions: [],
      rounds_max: 50,
      left_ms: null,
      version: 22,
      since: null,
    },
    report: {
      ...{ answer: null, summary: 'About the same as oil.', sources: [source(1, 1, 'What oil costs')] },
      claims: [
        claim(
          1,
          'Heating oil cost $3.71 a gallon in December 2025.',
          'Heating oil cost $3.71 a gallon in December 2025.',
          1,
        ),
      ],
      ...{ contradictions: [], limitations: [], confidence: 'low', written_by: 'embedded', cut: null, dropped: 0 },
    },
  },
  {
    row: row('r-failed', 'Compare the three offers for the roof', {
      ...{ state: 'paused', why: 'The search engine did not accept the key. Enter it again in Settings.', round: 1 },
    }),
    ...{ ...brief, asks: null, strategy: null, lanes: [], decisions: [] },
    ...{ rounds_max: 50, left_ms: null, version: 3, report: null, since: null },
  },
];
