import { router } from './router.svelte';

const NEW = 'new';
const TO = 'to:';

/** The place where a mail to somebody is written. */
export const writeTo = (address: string): string => router.href('mail', TO + address);

/** Of a place in Mail: to whom a new mail is written there, empty for nobody yet; null where mail is read. */
export function recipientOf(id: string | null): string | null {
  if (id === NEW) return '';
  return id?.startsWith(TO) ? id.slice(TO.length) : null;
}
