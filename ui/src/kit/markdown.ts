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

/** A corner without words is no heading. */
function oneCell(inner: string, tag: string, align: string | null): string {
  const name = inner.trim() === '' ? 'td' : tag;
  const side = align === null ? '' : ` class="to-${align}"`;
  return `<${name}${side}>${inner}</${name}>`;
}

const marked = new Marked({ gfm: true, breaks: true, async: false });
marked.use({
  renderer: {
    // What a model wrote is text: tags are shown, not obeyed.
    html: ({ text }) => escape(text),
    // No picture is fetched; its words stay.
    image: ({ text, href }) => escape(text || href),
    heading({ tokens, depth }) {
      const level = Math.min(5, depth + 1);
      return `<h${level}>${this.parser.parseInline(tokens)}</h${level}>`;
    },
    link({ href, text: said, tokens }) {
      const text = this.parser.parseInline(tokens);
      const url = safeUrl(href);
      if (!url) return text;
      // A name before the host is there to be taken for it.
      url.username = '';
      url.password = '';
      // Words that say another address are no link: what leads on is the host itself.
      if (saysOtherAddress(url, wordsOf(text)))
        return `${text} (<a href="${escape(url.href)}">${escape(realHost(url))}</a>)`;
      // The host stands beside every link whose text is not the address itself.
      const shown = textIsAddress(url, said) ? '' : ` <span class="lh">(${escape(realHost(url))})</span>`;
      return `<a href="${escape(url.href)}">${text}</a>${shown}`;
    },
    // What can scroll sideways can be reached by keyboard. The component puts its button beside the code.
    code: ({ text }) => `<div class="cb"><pre tabindex="0"><code>${escape(text)}</code></pre></div>`,
    table(token) {
      const row = (cells: typeof token.header, tag: string) =>
        `<tr>${cells.map((cell) => oneCell(this.parser.parseInline(cell.tokens), tag, cell.align)).join('')}</tr>`;
      return `<div class="tw" tabindex="0"><table><thead>${row(token.header, 'th')}</thead><tbody>${token.rows.map((cells) => row(cells, 'td')).join('')}</tbody></table></div>`;
    },
    checkbox: ({ checked }) => (checked ? '☑ ' : '☐ '),
  },
});

/** Blocks of one text that are kept; a longer one is rendered anew from its beginning. */
const BLOCKS_KEPT_MAX = 500;
let kept = new Map<string, string>();

/**
 * The same, block by block: while words arrive only the last block becomes another, so nothing above it is drawn again and
 * a selection in it stays.
 */
export function renderBlocks(text: string, streaming: boolean): string[] {
  const tokens = marked.lexer(streaming ? remend(withoutLoneMarks(withoutHalfTable(text))) : text);
  if (kept.size > BLOCKS_KEPT_MAX) kept = new Map();
  return tokens.flatMap((token) => {
    if (token.type === 'space' || token.type === 'def') return [];
    // A block with a reference may mean something else once its definition has arrived.
    const key = Object.keys(tokens.links).length === 0 ? token.raw : '';
    const before = key === '' ? undefined : kept.get(key);
    const html = before ?? clean(marked.parser([token]));
    if (key !== '') kept.set(key, html);
    return [html];
  });
}

/** Markdown as safe HTML: no scripts, styles, images, frames or raw HTML; links only to web and mail. Half-arrived marks are closed. */
export function renderMarkdown(text: string, streaming: boolean): string {
  return renderBlocks(text, streaming).join('');
}

/** Marks at the very end open something that is still on its way. */
function withoutLoneMarks(text: string): string {
  return text
    .trimEnd()
    .replace(/(^|\s)[*_~`]{1,3}$/, '$1')
    .trimEnd();
}

/** A table shows once its second line is whole: until then its marks would be words. */
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
    // Numbers are no addresses, whatever the pattern below says of them.
    ADD_URI_SAFE_ATTR: ['start', 'tabindex'],
    ALLOWED_URI_REGEXP: /^(?:https?|mailto):/i,
    ALLOW_DATA_ATTR: false,
    ALLOW_ARIA_ATTR: false,
  });
}
