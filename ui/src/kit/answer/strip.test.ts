import { describe, expect, it } from 'vitest';
import type { Found } from '../../host';
import { START, ZONE } from '../../host/fake/rows';
import { clock } from '../clock.svelte';
import { stripOf } from './strip';

clock.now = () => Date.parse(START);
clock.tz = ZONE;

const at = (time: string, day = '2026-01-15') => `${day}T${time}:00-05:00`;
const free = (...list: [string, string][]): Found => ({
  ...{ say: '', head: '', note: '', total: list.length },
  rows: { kind: 'free', list: list.map(([start, end]) => ({ start, end, minutes: 60 })) },
});

describe('the strip of free time', () => {
  it('has free and taken time in its place, from hour to hour', () => {
    const found = {
      ...free([at('13:30'), at('14:00')]),
      busy: [{ summary: 'Stand-up', start: at('09:15'), end: at('10:00') }],
    };
    const strip = stripOf(found);
    expect(strip && (strip.end - strip.start) / 3_600_000).toBe(5);
    expect(strip?.stretches.map(({ from, length, busy }) => [busy, from, length])).toEqual([
      ['Stand-up', 0.05, 0.15],
      [null, 0.9, 0.1],
    ]);
  });

  it('is not drawn over several days, of days, or of anything else', () => {
    expect(
      stripOf(free([at('13:30'), at('14:00')], [at('09:00', '2026-01-16'), at('10:00', '2026-01-16')])),
    ).toBeNull();
    expect(stripOf(free())).toBeNull();
    const tasks: Found = { ...free(), rows: { kind: 'tasks', list: [] } };
    expect(stripOf(tasks)).toBeNull();
    const holiday = {
      ...free([at('13:30'), at('14:00')]),
      busy: [{ summary: 'Off', start: '2026-01-15', end: '2026-01-16' }],
    };
    expect(stripOf(holiday)?.stretches).toHaveLength(1);
  });
});
