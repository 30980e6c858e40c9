import { router } from './router.svelte';

const NEW = 'new';
const TO = 'to:';

/** The address of a new mail to somebody. */
export const writeTo = (address: string): string => router.href('mail', TO + address);

/**
 * The recipient of a new mail, from an address in Mail: empty if there is none yet, null if the address shows mail to
 * read.
 */
export function recipientOf(id: string | null): string | null {
  if (id === NEW) return '';
  return id?.startsWith(TO) ? id.slice(TO.length) : null;
}
