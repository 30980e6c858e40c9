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
  return url.protocol === 'mailto:' ? decodeURIComponent(url.pathname) : url.host;
}

/** A link's text that names another host than where it leads. */
export function textDisagrees(url: URL, text: string): boolean {
  const named = /(?:https?:\/\/)?((?:[\p{L}\p{N}-]+\.)+[\p{L}]{2,})/u.exec(text.trim());
  if (!named?.[1] || url.protocol === 'mailto:') return false;
  const strip = (host: string) => host.toLowerCase().replace(/^www\./, '');
  let shown: string;
  try {
    shown = new URL(`https://${named[1]}`).host;
  } catch {
    return true;
  }
  return strip(shown) !== strip(url.host);
}

/** Asks before an address opens: its real host is shown first. */
export function askLink(href: string, text: string): void {
  const url = safeUrl(href);
  if (url) frame.link = { url: url.href, text };
}
