import { render } from '@testing-library/svelte';
import { expect, it } from 'vitest';
import { host } from '../../host';
import Calendar from './Calendar.svelte';
import { eventually } from '../../kit/test/eventually';
import { looksIn } from '../../kit/agenda/calendars';

it('the colour that a calendar has when it is first seen is stored', async () => {
  const stored = async () => (await host.call('config_get', { key: 'calendar.colours' })).settings[0]?.value ?? '';
  expect(looksIn(await stored()).size).toBe(0);
  render(Calendar, { id: 'week-2026-01-13' });
  await eventually(async () => expect(looksIn(await stored()).size).toBeGreaterThan(0));
});
