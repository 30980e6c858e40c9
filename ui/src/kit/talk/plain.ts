import type { Fault } from '../../host';

/** What is left of an answer beside the fault it tells of, which is shown by itself. */
export function beside(text: string, fault: Fault | null): string {
  if (fault === null) return text;
  // What had come before it broke off ends with the fault in brackets.
  const tail = text.lastIndexOf(`(${fault.message}`);
  return (tail >= 0 ? text.slice(0, tail) : text.replace(`${fault.message} ${fault.hint}`.trim(), '')).trim();
}

/** How the engine says that something waits: in words alone it needs it, beside its card it would be said twice, and stay after it was decided. */
const WAITS =
  /^Waiting for you(?:: .+)?\. (?:Nothing has been|This has not been) [^\n]*\.(?:\n\n(?:- [^\n]*(?:\n|$))+)?/m;

/** An answer without what the cards below it say. */
export const besideCards = (text: string): string =>
  text
    .replace(WAITS, '')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
