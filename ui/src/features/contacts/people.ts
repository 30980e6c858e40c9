import type { ContactRow } from '../../host';
import { inOrder } from '../../kit/time';

export interface Letter {
  label: string;
  items: ContactRow[];
}

/** Groups people by first letter, ignoring accents; names that start with no letter come last, under “#”. */
export function byLetter(people: ContactRow[]): Letter[] {
  const groups = new Map<string, ContactRow[]>();
  const sorted = [...people].sort((a, b) => a.name.localeCompare(b.name, 'en', { sensitivity: 'base' }));
  for (const one of sorted) {
    const first = one.name.trim().normalize('NFD').charAt(0).toUpperCase();
    const label = /\p{L}/u.test(first) ? first : '#';
    const all = groups.get(label);
    if (all) all.push(one);
    else groups.set(label, [one]);
  }
  const rest = groups.get('#');
  groups.delete('#');
  const letters = [...groups].map(([label, items]) => ({ label, items }));
  return rest ? [...letters, { label: '#', items: rest }] : letters;
}

/** Words for `1984-04-15`, also without its year or its day; any other text stays as it is. */
export function birthdayText(birthday: string): string {
  const form = /^(?:(\d{4})|-)-(\d{2})(?:-(\d{2}))?$/.exec(birthday);
  if (!form) return birthday;
  const [, year, month = '01', day] = form;
  const at = Date.UTC(Number(year ?? 2000), Number(month) - 1, Number(day ?? 1), 12);
  if (Number.isNaN(at)) return birthday;
  const name = new Intl.DateTimeFormat('en-GB', { month: 'long', timeZone: 'UTC' }).format(at);
  if (day !== undefined) return inOrder(String(Number(day)), name, year);
  return year === undefined ? name : `${name} ${year}`;
}

/** Splits `a, , b` at the commas, without empty or repeated parts. */
export const partsOf = (text: string): string[] => [
  ...new Set(
    text
      .split(',')
      .map((one) => one.trim())
      .filter(Boolean),
  ),
];

export interface PersonText {
  name: string;
  nicknames: string;
  emails: string;
  phones: string;
  organisation: string;
  relation: string;
  notes: string;
}

export const textOf = (person: ContactRow | null): PersonText => ({
  name: person?.name ?? '',
  nicknames: person?.nicknames.join(', ') ?? '',
  emails: person?.emails.join(', ') ?? '',
  phones: person?.phones.join(', ') ?? '',
  organisation: person?.organisation ?? '',
  relation: person?.relation ?? '',
  notes: person?.notes ?? '',
});

/** The fields to change so that the stored person matches the typed text; null when nothing differs. */
export function changesOf(person: ContactRow, text: PersonText): Record<string, string | string[]> | null {
  const changes: Record<string, string | string[]> = {};
  for (const field of ['name', 'organisation', 'relation', 'notes'] as const)
    if (text[field].trim() !== person[field]) changes[field] = text[field].trim();
  for (const field of ['emails', 'phones'] as const) {
    const after = partsOf(text[field]);
    const added = after.filter((one) => !person[field].includes(one));
    const removed = person[field].filter((one) => !after.includes(one));
    if (added.length > 0) changes[`add_${field}`] = added;
    if (removed.length > 0) changes[`remove_${field}`] = removed;
  }
  const names = partsOf(text.nicknames).filter((one) => !person.nicknames.includes(one));
  if (names.length > 0) changes['add_nicknames'] = names;
  return Object.keys(changes).length > 0 ? changes : null;
}
