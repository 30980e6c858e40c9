import Archive from '@lucide/svelte/icons/archive';
import CalendarClock from '@lucide/svelte/icons/calendar-clock';
import Mail from '@lucide/svelte/icons/mail';
import Send from '@lucide/svelte/icons/send';
import Stamp from '@lucide/svelte/icons/stamp';
import Trash2 from '@lucide/svelte/icons/trash-2';
import type { LucideIcon } from '@lucide/svelte';
import type { Card } from '../../host';

/** The icon component for each icon name of a card. */
export const ICONS: Record<Card['icon'], LucideIcon> = {
  usual: Stamp,
  archive: Archive,
  delete: Trash2,
  event: CalendarClock,
  mail: Mail,
  send: Send,
};
