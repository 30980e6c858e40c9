import Archive from '@lucide/svelte/icons/archive';
import ArrowRight from '@lucide/svelte/icons/arrow-right';
import Check from '@lucide/svelte/icons/check';
import Copy from '@lucide/svelte/icons/copy';
import MoveRight from '@lucide/svelte/icons/move-right';
import Pin from '@lucide/svelte/icons/pin';
import PencilLine from '@lucide/svelte/icons/pencil-line';
import Reply from '@lucide/svelte/icons/reply';
import Sun from '@lucide/svelte/icons/sun';
import Trash2 from '@lucide/svelte/icons/trash-2';
import type { LucideIcon } from '@lucide/svelte';
import { faultOf, host, show, type FoundTask, type Id } from '../host';
import { act } from '../kit/act';
import { doing } from '../kit/answer/acts';
import type { Kept } from '../kit/recent';
import { router } from '../kit/router.svelte';
import { t, type PlainKey } from '../kit/strings';
import '../kit/strings/en/answer';
import '../kit/strings/en/palette';
import { begin } from '../kit/talk/begin';
import { toasts } from '../kit/toast.svelte';
import { writeTo } from '../kit/write';
import type { Command } from './commands';

type Do = () => unknown;
type Row = [label: PlainKey, icon: LucideIcon, run: Do];

/** The actions on a hit; opening it comes first. */
export function actsOfHit(kept: Kept, open: () => void): Command[] {
  const rows: Row[] = [['palette.act_open', ArrowRight, open], ...rowsOf(kept)];
  return rows.map(([label, icon, run]) => ({
    id: `act-${label}`,
    group: 'do',
    icon,
    label: t(label),
    run: () => void Promise.resolve(run()).catch((thrown: unknown) => toasts.show(faultOf(thrown).message)),
  }));
}

function rowsOf({ topic, id, title }: Kept): Row[] {
  switch (topic) {
    case 'tasks':
      return [
        ['answer.complete', Check, () => act('task.complete', { id })],
        ['palette.act_tomorrow', Sun, () => tomorrow(id)],
      ];
    case 'events':
      return [['answer.move', MoveRight, () => begin(t('answer.move_say', { name: title }))]];
    case 'mail':
      return [
        ['answer.reply', Reply, () => reply(id, title)],
        ['answer.archive', Archive, () => act('email.archive', { ids: [id] })],
      ];
    case 'contacts':
      return [
        ['answer.write', PencilLine, () => write(id)],
        ['answer.copy_address', Copy, () => copyAddress(id)],
      ];
    case 'memories':
      return [['memory.forget', Trash2, () => act('memory.forget', { id })]];
    case 'conversations':
      return [
        ['palette.act_pin', Pin, () => host.call('pin_conversation', { id, on: true })],
        ['answer.archive', Archive, () => host.call('archive_conversation', { id, on: true })],
      ];
    default:
      return [];
  }
}

async function tomorrow(id: Id): Promise<void> {
  const [row] = await show(host, 'tasks', { id });
  if (!row) return void toasts.show(t('palette.act_gone'));
  const task: FoundTask = { ...row, repeats: row.rrule !== null };
  const what = doing({ kind: 'tasks', list: [task] }, id, 'tomorrow');
  if (what && 'tool' in what) await act(what.tool, what.args);
}

async function reply(id: Id, title: string): Promise<void> {
  const [row] = await show(host, 'mail', { id });
  if (!row) return void toasts.show(t('palette.act_gone'));
  begin(t('answer.reply_say', { name: title, from: row.from_name || row.from }));
}

async function copyAddress(id: Id): Promise<void> {
  const [person] = await show(host, 'contacts', { id });
  const address = person?.emails[0] ?? person?.phones[0];
  if (address === undefined) return void toasts.show(t('palette.act_no_address'));
  await host.copy(address);
  toasts.show(t('common.copied'));
}

/** Starts a mail to a contact; if no address is known, opens the contact, where one can be added. */
export async function write(id: Id): Promise<void> {
  const [person] = await show(host, 'contacts', { id }).catch(() => []);
  const address = person?.emails[0];
  if (address === undefined) router.go('contacts', id);
  else location.hash = writeTo(address);
}
