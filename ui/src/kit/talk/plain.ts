import type { Fault } from '../../host';

/** The answer without the fault it mentions, which the window shows separately. */
export function beside(text: string, fault: Fault | null): string {
  if (fault === null) return text;
  // An answer that broke off ends with the fault in brackets: keep the text before it.
  const tail = text.lastIndexOf(`(${fault.message}`);
  return (tail >= 0 ? text.slice(0, tail) : text.replace(`${fault.message} ${fault.hint}`.trim(), '')).trim();
}

/**
 * The engine's words for a waiting action. They are needed in plain text, but beside a card they would repeat it, and
 * remain after its decision.
 */
const WAITS =
  /^Waiting for you(?:: .+)?\. (?:Nothing has been|This has not been) [^\n]*\.(?:\n\n(?:- [^\n]*(?:\n|$))+)?/m;

/** The engine's words for a rejection, in a line of their own. The card says the same, with its title. */
const REJECTED = /^Nothing was [a-z]+\.$/gm;

/** The answer without what the cards of the conversation already say. */
export const besideCards = (text: string): string =>
  text
    .replace(WAITS, '')
    .replace(REJECTED, '')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
