import type { Approval, JsonValue } from '../../host';

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
