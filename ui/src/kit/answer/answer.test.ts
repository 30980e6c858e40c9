import { fireEvent, render, screen, within } from '@testing-library/svelte';
import { describe, expect, it, vi } from 'vitest';
import type { Found, FoundEvent, TurnEvent } from '../../host';
import { fake } from '../../host/fake';
import { listed, playList } from '../../host/fake/answers';
import { START, ZONE } from '../../host/fake/rows';
import { clock } from '../clock.svelte';
import { emptyTalk, fold } from '../talk/fold';
import type { TurnView } from '../talk/view';
import { eventually } from '../test/eventually';
import { doing } from './acts';
import { piecesOf } from './pieces';
import Rows from './Rows.svelte';
import Tries from './Tries.svelte';

/** A turn of the fake host, folded like the window does. */
function turnOf(text: string): TurnView {
  const events: TurnEvent[] = [];
  const off = fake.world.subscribe('c-rows', 0, (event) => events.push(event as TurnEvent));
  fake.world.say('c-rows', 'turn-rows', { event: 'turn_started', text });
  playList(fake.world, 'c-rows', 'turn-rows', listed(text)!);
  off();
  const turn = events.reduce(fold, emptyTalk).turns[0];
  if (!turn) throw new Error('no turn');
  return turn;
}

const foundOf = (text: string): Found => turnOf(text).steps[0]!.found!;
const calls = (op: string) => fake.calls.filter((one) => one.op === op);

describe('the pieces of an answer', () => {
  it('are rows in the place of the words that say the same', () => {
    const turn = turnOf('list tasks');
    expect(piecesOf(turn)).toEqual({ first: [{ kind: 'rows', found: turn.steps[0]!.found, basis: false }], rest: [] });
  });

  it('keep what is said before and after', () => {
    const turn = turnOf('list tasks');
    const found = turn.steps[0]!.found!;
    const around = { ...turn, parts: [`Here they are.\n\n${found.say}\n\nNo events today.`] };
    expect(piecesOf(around).first.map((one) => (one.kind === 'words' ? one.text : one.kind))).toEqual([
      'Here they are.',
      'rows',
      'No events today.',
    ]);
  });

  it('say what was asked about somebody, and show whom it is about', () => {
    const person = { id: 'c1', name: 'Priya', organisation: '', relation: '', emails: ['p@n.example'], phones: ['+1'] };
    const pieces = (say: string) => {
      const turn = turnOf('list tasks');
      const found: Found = { ...turn.steps[0]!.found!, say, rows: { kind: 'contacts', list: [person] } };
      const [step] = turn.steps;
      return piecesOf({ ...turn, parts: [say], steps: [{ ...step!, found }] }).first.map((one) => one.kind);
    };
    expect(pieces('Priya: Sat 14 Mar, turning 36.')).toEqual(['words', 'rows']);
    expect(pieces('Priya · p@n.example · +1 · born 14 Mar 1990.')).toEqual(['rows']);
  });

  it('are the text of a note as it is written, and the note folded below', () => {
    const turn = turnOf('list tasks');
    const [step] = turn.steps;
    const say = '**Boat**\n\n- Oars: in the shed\n- Paint: **blue**';
    const note = { id: 'note_a', title: 'Boat', preview: '- Oars: in the shed', updated: '2026-01-12T09:00:00-05:00' };
    const found: Found = { say, head: '**Boat**', note: '', total: 1, rows: { kind: 'notes', list: [note] } };
    expect(piecesOf({ ...turn, parts: [say], steps: [{ ...step!, found }] }).first).toEqual([
      { kind: 'words', text: say, streaming: false },
      { kind: 'rows', found, basis: true },
    ]);
    const list = { ...found, say: '2 notes.', head: '2 notes.' };
    const listed = piecesOf({ ...turn, parts: [list.say], steps: [{ ...step!, found: list }] }).first;
    expect(listed).toEqual([{ kind: 'rows', found: list, basis: false }]);
  });

  it('put the rows a model had under its own words, folded', () => {
    const { first, rest } = piecesOf(turnOf('tell tasks'));
    expect(first.map((one) => one.kind)).toEqual(['words']);
    expect(rest).toMatchObject([{ kind: 'rows', basis: true }]);
  });

  it('leave out what a step worked with that changed something', () => {
    const turn = turnOf('tell tasks');
    const acted = { ...turn, effects: [{ id: 'e', step: 'other', say: 'Done' }] };
    expect(piecesOf(acted).rest).toEqual([]);
  });

  it('are requests to press where nothing was understood', () => {
    const near = ['Add a task to buy milk', 'What is on tomorrow?'];
    const turn: TurnView = { ...turnOf('list tasks'), steps: [], state: 'done', near };
    const say = (text: string, more: Partial<TurnView> = {}) => piecesOf({ ...turn, parts: [text], ...more }).first;
    expect(say('I did not understand that.')).toEqual([
      { kind: 'words', text: 'I did not understand that.', streaming: false },
      { kind: 'tries', requests: near },
    ]);
    // Words alone produce no buttons.
    const kinds = (pieces: { kind: string }[]) => pieces.map((piece) => piece.kind);
    expect(kinds(say('You could say “stop”.', { near: [] }))).toEqual(['words']);
  });
});

const rowNames = () => screen.getAllByRole('link').map((one) => one.textContent.trim());

describe('rows', () => {
  it('are twelve, then “12 of 17”, which opens the rest in place and goes on there', async () => {
    render(Rows, { found: foundOf('list tasks'), onsay: vi.fn() });
    expect(rowNames()).toHaveLength(12);
    screen.getByText('12 of 17');
    await fireEvent.click(screen.getByRole('button', { name: 'Show all' }));
    await eventually(() => expect(rowNames()).toHaveLength(17));
    await eventually(() => expect(document.activeElement?.closest('[data-line]')).toBe(rows()[12]));
  });

  const rows = () => [...document.querySelectorAll('[data-line]')];

  it('complete a task with one press of its box, and take it back', async () => {
    const found = foundOf('list tasks');
    render(Rows, { found, onsay: vi.fn() });
    const first = found.rows.kind === 'tasks' ? found.rows.list[0]! : null;
    await fireEvent.click(screen.getByRole('checkbox', { name: `Done: ${first!.title}` }));
    const stored = () => fake.world.tables.tasks.find((one) => one.id === first!.id)?.status;
    await eventually(() => expect(stored()).toBe('done'));
    expect(calls('apply')).toHaveLength(1);
    const row = rows()[0] as HTMLElement;
    await fireEvent.focusIn(row);
    await fireEvent.click(await within(row).findByRole('button', { name: /^Undo/ }));
    await eventually(() => expect(stored()).toBe('open'));
  });

  it('take the arrows, Space and letters while a name has the focus', async () => {
    const found = foundOf('list tasks');
    render(Rows, { found, onsay: vi.fn() });
    const names = () => screen.getAllByRole('link');
    names()[0]!.focus();
    await fireEvent.keyDown(names()[0]!, { key: 'ArrowDown' });
    expect(document.activeElement).toBe(names()[1]);
    await fireEvent.keyDown(names()[1]!, { key: 't' });
    await eventually(() => expect(calls('apply')).toHaveLength(1));
    const id = found.rows.kind === 'tasks' ? found.rows.list[1]!.id : '';
    expect(calls('apply')[0]!.args).toEqual({
      tool: 'task.update',
      args: { id, changes: { due: expect.any(String) } },
    });
  });

  it('put the beginning of a request into the message field', async () => {
    const onsay = vi.fn();
    render(Rows, { found: foundOf('list letters'), onsay });
    const row = rows()[1] as HTMLElement;
    await fireEvent.focusIn(row);
    await fireEvent.click(within(row).getByRole('button', { name: /^Reply/ }));
    expect(onsay.mock.calls).toEqual([['Reply to “Q4 totals” from Priya Nair: ']]);
  });

  it('say what the words said besides', () => {
    render(Rows, { found: foundOf('list events'), onsay: vi.fn() });
    screen.getByText(/Not all dates of “Gym” are known/);
    screen.getByText('Wednesday, 14 January');
  });
});

describe('the answer to whether a time is free', () => {
  const at = (time: string) => `2026-01-15T${time}:00-05:00`;
  const event = (row: string, summary: string, start: string, end: string): FoundEvent => ({
    ...{ id: row, row, summary, start: at(start), end: at(end), all_day: false, location: '', people: [] },
    ...{ calendar: 'local', repeats: false },
  });
  const no: Found = {
    ...{ say: '', head: 'No, 2 events on Thu 15 Jan:', note: '', total: 1 },
    rows: { kind: 'free', list: [{ start: at('14:00'), end: at('18:00'), minutes: 240 }] },
    in_the_way: [event('event_a', 'Choir', '12:00', '13:00'), event('event_b', 'Dentist', '13:30', '14:00')],
  };

  it('names the events in the way, with links, and then what is left', async () => {
    const onsay = vi.fn();
    const { container } = render(Rows, { found: no, onsay });
    expect(rowNames()).toEqual(['Choir', 'Dentist']);
    const days = [...container.querySelectorAll('.day')].map((one) => one.textContent);
    expect(days).toEqual(['Thursday, 15 January', 'Free on Thursday, 15 January']);
    expect(container.querySelectorAll('[data-line]')).toHaveLength(3);
    expect(container.querySelector('.foot')).toBeNull();
    const choir = screen.getByRole('link', { name: 'Choir' });
    await fireEvent.keyDown(choir, { key: 'm' });
    expect(onsay.mock.calls).toEqual([['Move “Choir” to ']]);
  });
});

describe('tomorrow', () => {
  it('keeps the time of day a task had', () => {
    clock.now = () => Date.parse(START);
    clock.tz = ZONE;
    const row = (due: string | null) =>
      ({
        kind: 'tasks',
        list: [{ id: 'a', title: 'Pay', due, priority: 'medium', status: 'open', repeats: false }],
      }) as const;
    const due = (rows: ReturnType<typeof row>) => doing({ ...rows, list: [...rows.list] }, 'a', 'tomorrow');
    const changed = (to: string) => ({ tool: 'task.update', args: { id: 'a', changes: { due: to } } });
    // The stored time does not depend on the clock format.
    clock.face = '12h';
    expect(due(row(null))).toEqual(changed('2026-01-14'));
    expect(due(row('2026-01-10T17:00:00-05:00'))).toEqual(changed('2026-01-14T17:00:00-05:00[America/New_York]'));
  });
});

describe('files that were found', () => {
  const found: Found = {
    ...{ say: '', head: '1 file.', note: '', total: 1 },
    rows: {
      kind: 'files',
      list: [{ path: '/home/mara/notes/a.md', name: 'a.md', folder: '/home/mara/notes', size: 3, modified: null }],
    },
  };

  it('are shown in their folder by Enter, O and button, and their path is copied', async () => {
    fake.opened.length = 0;
    render(Rows, { found, onsay: () => undefined });
    const row = screen.getByRole('button', { name: /^a\.md/ });
    await fireEvent.click(row);
    await fireEvent.keyDown(row, { key: 'o' });
    await eventually(() => expect(fake.opened).toEqual(['/home/mara/notes/a.md', '/home/mara/notes/a.md']));
    await fireEvent.keyDown(row, { key: 'c' });
    await eventually(() => expect(fake.copied.at(-1)).toBe('/home/mara/notes/a.md'));
  });
});

describe('requests to press', () => {
  it('go into the field when they are pressed', async () => {
    const onsay = vi.fn();
    render(Tries, { requests: ['What is on tomorrow?', 'Add a task to buy milk'], onsay });
    await fireEvent.click(screen.getByRole('button', { name: 'Add a task to buy milk' }));
    expect(onsay.mock.calls).toEqual([['Add a task to buy milk']]);
  });
});
