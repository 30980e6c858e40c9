import { host } from '../host';
import { ownAddresses } from './owner';

const KEY = 'signatures';

/** Parses the setting with signatures, by lowercase address. An unreadable setting counts as empty. */
export function signaturesIn(setting: string): Map<string, string> {
  try {
    const kept: unknown = JSON.parse(setting || '{}');
    if (kept === null || typeof kept !== 'object' || Array.isArray(kept)) return new Map();
    return new Map(
      Object.entries(kept).flatMap(([address, text]) =>
        typeof text === 'string' && text.trim() ? [[address.toLowerCase(), text.trim()] as const] : [],
      ),
    );
  } catch {
    return new Map();
  }
}

const valueOf = async (key: string) => (await host.call('config_get', { key })).settings[0]?.value ?? '';

export const loadSignatures = async (): Promise<Map<string, string>> => signaturesIn(await valueOf(KEY));

/** Stores a signature for some addresses; an empty one removes it. */
export async function keepSignature(addresses: readonly string[], text: string): Promise<void> {
  const all = await loadSignatures();
  for (const address of addresses) {
    if (text.trim()) all.set(address.toLowerCase(), text.trim());
    else all.delete(address.toLowerCase());
  }
  const value = all.size > 0 ? JSON.stringify(Object.fromEntries(all)) : null;
  await host.call('config_set', { key: KEY, value });
}

/**
 * The signature for a mail: that of the own address that received the previous mail, else that of the default address.
 */
export async function signatureFor(receivedBy: readonly string[]): Promise<string> {
  const [emails, signatures] = [await ownAddresses(), await loadSignatures()];
  const got = new Set(receivedBy.map((one) => one.toLowerCase()));
  return signatures.get(emails.find((one) => got.has(one)) ?? emails[0] ?? '') ?? '';
}
