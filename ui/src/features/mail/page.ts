import type { MailPage } from '../../host';

/** Links of one mail that can be opened from its page; its text has them all. */
const LINKS_MAX = 500;

/** The frame's document before a mail is put into it. It may load nothing; scripts are off by the sandbox as well. */
export const BLANK =
  '<!doctype html><html><head><meta http-equiv="Content-Security-Policy" content="default-src \'none\'; img-src data:"></head><body></body></html>';

/** What a page looks like where its sender does not say. */
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

/** A link of a page. The frame only draws it: what opens it lies above the frame, in the window. */
export interface PageLink {
  element: Element;
  href: string;
  text: string;
}

/** Puts a mail into the frame's document. Nothing in it leads anywhere or has a style that the window did not set. */
export function fill(doc: Document, page: MailPage, paper: Paper): PageLink[] {
  // A document apart: in it nothing loads, and no policy is asked.
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

/** A picture wider than the window shrinks as a whole: where its sender gave both sides, their relation holds, not its height. */
function keepShape(image: HTMLImageElement): void {
  const side = (style: string, value: string | null) =>
    Number(/^(\d{1,4})(?:\.\d+)?px$/.exec(style)?.[1] ?? (style === '' && /^\d{1,4}$/.test(value ?? '') ? value : 0));
  const width = side(image.style.width, image.getAttribute('width'));
  const height = side(image.style.height, image.getAttribute('height'));
  if (width === 0 || height === 0) return;
  image.style.aspectRatio = `${width} / ${height}`;
  image.style.height = 'auto';
}

/** A box as large as the picture that is not there, with the words its sender gave it. */
function standIn(doc: Document, image: HTMLImageElement): HTMLElement {
  const box = doc.createElement('span');
  box.dataset['off'] = '';
  box.textContent = image.alt;
  const size = (side: string, value: string | null) => (/^\d{1,4}$/.test(value ?? '') ? `${side}: ${value}px; ` : '');
  box.dataset['style'] = `${size('width', image.getAttribute('width'))}${size('height', image.getAttribute('height'))}`;
  return box;
}

/** The words of a link, or of its picture. */
function nameOf(link: Element): string {
  const said = link.textContent.replace(/\s+/g, ' ').trim();
  return said || (link.querySelector('img[alt]')?.getAttribute('alt')?.trim() ?? '');
}

/** The look of the window, given to what has none of its own. */
export function dress(doc: Document, paper: Paper): void {
  const inside = doc.defaultView as (Window & typeof globalThis) | null;
  // A document without a window is not drawn.
  if (!inside) return;
  const made = new inside.CSSStyleSheet();
  made.replaceSync(sheet(paper));
  doc.adoptedStyleSheets = [made];
}

/** Where a link lies on the page, in pixels from its top left corner. */
export interface Spot {
  link: PageLink;
  x: number;
  y: number;
  width: number;
  height: number;
}

/** Where the links lie that can be seen. One that breaks over lines is as large as all of it. */
export function spotsOf(links: PageLink[]): Spot[] {
  return links.flatMap((link) => {
    const { left: x, top: y, width, height } = link.element.getBoundingClientRect();
    return width > 0 && height > 0 ? [{ link, x, y, width, height }] : [];
  });
}
