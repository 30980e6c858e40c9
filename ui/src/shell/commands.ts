import type { LucideIcon } from '@lucide/svelte';
import ArrowLeftRight from '@lucide/svelte/icons/arrow-left-right';
import Calculator from '@lucide/svelte/icons/calculator';
import CalendarDays from '@lucide/svelte/icons/calendar-days';
import CircleStop from '@lucide/svelte/icons/circle-stop';
import FileText from '@lucide/svelte/icons/file-text';
import Keyboard from '@lucide/svelte/icons/keyboard';
import Library from '@lucide/svelte/icons/library';
import ListChecks from '@lucide/svelte/icons/list-checks';
import ListTodo from '@lucide/svelte/icons/list-todo';
import Mail from '@lucide/svelte/icons/mail';
import MessageSquare from '@lucide/svelte/icons/message-square';
import MessagesSquare from '@lucide/svelte/icons/messages-square';
import Monitor from '@lucide/svelte/icons/monitor';
import Moon from '@lucide/svelte/icons/moon';
import PencilLine from '@lucide/svelte/icons/pencil-line';
import Plus from '@lucide/svelte/icons/plus';
import Send from '@lucide/svelte/icons/send';
import Stamp from '@lucide/svelte/icons/stamp';
import Sun from '@lucide/svelte/icons/sun';
import Telescope from '@lucide/svelte/icons/telescope';
import Undo2 from '@lucide/svelte/icons/undo-2';
import UserRound from '@lucide/svelte/icons/user-round';
import { faultOf, host, show, type EventRow, type Id } from '../host';
import { chooseLook } from '../kit/appearance';
import { clock } from '../kit/clock.svelte';
import { frame } from '../kit/frame.svelte';
import { MOD } from '../kit/keys.svelte';
import { live } from '../kit/live.svelte';
import { profiles } from '../kit/profiles.svelte';
import { recent, type Kept } from '../kit/recent';
import { router } from '../kit/router.svelte';
import { stopEverything } from '../kit/stop';
import { t } from '../kit/strings';
import '../kit/strings/en/palette';
import { talk } from '../kit/talk/conversation.svelte';
import { dateText, isDate, leftText, millis, momentText } from '../kit/time';
import { toasts } from '../kit/toast.svelte';
import { undoLast } from '../kit/undo';
import { fuzzy } from './fuzzy';
import { actsOfHit, write } from './hit-acts';
import { sumOf } from './sum';
import { digitOf, surfaces, type Surface } from './surfaces';

export type Group = 'answer' | 'waiting' | 'people' | 'do' | 'ask' | 'kept' | 'go' | 'settings';
export const GROUPS: Group[] = ['answer', 'waiting', 'people', 'do', 'ask', 'kept', 'go', 'settings'];

/** One line of the palette. It can open an approval, but never approve one. */
export interface Command {
  id: string;
  group: Group;
  icon: LucideIcon;
  label: string;
  /** What it is called, where the label says more. */
  name?: string;
  detail?: string;
  keys?: string[];
  run: () => void;
  /** Further actions on it, opened with Tab. */
  acts?: () => Command[];
}

/** All commands that are always offered, before the typed text filters them. */
export function commands(): Command[] {
  const waiting = live.waiting.map((one): Command => ({
    id: `waiting-${one.id}`,
    group: 'waiting',
    icon: Stamp,
    label: t('palette.look_at', { title: one.shown.title }),
    name: one.shown.title,
    detail: t('palette.approval_left', { left: leftText(millis(one.expires) - clock.now()) }),
    run: () => router.go('approvals', one.id),
  }));
  const does: Command[] = [
    {
      id: 'new',
      group: 'do',
      icon: Plus,
      label: t('shell.new_conversation'),
      keys: [MOD, 'N'],
      run: () => router.go('chat', 'new'),
    },
    {
      id: 'conversations',
      group: 'go',
      icon: MessagesSquare,
      label: t('shell.all_conversations'),
      keys: [MOD, 'Shift', 'H'],
      run: () => router.go('conversations'),
    },
    {
      id: 'research',
      group: 'do',
      icon: Telescope,
      label: t('palette.research'),
      run: () => router.go('research', 'new'),
    },
    {
      id: 'undo',
      group: 'do',
      icon: Undo2,
      label: t('palette.undo_last'),
      keys: [MOD, 'Z'],
      run: () => void undoLast(),
    },
    {
      id: 'stop',
      group: 'do',
      icon: CircleStop,
      label: t('palette.stop_all'),
      keys: [MOD, 'Shift', '.'],
      run: () => void stopEverything(),
    },
    {
      id: 'plan',
      group: 'do',
      icon: ListChecks,
      label: t('palette.toggle_plan'),
      keys: [MOD, '\\'],
      run: () => void (frame.plan ? frame.hidePlan() : frame.showPlan()),
    },
  ];
  const goes = surfaces.map((surface): Command => ({
    id: `go-${surface.name}`,
    group: 'go',
    icon: surface.icon,
    label: t(surface.label),
    ...keysOf(surface),
    run: () => router.go(surface.name),
  }));
  const kept = live.conversations.map((one): Command => ({
    id: `talk-${one.id}`,
    group: 'kept',
    icon: MessageSquare,
    label: one.title,
    run: () => router.go('chat', one.id),
    acts: () => actsOfHit({ ...one, topic: 'conversations' }, () => router.go('chat', one.id)),
  }));
  const others = (profiles.all?.names ?? []).filter((name) => name !== profiles.all?.current);
  const settings: Command[] = [
    ...others.map((name): Command => ({
      id: `profile-${name}`,
      group: 'settings',
      icon: ArrowLeftRight,
      label: t('profile.palette', { name }),
      run: () => void profiles.open(name),
    })),
    {
      id: 'theme-light',
      group: 'settings',
      icon: Sun,
      label: t('palette.theme_light'),
      run: () => void chooseLook('desktop.theme', 'light'),
    },
    {
      id: 'theme-dark',
      group: 'settings',
      icon: Moon,
      label: t('palette.theme_dark'),
      run: () => void chooseLook('desktop.theme', 'dark'),
    },
    {
      id: 'theme-system',
      group: 'settings',
      icon: Monitor,
      label: t('palette.theme_system'),
      run: () => void chooseLook('desktop.theme', 'system'),
    },
    {
      id: 'keys',
      group: 'settings',
      icon: Keyboard,
      label: t('palette.keys'),
      keys: ['?'],
      run: () => (frame.keys = true),
    },
  ];
  return [...waiting, ...does, ...kept, ...goes, ...settings];
}

function keysOf(surface: Surface): { keys?: string[] } {
  const key = surface.foot ? ',' : digitOf(surface);
  return key === null ? {} : { keys: [MOD, key] };
}

/** The option to ask: sends the text in a new conversation. Always available. */
export function askCommand(text: string): Command {
  return {
    id: 'ask',
    group: 'ask',
    icon: MessageSquare,
    label: t('palette.ask', { text }),
    detail: t('palette.ask_where'),
    keys: [MOD, 'Enter'],
    run: () => {
      // Ask first, then navigate: the conversation gets its id when the message is sent, and `new` would drop it.
      void talk.open(null);
      void talk.send(text);
      router.go('chat', talk.id ?? 'new');
    },
  };
}

/** The result of a sum, computed at once and kept out of the conversation. */
export function answerCommand(text: string): Command | null {
  const sum = sumOf(text);
  if (sum === null) return null;
  const result = String(sum);
  return {
    id: 'answer',
    group: 'answer',
    icon: Calculator,
    label: `${text} = ${result}`,
    detail: t('palette.answer_copy'),
    run: () =>
      void host.copy(result).then(
        () => toasts.show(t('common.copied')),
        (thrown: unknown) => toasts.show(faultOf(thrown).message),
      ),
  };
}

/**
 * A live answer to a question about free time; null for anything else. Enter asks it in a conversation, where its rows
 * have actions.
 */
export async function glanceCommand(text: string): Promise<Command | null> {
  const { glance } = await host.call('glance', { text });
  if (!glance) return null;
  const { run } = askCommand(text);
  return {
    run,
    id: 'answer',
    group: 'answer',
    icon: CalendarDays,
    label: glance.say.split('\n', 1)[0] ?? '',
    detail: t('palette.answer_ask'),
  };
}

/** The surface and icon for each kind of hit. */
const HITS: Record<string, { surface: string; icon: LucideIcon }> = {
  contacts: { surface: 'contacts', icon: UserRound },
  mail: { surface: 'mail', icon: Mail },
  outbox: { surface: 'approvals', icon: Send },
  memories: { surface: 'memory', icon: Library },
  notes: { surface: 'notes', icon: FileText },
  tasks: { surface: 'tasks', icon: ListTodo },
  events: { surface: 'today', icon: CalendarDays },
  conversations: { surface: 'chat', icon: MessageSquare },
};

/**
 * Stored rows that match the text, in the order of the engine's search: titles and people before texts. Hits that match
 * by title come first; a person found by another word, such as the dentist, comes after them.
 */
export async function searchKept(text: string, limit: number): Promise<Command[]> {
  const { hits: all } = await host.call('search', { text, limit });
  const isCalled = (hit: Kept) => fuzzy(text, hit.title) !== null;
  const hits = [...all.filter(isCalled), ...all.filter((hit) => !isCalled(hit))];
  const person = hits.find((hit) => hit.topic === 'contacts' && isCalled(hit));
  const dates = await datesOf(hits.filter((hit) => hit.topic === 'events').map((hit) => hit.id));
  return hits.flatMap((hit): Command[] => {
    const when = dates.get(hit.id);
    const found = keptCommand(hit, when === undefined ? hit.snippet : [when, hit.snippet].filter(Boolean).join(' · '));
    if (!found) return [];
    if (!isCalled(hit)) return [{ ...found, group: 'kept' }];
    return hit === person ? [found, writeCommand(hit.id, hit.title)] : [found];
  });
}

/** The dates of events, in words. Skips events that cannot be read. */
async function datesOf(ids: readonly Id[]): Promise<Map<Id, string>> {
  const read = async (id: Id) => (await show(host, 'events', { id }).catch(() => []))[0];
  const events = (await Promise.all(ids.map(read))).filter((event) => event !== undefined);
  const when = ({ start, repeats }: EventRow) =>
    [isDate(start) ? dateText(start) : momentText(start), repeats].filter(Boolean).join(', ');
  return new Map(events.map((event) => [event.id, when(event)]));
}

/** The ids of the commands that open these rows. */
export const recentIds = (): ReadonlySet<string> => new Set(recent.all().map(idOf));

/** The rows last opened from the palette, newest first. */
export function recentCommands(): Command[] {
  return recent.all().flatMap((one) => keptCommand(one) ?? []);
}

const idOf = ({ topic, id }: Kept) => `hit-${topic}-${id}`;

function keptCommand(hit: Kept, snippet?: string): Command | null {
  const known = HITS[hit.topic];
  if (!known) return null;
  const label = hit.title || (snippet ?? '');
  const open = () => {
    recent.add({ ...hit, title: label });
    router.go(known.surface, hit.id);
  };
  return {
    id: idOf(hit),
    group: hit.topic === 'contacts' ? 'people' : 'kept',
    icon: known.icon,
    label,
    ...(snippet === undefined ? {} : { detail: snippet }),
    run: open,
    acts: () => actsOfHit(hit, open),
  };
}

function writeCommand(id: string, name: string): Command {
  return {
    id: `write-${id}`,
    group: 'people',
    icon: PencilLine,
    label: t('palette.write_to', { name }),
    name,
    run: () => void write(id),
  };
}
