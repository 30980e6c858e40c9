import type { Fault } from '../../host';

/** A command as one of two ways: `(Settings, Check or `adjutant doctor` tries)`. */
const OR_COMMAND = /,? or `adjutant\b[^`]*`/g;
/** A command in brackets of its own. */
const COMMAND = /\s*\([^()]*`adjutant\b[^()]*\)/g;

/** Words of the engine without what would be typed into a terminal: they name the place in the window as well. */
export const withoutCommands = (text: string): string => text.replace(OR_COMMAND, '').replace(COMMAND, '');

/** What is left of an answer beside the fault it tells of, which is shown by itself. */
export function beside(text: string, fault: Fault | null): string {
  if (fault === null) return text;
  // What had come before it broke off ends with the fault in brackets.
  const tail = text.lastIndexOf(`(${fault.message}`);
  return (tail >= 0 ? text.slice(0, tail) : text.replace(`${fault.message} ${fault.hint}`.trim(), '')).trim();
}
