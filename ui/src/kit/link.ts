import { frame } from './frame.svelte';

const SCHEMES = new Set(['https:', 'http:', 'mailto:']);

/** The address if it is one the system's browser or mail program may be given; null otherwise. */
export function safeUrl(href: string): URL | null {
  try {
    const url = new URL(href);
    return SCHEMES.has(url.protocol) ? url : null;
  } catch {
    return null;
  }
}

/** The host as it really is: punycode, never the look-alike letters; for mail the whole address. */
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
 * Whether the text of a link is its address and nothing else, so that the host need not stand beside it. A text that only
 * holds the host may lead elsewhere by all it says: “bank.example/evil.example”.
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

/** An address written out in a text. */
const WRITTEN = /(?:https?:\/\/|www\.)([^\s/?#]+)/i;

/** Whether a text writes out an address whose host, letter by letter, is not the one it leads to. */
export function saysOtherAddress(url: URL, text: string): boolean {
  const host = (address: string) =>
    WRITTEN.exec(address)?.[1]
      ?.toLowerCase()
      .replace(/^www\./, '');
  const said = host(text);
  return said !== undefined && said !== host(url.href);
}

/** What looks like the name of a host, or the address of a mail, in a text. */
const NAMED = /(?:[^\s/<>()[\]"“”]+@)?((?:[\p{L}\p{N}-]+\.)+\p{L}{2,})/gu;

/** A link's text that names another host, or another mail address, than where it leads. */
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

/** Asks before an address opens: its real host is shown first. */
export function askLink(href: string, text: string): void {
  const url = safeUrl(href);
  if (url) frame.link = { url: url.href, text };
}
