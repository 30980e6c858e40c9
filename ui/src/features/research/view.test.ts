import { describe, expect, it } from 'vitest';
import type { Claim, Lane, LaneStep, ResearchRow, ResearchState, SourceRow } from '../../host';
import { clockText, groupsOf, laneWord, levelOf, marksOf, mayOf, minutesOf, pinOf, placeOf, trackOf } from './view';

const row = (id: string, state: ResearchState) => ({ id, state }) as ResearchRow;

describe('a run as it stands', () => {
  it('can be stopped and written early while it is at work, and resumed where it stands still', () => {
    expect(mayOf('running')).toEqual({ stop: true, writeNow: true, resume: false });
    expect(mayOf('waiting')).toEqual({ stop: true, writeNow: false, resume: false });
    expect(mayOf('paused')).toEqual({ stop: false, writeNow: false, resume: true });
    expect(mayOf('done')).toEqual({ stop: false, writeNow: false, resume: false });
    expect(mayOf('asking')).toEqual({ stop: false, writeNow: false, resume: false });
  });

  it('stands under what it needs, and no state is left out', () => {
    const states = ['asking', 'waiting', 'running', 'stopped', 'paused', 'done', 'failed'] as const;
    const groups = groupsOf(states.map((state) => row(state, state)));
    expect(groups.map(({ items }) => items.map(({ id }) => id))).toEqual([
      ['asking', 'paused'],
      ['waiting', 'running'],
      ['stopped', 'done', 'failed'],
    ]);
    expect(groupsOf([])).toEqual([]);
  });

  it('says when a budget comes to its end', () => {
    expect([levelOf(0, 10), levelOf(7, 10), levelOf(8, 10), levelOf(10, 10), levelOf(0, 0)]).toEqual([
      'plain',
      'plain',
      'near',
      'full',
      'full',
    ]);
    expect([clockText(372_000), clockText(-5), clockText(59_999)]).toEqual(['6:12', '0:00', '0:59']);
    expect([minutesOf(59_000), minutesOf(61_000)]).toEqual([0, 2]);
  });
});

describe('a lane', () => {
  const steps: LaneStep[] = [
    { step: 'search', query: 'a' },
    { step: 'result', hits: [], fault: null },
    { step: 'reflect', thought: 'b', delta: 'progress' },
  ];

  it('shows searches and reflections in their order', () => {
    expect(trackOf(steps)).toEqual(['search', 'reflect']);
  });

  it('says what its researcher is at, and nothing while the run stands still', () => {
    const lane = { state: 'running', phase: 'reflecting' } as Lane;
    expect(laneWord(lane, true)).toBe('research.lane_reflecting');
    expect(laneWord(lane, false)).toBe('research.lane_stopped');
    expect(laneWord({ ...lane, state: 'done' }, false)).toBe('research.lane_done');
    expect(laneWord({ ...lane, phase: 'of a later version' }, true)).toBe('research.lane_searching');
  });
});

describe('a source', () => {
  it('is a page, a file or a record, and what is none of them is never opened', () => {
    expect(placeOf('https://a.example/b')).toEqual({ kind: 'page', label: 'a.example', url: 'https://a.example/b' });
    expect(placeOf('file:///home/m/Docs/a%20b.pdf')).toEqual({
      kind: 'file',
      label: 'm › Docs',
      path: '/home/m/Docs/a b.pdf',
    });
    expect(placeOf('record:note/note_1')).toMatchObject({ kind: 'record', record: { kind: 'note', id: 'note_1' } });
    for (const odd of ['javascript:alert(1)', 'data:text/html,x', 'ssh://a', '']) {
      expect(placeOf(odd)).toEqual({ kind: 'unknown', label: odd });
    }
  });

  it('is found by the page that was read, and by its address where that is not known', () => {
    const sources = [
      { number: 1, address: 'a', sha256: 'x' },
      { number: 2, address: 'b', sha256: '' },
    ] as SourceRow[];
    const claim = (source: string, sha256: string) => ({ source, sha256 }) as Claim;
    expect(pinOf(claim('elsewhere', 'x'), sources)).toBe(1);
    expect(pinOf(claim('b', ''), sources)).toBe(2);
    expect(pinOf(claim('c', 'y'), sources)).toBeNull();
  });
});

describe('quotes in a page', () => {
  const texts = (text: string, quotes: string[]) => marksOf(text, quotes).map(({ text, quote }) => [text, quote]);

  it('stand letter for letter but for white space', () => {
    expect(texts('One  two\n\nthree four', ['two three'])).toEqual([
      ['One  ', null],
      ['two\n\nthree', 0],
      [' four', null],
    ]);
    expect(texts('One two', ['Two'])).toEqual([['One two', null]]);
  });

  it('keep the text whole, in order and without overlap', () => {
    const text = 'a b c d e';
    const marks = marksOf(text, ['c d', 'd e', 'a', '', ' ']);
    expect(marks.map((mark) => mark.text).join('')).toBe(text);
    expect(marks.filter((mark) => mark.quote !== null).map(({ text, quote }) => [text, quote])).toEqual([
      ['a', 2],
      ['c d', 0],
    ]);
    expect(marksOf('', ['a'])).toEqual([{ text: '', quote: null }]);
  });
});
