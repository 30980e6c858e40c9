import type { Approval, Card, JsonValue } from '../../host';
import { isTainted, showsFound } from '../live.svelte';
import { t, type PlainKey } from '../strings';
import '../strings/en/approvals';

/** Arguments that name the subject of an action. */
const NAMES = ['subject', 'title', 'summary'];

/** Distinguishes an action from others with the same title: its subject, or the items of a batch. */
export function aboutOf({ args, shown }: Approval): string {
  const fields: Record<string, JsonValue | undefined> =
    args !== null && typeof args === 'object' && !Array.isArray(args) ? args : {};
  const named = NAMES.map((key) => fields[key]).find((one) => typeof one === 'string' && one !== '');
  const about = typeof named === 'string' ? named : shown.items.map((item) => item.label).join(', ');
  return shown.title.includes(about) ? '' : about;
}

const UNDO: Record<string, PlainKey | undefined> = {
  yes: 'approvals.row_undo',
  until_sent: 'approvals.row_undo_sent',
  no: 'approvals.row_undo_none',
};

/**
 * A waiting action in one line, the words that decide first: what it is about, whether the card shows text from others,
 * who is told, and whether it can be undone. Why it was asked and whose account it is may be cut off at the end.
 */
export function summaryOf(approval: Approval): string {
  const { shown, why } = approval;
  const undo = UNDO[shown.undo_kind];
  const found = t('approvals.row_found');
  return [
    aboutOf(approval),
    showsFound(approval) ? found : '',
    toldOf(shown),
    undo ? t(undo) : shown.undo,
    why.replace(/^Asked because/, t('approvals.row_because')),
    // Text from others stood in the conversation before; nothing on the card comes from it.
    isTainted(approval) && !showsFound(approval) ? found : '',
    shown.account,
  ]
    .filter(Boolean)
    .join(' · ');
}

/** The first plain note of a card without its reason, such as “Nobody is told”. */
function toldOf({ notes }: Card): string {
  const note = notes.find((one) => one.kind === 'info')?.text ?? '';
  return note.split(/[:.;]\s|[:.;]$/)[0] ?? '';
}
