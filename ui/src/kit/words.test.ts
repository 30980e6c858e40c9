import { describe, expect, it } from 'vitest';
import { announce, wholeSentences } from './announce.svelte';
import { clock } from './clock.svelte';
import { t } from './strings';
import {
  dateText,
  daysFromToday,
  hourText,
  leftText,
  longDateText,
  momentText,
  sizeText,
  timeText,
  tookText,
} from './time';

describe('times', () => {
  it('are said in the engine’s zone', () => {
    clock.tz = 'America/New_York';
    clock.now = () => Date.parse('2026-01-13T09:24:00-05:00');
    expect(timeText('2026-01-13T15:00:00+01:00')).toBe('09:00');
    expect(momentText('2026-01-13T09:23:00-05:00')).toBe('Today, 09:23');
    expect(momentText('2026-01-12T23:59:00-05:00[America/New_York]')).toBe('Yesterday, 23:59');
    expect(dateText('2026-01-15')).toBe('Thu 15 Jan');
    expect(dateText('2025-11-04T10:31:00-05:00')).toBe('Tue 4 Nov 2025');
    expect(longDateText('2026-01-13')).toBe('Tuesday, 13 January');
    expect(dateText('2026-09-10')).toBe('Thu 10 Sep');
  });
  it('are written in the person’s order', () => {
    clock.tz = 'America/New_York';
    clock.now = () => Date.parse('2026-01-13T09:24:00-05:00');
    clock.dayFirst = false;
    expect(dateText('2026-01-15')).toBe('Thu Jan 15');
    expect(dateText('2025-11-04T10:31:00-05:00')).toBe('Tue Nov 4, 2025');
    expect(longDateText('2026-01-13')).toBe('Tuesday, January 13');
    clock.dayFirst = true;
  });
  it('are said on the clock that was chosen', () => {
    clock.tz = 'America/New_York';
    clock.face = '12h';
    expect(timeText('2026-01-13T15:00:00+01:00')).toBe('9:00 am');
    expect(timeText('2026-01-13T00:05:00-05:00')).toBe('12:05 am');
    expect([0, 9, 12, 17].map(hourText)).toEqual(['12 am', '9 am', '12 pm', '5 pm']);
    clock.face = '24h';
    expect(timeText('2026-01-13T00:05:00-05:00')).toBe('00:05');
  });
  it('keep a plain date on its day in every zone', () => {
    for (const tz of ['Pacific/Kiritimati', 'America/New_York', 'Pacific/Pago_Pago']) {
      clock.tz = tz;
      clock.now = () => Date.parse('2026-01-13T12:00:00Z');
      expect(dateText('2026-01-15')).toBe('Thu 15 Jan');
    }
    clock.tz = 'America/New_York';
    expect(daysFromToday('2026-01-14')).toBe(1);
  });
  it('count down, spoken and written', () => {
    expect(leftText(14 * 60_000 + 30_000)).toBe('14 min left');
    expect(leftText(40_000)).toBe('40 s left');
    expect(leftText(1000, true)).toBe('1 second left');
    expect(leftText(0)).toBe('expired');
    expect([tookText(0), tookText(0.4)]).toEqual(['under 1 ms', 'under 1 ms']);
    expect(tookText(1840)).toBe('1.8 s');
    expect(sizeText(214_000)).toBe('214 kB');
  });
});

describe('words', () => {
  it('choose the plural form and fill every place', () => {
    expect(t('plan.announce', { n: 1 })).toBe('Plan with 1 step');
    expect(t('plan.announce', { n: 6 })).toBe('Plan with 6 steps');
    expect(t('plan.announce_done', { step: 3, n: 2 })).toBe('Step 3 done, 2 left');
  });
});

describe('announcements', () => {
  it('are made once a key, statuses at most every five seconds', () => {
    let mono = 100_000;
    clock.mono = () => mono;
    const before = announce.assertive.length;
    announce.alert('Waiting for you', 'a1');
    announce.alert('Waiting for you', 'a1');
    expect(announce.assertive.length).toBe(before + 1);
    const said = announce.polite.length;
    announce.status('Checking');
    mono += 4000;
    announce.status('Reading');
    mono += 1000;
    announce.status('Writing');
    expect(announce.polite.slice(said).map((one) => one.text)).toEqual(['Checking', 'Writing']);
  });
  it('remember what was said once only so long', () => {
    announce.alert('Waiting', 'long-ago');
    for (let n = 0; n < 2_000; n += 1) announce.alert('Waiting', `later-${n}`);
    announce.alert('Said again', 'long-ago');
    expect(announce.assertive.at(-1)?.text).toBe('Said again');
  });
  it('are whole sentences while an answer streams', () => {
    expect(wholeSentences('You are free. The rem')).toEqual({ said: 'You are free.', rest: ' The rem' });
    expect(wholeSentences('At 10.30 you')).toEqual({ said: '', rest: 'At 10.30 you' });
  });
});
