import type { MailPage } from '../../host';

/** How many links of a mail work on its page; the plain text has all of them. */
const LINKS_MAX = 500;

/**
 * The frame's document before a mail is put into it. It may load nothing, and the sandbox turns scripts off as well.
 */
export const BLANK =
  '<!doctype html><html><head><meta http-equiv="Content-Security-Policy" content="default-src \'none\'; img-src data:"></head><body></body></html>';

/** Colours and font of a page whose sender set none. */
export interface Paper {
  ink: string;
  back: string;
  line: string;
  font: string;
  size: string;
  dark: boolean;
}

const sheet = (paper: Paper): string => `
:root { color-scheme: ${paper.dark ? 'dark' : 'light'}; background: ${paper.back}; }
body { margin: 0; color: ${paper.ink}; font: ${paper.size}/1.55 ${paper.font}; overflow-wrap: anywhere; display: flow-root; }
:root { overflow: hidden; }
img, table { max-inline-size: 100%; }
img:not([height]) { block-size: auto; }
[data-off] { display: inline-block; box-sizing: border-box; max-inline-size: 100%; min-block-size: 1.6em; min-inline-size: 1.6em; padding: 4px 8px; border: 1px dashed ${paper.line}; overflow: hidden; vertical-align: top; font-size: 0.9em; opacity: 0.85; }
pre { white-space: pre-wrap; }
blockquote { margin-inline: 0; padding-inline-start: 10px; border-inline-start: 2px solid ${paper.line}; }
[data-link] { text-decoration: underline; }
`;

/** A link of a page. The frame only draws it; a button above the frame opens it. */
export interface PageLink {
  element: Element;
  href: string;
  text: string;
}

/** Puts a mail into the frame's document. Its links lead nowhere, and only the window sets its styles. */
export function fill(doc: Document, page: MailPage, paper: Paper): PageLink[] {
  // A separate document: nothing in it loads, and no content policy applies.
  const made = new DOMParser().parseFromString(page.html, 'text/html');
  for (const image of made.querySelectorAll<HTMLImageElement>('img[data-image]')) {
    const known = page.images[Number(image.dataset['image'])];
    if (known?.data) image.setAttribute('src', known.data);
    else if (known && !known.tracker) image.replaceWith(standIn(made, image));
    else image.remove();
  }
  const hrefs = [...made.querySelectorAll('a[href]')].map((link, at) => {
    const href = link.getAttribute('href') ?? '';
    link.removeAttribute('href');
    link.setAttribute('data-link', String(at));
    return href;
  });
  doc.body.replaceChildren(...[...made.body.childNodes].map((node) => doc.importNode(node, true)));
  for (const styled of doc.querySelectorAll<HTMLElement>('[data-style]')) {
    styled.style.cssText = styled.dataset['style'] ?? '';
    styled.removeAttribute('data-style');
  }
  for (const image of doc.querySelectorAll('img')) keepShape(image);
  dress(doc, paper);
  return [...doc.querySelectorAll('[data-link]')].slice(0, LINKS_MAX).map((element, at) => ({
    element,
    href: hrefs[at] ?? '',
    text: nameOf(element),
  }));
}

/**
 * Lets an image that is wider than the window shrink without distortion: if the sender set both sides, keep their ratio
 * instead of the height.
 */
function keepShape(image: HTMLImageElement): void {
  const side = (style: string, value: string | null) =>
    Number(/^(\d{1,4})(?:\.\d+)?px$/.exec(style)?.[1] ?? (style === '' && /^\d{1,4}$/.test(value ?? '') ? value : 0));
  const width = side(image.style.width, image.getAttribute('width'));
  const height = side(image.style.height, image.getAttribute('height'));
  if (width === 0 || height === 0) return;
  image.style.aspectRatio = `${width} / ${height}`;
  image.style.height = 'auto';
}

/** A placeholder as large as the missing image, with its alternative text. */
function standIn(doc: Document, image: HTMLImageElement): HTMLElement {
  const box = doc.createElement('span');
  box.dataset['off'] = '';
  box.textContent = image.alt;
  const size = (side: string, value: string | null) => (/^\d{1,4}$/.test(value ?? '') ? `${side}: ${value}px; ` : '');
  box.dataset['style'] = `${size('width', image.getAttribute('width'))}${size('height', image.getAttribute('height'))}`;
  return box;
}

/** The text of a link, or the alternative text of its image. */
function nameOf(link: Element): string {
  const said = link.textContent.replace(/\s+/g, ' ').trim();
  return said || (link.querySelector('img[alt]')?.getAttribute('alt')?.trim() ?? '');
}

/** Applies the window's theme to everything that has no style of its own. */
export function dress(doc: Document, paper: Paper): void {
  const inside = doc.defaultView as (Window & typeof globalThis) | null;
  // A document without a window is not rendered.
  if (!inside) return;
  const made = new inside.CSSStyleSheet();
  made.replaceSync(sheet(paper));
  doc.adoptedStyleSheets = [made];
}

/** The position of a link on the page, in pixels from the top left corner. */
export interface Spot {
  link: PageLink;
  x: number;
  y: number;
  width: number;
  height: number;
}

/** The positions of all visible links. A link that wraps gets one box around all its lines. */
export function spotsOf(links: PageLink[]): Spot[] {
  return links.flatMap((link) => {
    const { left: x, top: y, width, height } = link.element.getBoundingClientRect();
    return width > 0 && height > 0 ? [{ link, x, y, width, height }] : [];
  });
}
