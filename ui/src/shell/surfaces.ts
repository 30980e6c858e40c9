import type { LucideIcon } from '@lucide/svelte';
import CalendarDays from '@lucide/svelte/icons/calendar-days';
import Library from '@lucide/svelte/icons/library';
import ListTodo from '@lucide/svelte/icons/list-todo';
import Mail from '@lucide/svelte/icons/mail';
import MessageSquare from '@lucide/svelte/icons/message-square';
import MessagesSquare from '@lucide/svelte/icons/messages-square';
import NotebookText from '@lucide/svelte/icons/notebook-text';
import ScrollText from '@lucide/svelte/icons/scroll-text';
import SlidersHorizontal from '@lucide/svelte/icons/sliders-horizontal';
import Stamp from '@lucide/svelte/icons/stamp';
import Sun from '@lucide/svelte/icons/sun';
import Telescope from '@lucide/svelte/icons/telescope';
import UsersRound from '@lucide/svelte/icons/users-round';
import type { Component } from 'svelte';
import type { PlainKey } from '../kit/strings';

/** The props of a surface: the part of the address after its name. */
export interface SurfaceProps {
  id: string | null;
}

export interface Surface {
  /** The first part of the address, and the folder under `features/`. */
  name: string;
  label: PlainKey;
  icon: LucideIcon;
  load: () => Promise<{ default: Component<SurfaceProps> }>;
  /** Sits at the foot of the rail, and also opens with Ctrl , */
  foot?: boolean;
  /** The rail entry that it belongs to, if it has none of its own. */
  under?: string;
}

/** The surfaces in the order of the rail and of Ctrl 1 … 9, 0; Settings has its own key. */
export const surfaces: Surface[] = [
  { name: 'chat', label: 'nav.chat', icon: MessageSquare, load: () => import('./ChatSurface.svelte') },
  { name: 'today', label: 'nav.today', icon: Sun, load: () => import('../features/today/Today.svelte') },
  {
    name: 'calendar',
    label: 'nav.calendar',
    icon: CalendarDays,
    load: () => import('../features/calendar/Calendar.svelte'),
  },
  {
    name: 'approvals',
    label: 'nav.approvals',
    icon: Stamp,
    load: () => import('../features/approvals/Approvals.svelte'),
  },
  { name: 'tasks', label: 'nav.tasks', icon: ListTodo, load: () => import('../features/tasks/Tasks.svelte') },
  { name: 'mail', label: 'nav.mail', icon: Mail, load: () => import('../features/mail/Mail.svelte') },
  { name: 'notes', label: 'nav.notes', icon: NotebookText, load: () => import('../features/notes/Notes.svelte') },
  {
    name: 'contacts',
    label: 'nav.contacts',
    icon: UsersRound,
    load: () => import('../features/contacts/Contacts.svelte'),
  },
  {
    name: 'research',
    label: 'nav.research',
    icon: Telescope,
    load: () => import('../features/research/Research.svelte'),
  },
  { name: 'memory', label: 'nav.memory', icon: Library, load: () => import('../features/memory/Memory.svelte') },
  {
    name: 'activity',
    label: 'nav.activity',
    icon: ScrollText,
    load: () => import('../features/activity/Activity.svelte'),
  },
  {
    name: 'settings',
    label: 'nav.settings',
    icon: SlidersHorizontal,
    load: () => import('../features/settings/Settings.svelte'),
    foot: true,
  },
];

/** The digit keys in keyboard order, which ends with 0. */
const DIGITS = '1234567890';

/** The digit that opens a surface with Ctrl; null if it has none. */
export const digitOf = (surface: Surface): string | null =>
  surface.foot ? null : (DIGITS[surfaces.indexOf(surface)] ?? null);

/** All conversations: opens from the rail's list, the palette and Ctrl Shift H. */
const conversations: Surface = {
  name: 'conversations',
  label: 'nav.conversations',
  icon: MessagesSquare,
  load: () => import('../features/conversations/Conversations.svelte'),
  under: 'chat',
};

export function surfaceOf(name: string): Surface {
  return [...surfaces, conversations].find((one) => one.name === name) ?? (surfaces[0] as Surface);
}
