import { words } from '../words';

/** Days, lengths and repeating, where a surface speaks of them. */
export const moment = words({
  'time.today': 'Today',
  'time.tomorrow': 'Tomorrow',
  'time.tomorrow_at': 'Tomorrow, {time}',
  'time.length_minutes': '{n} min',
  'time.length_hours': '{n} h',
  'time.length_both': '{hours} h {minutes} min',
  'repeat.some': 'repeats',
  'repeat.on': 'every {days}',
  'repeat.workdays': 'every weekday',
  'repeat.daily': { one: 'every day', other: 'every {n} days' },
  'repeat.weekly': { one: 'every week', other: 'every {n} weeks' },
  'repeat.monthly': { one: 'every month', other: 'every {n} months' },
  'repeat.yearly': { one: 'every year', other: 'every {n} years' },
});
