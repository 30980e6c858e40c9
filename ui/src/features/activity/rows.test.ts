import { describe, expect, it } from 'vitest';
import type { JsonValue } from '../../host';
import { fake } from '../../host/fake';
import { activity, egress, imports, plans } from '../../host/fake/rows';
import { proofs } from '../../kit/proofs';
import { broughtText, compare, decidedText, fieldText, lines, noUndoText, phaseOf, undoneBy } from './rows';

describe('activity', () => {
  it('is one list by time, or only effects, or only what left this machine', () => {
    const ids = (shown: 'all' | 'effects' | 'egress') =>
      lines({ effects: activity, egress }, shown).map((one) => one.id);
    expect(ids('all').indexOf('g-rates')).toBe(ids('all').indexOf('r-archive') - 1);
    expect(ids('effects')).not.toContain('g-rates');
    expect(ids('egress')).toEqual(['g-rates']);
  });

  it('lists no rejected action among the changes', () => {
    const [row] = activity;
    if (!row) throw new Error('no activity');
    const rejected = { ...row, id: 'rejected', outcome: 'denied' as const };
    expect(lines({ effects: [row, rejected], egress: [] }, 'all').map((one) => one.id)).toEqual([row.id]);
  });

  it('has what was refused among everything, at the time it was asked for or ran out', () => {
    const [card] = fake.world.approvals;
    if (!card) throw new Error('no approvals');
    const at = { created: '2026-01-13T09:00:00-05:00', expires: '2026-01-13T09:15:00-05:00' };
    const rows = (['pending', 'denied', 'expired', 'succeeded', 'superseded'] as const).map((state) => ({
      ...card,
      ...at,
      id: state,
      state,
    }));
    const found = (shown: 'all' | 'effects') =>
      lines({ effects: [], egress: [], approvals: rows }, shown).map(({ id, at: when }) => [id, when]);
    expect(found('all')).toEqual([
      ['expired', at.expires],
      ['denied', at.created],
    ]);
    expect(found('effects')).toEqual([]);
  });

  it('has an approved action that could not be done once, with what became of it', () => {
    const [card] = fake.world.approvals;
    const [row] = activity;
    if (!card || !row) throw new Error('no rows');
    const expired = { ...card, id: 'act_1', state: 'expired' as const };
    const effect = { ...row, id: 'eff_1', outcome: 'failed' as const, approval: 'act_1' };
    const found = lines({ effects: [effect], egress: [], approvals: [expired] }, 'all');
    expect(found.map((one) => one.id)).toEqual(['eff_1']);
  });

  it('has what was brought in, and what was only read, among everything', () => {
    const risk = (tool: string) => (tool === 'calendar.list' ? ('read' as const) : null);
    const kinds = (shown: 'all' | 'effects' | 'egress', logs = {}) =>
      lines({ effects: [], egress: [], imports, plans, ...logs }, shown, risk).map((one) => one.kind);
    expect(kinds('all')).toEqual(['read', 'import']);
    expect(kinds('effects')).toEqual(['import']);
    expect(kinds('egress')).toEqual([]);
    // A turn with an effect or an approval has its own line, so it is not listed as a read.
    const [plan] = plans;
    const [row] = activity;
    const [card] = fake.world.approvals;
    if (!plan || !row || !card) throw new Error('no rows');
    expect(kinds('all', { effects: [{ ...row, turn: plan.turn }] })).not.toContain('read');
    expect(kinds('all', { approvals: [{ ...card, turn: plan.turn }] })).not.toContain('read');
    // A failed step, or a tool that does not only read, makes it no read.
    const step = { key: 'a', say: 'a', why: '', tool: 'calendar.list', status: 'failed' as const };
    expect(kinds('all', { plans: [{ ...plan, steps: [step] }] })).not.toContain('read');
    const other = { ...step, status: 'done' as const, tool: 'gone.tool' };
    expect(kinds('all', { plans: [{ ...plan, steps: [other] }] })).not.toContain('read');
  });

  it('says what a file brought', () => {
    const [file] = imports;
    if (!file) throw new Error('no imports');
    const count = { topic: 'mail', added: 0, changed: 2, same: 5 };
    expect(broughtText(file)).toBe('12 events, 1 not readable');
    expect(broughtText({ ...file, counts: [count], refused: 0 })).toBe('2 changed');
    expect(broughtText({ ...file, counts: [{ ...count, changed: 0 }], refused: 0 })).toBe('all 5 there already');
    expect(broughtText({ ...file, counts: [], refused: 0 })).toBe('Nothing in it to import');
  });

  it('never takes an outcome nobody knows, or a refusal, for done', () => {
    const [row] = activity;
    if (!row) throw new Error('no rows');
    expect(phaseOf({ ...row, outcome: 'unknown' })).toBe('unknown');
    expect(phaseOf({ ...row, outcome: 'denied' })).toBe('failed');
    expect(phaseOf({ ...row, undo: 'used' })).toBe('undone');
    for (const undo of ['partly', 'partly_changed'] as const) expect(phaseOf({ ...row, undo })).toBe('partly');
    expect(phaseOf(row)).toBe('done');
  });
});

describe('the way back', () => {
  const [row] = activity;
  if (!row) throw new Error('no rows');
  const done = { ...row, approval: null, grant: null, conversation: 'c-lease' };

  it('is promised of what was done at once only while there is one', () => {
    const told = (undo: typeof row.undo) => decidedText({ ...done, undo });
    expect(told('available')).toBe('Done at once: can be undone');
    expect(told('partly')).toBe('Done at once: can be undone');
    expect(told('changed')).toBe('Done at once: changed since');
    expect(told(null)).toBe('Done at once');
    expect(decidedText({ ...done, approval: 'a', undo: 'changed' })).toBe('You approved it');
  });

  it('says why there is none', () => {
    const why = (undo: typeof row.undo) =>
      noUndoText({ kind: 'effect', id: row.id, at: row.at, effect: { ...done, undo } });
    expect([why('available'), why('partly')]).toEqual([null, null]);
    expect(why('used')).toBe('This was undone already.');
    expect(why(null)).toBe('This cannot be undone.');
    for (const undo of ['changed', 'partly_changed'] as const) expect(why(undo)).toMatch(/^Changed since/);
    const [sent] = egress;
    if (!sent) throw new Error('no egress');
    expect(noUndoText({ kind: 'egress', id: sent.id, at: sent.at, egress: sent })).toMatch(/nothing to undo/);
  });

  it('leads from an undo to what it undid, and shows no internal id', () => {
    const undo = { ...done, tool: 'undo', args: { effect: 'eff_s49sbwpt67cq' } };
    expect(undoneBy(undo)).toBe('eff_s49sbwpt67cq');
    expect(undoneBy(done)).toBeNull();
    expect(compare(undo.args, null)).toEqual([]);
    expect(compare({ draft: 'out_0r6j2txjzkh2', subject: 'Hi' }, null).map((one) => one.field)).toEqual(['subject']);
  });
});

describe('a field', () => {
  it('is named as on its surface, one nobody knows by its own words', () => {
    expect(['due', 'remind_at', 'new_field', 'constructor'].map(fieldText)).toEqual([
      'Due on',
      'Reminder',
      'new field',
      'constructor',
    ]);
  });
});

describe('a receipt', () => {
  it('names its rows; what is malformed proves nothing', () => {
    expect(
      proofs({ id: 'r', at: '', rows: [{ kind: 'task', id: 't', label: 'x', version: null, digest: null }] }),
    ).toEqual([{ kind: 'task', id: 't', label: 'x', version: null, digest: null }]);
    const odd: JsonValue[] = [null, 3, [], {}, { rows: 'x' }, { rows: [null, { kind: 1 }] }];
    expect(odd.map((one) => proofs(one))).toEqual(Array(6).fill([]));
  });

  it('is compared field by field, the same moment in two zones counting as the same', () => {
    const asked = {
      id: 't',
      changes: { title: 'New', due: '2026-01-16T09:00:00-05:00[America/New_York]', reopen: true },
    };
    const row = { title: 'Old', due: '2026-01-16T15:00:00+01:00' };
    expect(compare(asked, row)).toEqual([
      { field: 'title', asked: 'New', stored: 'Old', same: false },
      {
        field: 'due',
        asked: '2026-01-16T09:00:00-05:00[America/New_York]',
        stored: '2026-01-16T15:00:00+01:00',
        same: true,
      },
      { field: 'reopen', asked: 'true', stored: null, same: false },
    ]);
    expect(compare('x', row)).toEqual([]);
  });

  it('shows no rule of repetition, which nobody reads', () => {
    expect(compare({ title: 'Water', rrule: 'FREQ=WEEKLY;BYDAY=TU' }, null).map((one) => one.field)).toEqual(['title']);
  });
});
