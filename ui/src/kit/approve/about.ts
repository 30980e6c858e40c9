import type { Approval, JsonValue } from '../../host';

/** Arguments that name what an action is about. */
const NAMES = ['subject', 'title', 'summary'];

/** What tells an action from others with the same title: a subject, or the first things of a batch. */
export function aboutOf({ args, shown }: Approval): string {
  const fields: Record<string, JsonValue | undefined> =
    args !== null && typeof args === 'object' && !Array.isArray(args) ? args : {};
  const named = NAMES.map((key) => fields[key]).find((one) => typeof one === 'string' && one !== '');
  const about = typeof named === 'string' ? named : shown.items.map((item) => item.label).join(', ');
  return shown.title.includes(about) ? '' : about;
}
