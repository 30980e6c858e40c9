import DOMPurify from 'dompurify';
import { Marked } from 'marked';
import remend from 'remend';
import { realHost, safeUrl, saysOtherAddress, textIsAddress } from './link';

const TAGS = [
  ...['p', 'br', 'strong', 'em', 'del', 'code', 'pre', 'blockquote', 'ul', 'ol', 'li', 'a', 'hr', 'span'],
  ...['h2', 'h3', 'h4', 'h5', 'table', 'thead', 'tbody', 'tr', 'th', 'td', 'div'],
];

function escape(text: string): string {
  return text.replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`);
}

function wordsOf(html: string): string {
  return new DOMParser().parseFromString(html, 'text/html').body.textContent;
}

/** Renders a table cell; an empty header cell, such as the corner, becomes an ordinary cell. */
function oneCell(inner: string, tag: string, align: string | null): string {
  const name = inner.trim() === '' ? 'td' : tag;
  const side = align === null ? '' : ` class="to-${align}"`;
  return `<${name}${side}>${inner}</${name}>`;
}

const marked = new Marked({ gfm: true, breaks: true, async: false });
marked.use({
  renderer: {
    // Raw HTML from a model is text: show the tags.
    html: ({ text }) => escape(text),
    // Never fetch images; keep their text.
    image: ({ text, href }) => escape(text || href),
    heading({ tokens, depth }) {
      const level = Math.min(5, depth + 1);
      return `<h${level}>${this.parser.parseInline(tokens)}</h${level}>`;
    },
    link({ href, text: said, tokens }) {
      const text = this.parser.parseInline(tokens);
      const url = safeUrl(href);
      if (!url) return text;
      // A user name before the host could be mistaken for the host.
      url.username = '';
      url.password = '';
      // Text that spells out another address must not be the link: link the real host after it.
      if (saysOtherAddress(url, wordsOf(text)))
        return `${text} (<a href="${escape(url.href)}">${escape(realHost(url))}</a>)`;
      // Show the host beside every link whose text is not the address itself.
      const shown = textIsAddress(url, said) ? '' : ` <span class="lh">(${escape(realHost(url))})</span>`;
      return `<a href="${escape(url.href)}">${text}</a>${shown}`;
    },
    // Focusable, so that the keyboard can scroll it. `Markdown.svelte` adds the Copy button.
    code: ({ text }) => `<div class="cb"><pre tabindex="0"><code>${escape(text)}</code></pre></div>`,
    table(token) {
      const row = (cells: typeof token.header, tag: string) =>
        `<tr>${cells.map((cell) => oneCell(this.parser.parseInline(cell.tokens), tag, cell.align)).join('')}</tr>`;
      return `<div class="tw" tabindex="0"><table><thead>${row(token.header, 'th')}</thead><tbody>${token.rows.map((cells) => row(cells, 'td')).join('')}</tbody></table></div>`;
    },
    checkbox: ({ checked }) => (checked ? '☑ ' : '☐ '),
  },
});

/** The maximum number of cached blocks; beyond it the cache starts over. */
const BLOCKS_KEPT_MAX = 500;
let kept = new Map<string, string>();

/**
 * Renders Markdown block by block: while words stream in, only the last block changes, so the blocks above are not
 * redrawn and a selection in them survives.
 */
export function renderBlocks(text: string, streaming: boolean): string[] {
  const tokens = marked.lexer(streaming ? remend(withoutLoneMarks(withoutHalfTable(text))) : text);
  if (kept.size > BLOCKS_KEPT_MAX) kept = new Map();
  return tokens.flatMap((token) => {
    if (token.type === 'space' || token.type === 'def') return [];
    // A later definition may change the meaning of a block with a reference: do not cache it.
    const key = Object.keys(tokens.links).length === 0 ? token.raw : '';
    const before = key === '' ? undefined : kept.get(key);
    const html = before ?? clean(marked.parser([token]));
    if (key !== '') kept.set(key, html);
    return [html];
  });
}

/**
 * Renders Markdown as safe HTML: no scripts, styles, images, frames or raw HTML; only web and mail links. Closes
 * unfinished marks.
 */
export function renderMarkdown(text: string, streaming: boolean): string {
  return renderBlocks(text, streaming).join('');
}

/** Removes marks at the very end, because their text has not arrived yet. */
function withoutLoneMarks(text: string): string {
  return text
    .trimEnd()
    .replace(/(^|\s)[*_~`]{1,3}$/, '$1')
    .trimEnd();
}

/** Hides a table until its second line is complete: until then its marks would show as text. */
function withoutHalfTable(text: string): string {
  const from = text.lastIndexOf('\n\n') + 1;
  const lines = text.slice(from).split('\n');
  const at = lines.findIndex((line) => /^\s*\|/.test(line));
  const inCode = (text.match(/^\s*(```|~~~)/gm)?.length ?? 0) % 2 === 1;
  const HEAD_AND_RULE = 2;
  if (at < 0 || inCode || lines.length - at > HEAD_AND_RULE) return text;
  return text.slice(0, from) + lines.slice(0, at).join('\n');
}

function clean(html: string): string {
  return DOMPurify.sanitize(html, {
    ALLOWED_TAGS: TAGS,
    ALLOWED_ATTR: ['href', 'class', 'start', 'tabindex'],
    // Numbers are not URIs: exempt them from the pattern below.
    ADD_URI_SAFE_ATTR: ['start', 'tabindex'],
    ALLOWED_URI_REGEXP: /^(?:https?|mailto):/i,
    ALLOW_DATA_ATTR: false,
    ALLOW_ARIA_ATTR: false,
  });
}
