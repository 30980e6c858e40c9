import Archive from '@lucide/svelte/icons/archive';
import CalendarClock from '@lucide/svelte/icons/calendar-clock';
import Plug from '@lucide/svelte/icons/plug';
import Send from '@lucide/svelte/icons/send';
import Stamp from '@lucide/svelte/icons/stamp';
import Trash2 from '@lucide/svelte/icons/trash-2';
import type { LucideIcon } from '@lucide/svelte';

/** By what a tool does to its records, then by the family it is of. */
const VERBS: Record<string, LucideIcon> = { delete: Trash2, forget: Trash2, archive: Archive };
const FAMILIES: Record<string, LucideIcon> = { email: Send, calendar: CalendarClock, mcp: Plug };

/** The picture on the card of a tool such as `email.archive`. */
export function iconOf(tool: string): LucideIcon {
  const [family = '', verb = ''] = tool.split('.');
  return VERBS[verb] ?? FAMILIES[family] ?? Stamp;
}
