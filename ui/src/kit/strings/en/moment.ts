import { words } from '../words';

/** Days and lengths, where a surface speaks of them. */
export const moment = words({
  'time.today': 'Today',
  'time.tomorrow': 'Tomorrow',
  'time.tomorrow_at': 'Tomorrow, {time}',
  'time.length_minutes': '{n} min',
  'time.length_hours': '{n} h',
  'time.length_both': '{hours} h {minutes} min',
});
