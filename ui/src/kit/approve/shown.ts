import type { Card, Fact } from '../../host';
import { addressParts } from '../inspect';
import type { Field } from './args';

/** The engine's labels for the lines of a mail's card, in their order, and the arguments that they show. */
const LINES: readonly (readonly [label: string, key: string | null])[] = [
  ['From', null],
  ['To', 'to'],
  ['Cc', 'cc'],
  ['Bcc', 'bcc'],
  ['Subject', 'subject'],
];
/** What the engine writes for no recipients. */
const NOBODY = 'Nobody';
const IN_BRACKETS = /^(.*)\(([^()\s]+@[^()\s]+)\)$/;

/** `Raj Patel (raj@x.example)`, as the engine words a person, in the form that an argument takes; null for other text. */
export function bracketed(line: string): string | null {
  const [, name = '', address] = IN_BRACKETS.exec(line.trim()) ?? [];
  return address === undefined ? null : `${name.trim()} <${address}>`.trim();
}

/** A person as an argument takes them, with an address; null for any other text. */
function personIn(line: string): string | null {
  return bracketed(line) ?? (addressParts(line) || /^[^\s<>()]+@[^\s<>()]+$/.test(line) ? line : null);
}

const linesOf = (card: Card, label: string) =>
  card.facts
    .filter((fact) => fact.label === label && !(fact.value === NOBODY && fact.source === null))
    .flatMap((fact) => fact.value.split('\n'))
    .filter((line) => line !== '');

/**
 * The fields of a mail as its card shows them: people with their addresses, and the subject that the engine made. A
 * line that stays is stored as it was; a subject is stored even so, because the engine would make another one for
 * another text.
 */
export function asShown(fields: Field[], card: Card): Field[] {
  return fields.map((field) => {
    const label = LINES.find(([, key]) => key === field.key)?.[0];
    const lines = label === undefined ? [] : linesOf(card, label);
    if (lines.length === 0) return field;
    if (!field.list) return lines[0] === field.text ? field : { ...field, text: lines.join(' '), made: true };
    const entries = field.text.split('\n').filter((line) => line !== '');
    const people = lines.map(personIn);
    if (entries.length === 0 || people.includes(null)) return field;
    const same = entries.length === lines.length;
    const known = new Map(lines.map((line, at) => [line, (same ? entries[at] : people[at]) ?? line]));
    return { ...field, text: lines.join('\n'), long: lines.length > 1, known };
  });
}

/** The lines of a mail's card that no field shows: they stay as they are. */
export function fixedOf(fields: readonly Field[], card: Card): Pick<Fact, 'label' | 'value'>[] {
  return LINES.flatMap(([label, key]) => {
    const field = fields.find((one) => one.key === key);
    const lines = linesOf(card, label);
    return lines.length === 0 || (field && field.text !== '') ? [] : [{ label, value: lines.join('\n') }];
  });
}
