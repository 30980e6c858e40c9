import type { Fault } from '../../host';

/** What is left of an answer beside the fault it tells of, which is shown by itself. */
export function beside(text: string, fault: Fault | null): string {
  if (fault === null) return text;
  // What had come before it broke off ends with the fault in brackets.
  const tail = text.lastIndexOf(`(${fault.message}`);
  return (tail >= 0 ? text.slice(0, tail) : text.replace(`${fault.message} ${fault.hint}`.trim(), '')).trim();
}
