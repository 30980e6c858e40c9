import { words } from '../words';

/** Days and durations, for the surfaces that show them. */
export const moment = words({
  'time.no_date': 'This is no date. Type one such as Fri 9, 9 Jan or tomorrow.',
  'time.no_time': 'This is no time. Type one such as 15:30 or 3 pm.',
  'time.hint_date': 'No date',
  'time.hint_time': 'No time',
  'time.hint_both': 'Not set',
  'time.pick': 'Pick a date',
  'time.today': 'Today',
  'time.tomorrow': 'Tomorrow',
  'time.tomorrow_at': 'Tomorrow, {time}',
  'time.length_minutes': '{n} min',
  'time.length_hours': '{n} h',
  'time.length_both': '{hours} h {minutes} min',
});
