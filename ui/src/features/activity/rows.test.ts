import { describe, expect, it } from 'vitest';
import type { JsonValue } from '../../host';
import { fake } from '../../host/fake';
import { activity, egress } from '../../host/fake/rows';
import { compare, fieldText, lines, phaseOf, proofs } from './rows';

describe('activity', () => {
  it('is one list by time, or only effects, or only what left this machine', () => {
    const ids = (shown: 'all' | 'effects' | 'egress') => lines(activity, egress, [], shown).map((one) => one.id);
    expect(ids('all').indexOf('g-rates')).toBe(ids('all').indexOf('r-archive') - 1);
    expect(ids('effects')).not.toContain('g-rates');
    expect(ids('egress')).toEqual(['g-rates']);
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
    const found = (shown: 'all' | 'effects') => lines([], [], rows, shown).map(({ id, at: when }) => [id, when]);
    expect(found('all')).toEqual([
      ['expired', at.expires],
      ['denied', at.created],
    ]);
    expect(found('effects')).toEqual([]);
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
