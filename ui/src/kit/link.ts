import { frame } from './frame.svelte';

const SCHEMES = new Set(['https:', 'http:', 'mailto:']);

/** Parses an address that the system's browser or mail program may open; null for any other. */
export function safeUrl(href: string): URL | null {
  try {
    const url = new URL(href);
    return SCHEMES.has(url.protocol) ? url : null;
  } catch {
    return null;
  }
}

/** The real host: in punycode, never with look-alike letters; for mail, the whole address. */
export function realHost(url: URL): string {
  return url.protocol === 'mailto:' ? decoded(url.pathname) : url.host;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/**
 * Whether the text of a link is its address and nothing else, so that the host need not be shown beside it. A text that
 * merely contains the host may name another place: “bank.example/evil.example”.
 */
export function textIsAddress(url: URL, text: string): boolean {
  const plain = (address: string) =>
    address
      .trim()
      .replace(/^(https?:\/\/|mailto:)/i, '')
      .replace(/\/$/, '');
  const said = plain(text);
  return url.protocol === 'mailto:' ? said === realHost(url) : said === url.host || said === plain(url.href);
}

/** An address written out in text. */
const WRITTEN = /(?:https?:\/\/|www\.)([^\s/?#]+)/i;

/** Whether a text spells out an address whose host differs in any letter from the link's. */
export function saysOtherAddress(url: URL, text: string): boolean {
  const host = (address: string) =>
    WRITTEN.exec(address)?.[1]
      ?.toLowerCase()
      .replace(/^www\./, '');
  const said = host(text);
  return said !== undefined && said !== host(url.href);
}

/** Matches what looks like a host name or a mail address in text. */
const NAMED = /(?:[^\s/<>()[\]"“”]+@)?((?:[\p{L}\p{N}-]+\.)+\p{L}{2,})/gu;

/** Whether a link's text names another host or mail address than the link's target. */
export function textDisagrees(url: URL, text: string): boolean {
  const strip = (host: string) => host.toLowerCase().replace(/^www\./, '');
  return [...text.matchAll(NAMED)].some(([named, host = '']) => {
    if (url.protocol === 'mailto:') return strip(named) !== strip(realHost(url));
    try {
      return strip(new URL(`https://${host}`).host) !== strip(url.hostname);
    } catch {
      return true;
    }
  });
}

/** Asks before opening an address, and shows its real host first. */
export function askLink(href: string, text: string): void {
  const url = safeUrl(href);
  if (url) frame.link = { url: url.href, text };
}
