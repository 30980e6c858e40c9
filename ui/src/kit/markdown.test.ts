import { flushSync, mount, unmount } from 'svelte';
import { describe, expect, it, vi } from 'vitest';
import { host } from '../host';
import Markdown, { load } from './Markdown.svelte';
import { realHost, safeUrl, textDisagrees } from './link';
import { renderBlocks, renderMarkdown } from './markdown';

const html = (text: string) => renderMarkdown(text, false);

describe('renderMarkdown', () => {
  it('keeps ordinary Markdown', () => {
    const out = html('# Title\n\n**bold** `code` ~~gone~~\n\n- one\n- two\n\n| a | b |\n|---|---|\n| 1 | 2 |');
    expect(out).toContain('<h2>Title</h2>');
    expect(out).toContain('<strong>bold</strong>');
    expect(out).toContain('<li>two</li>');
    expect(out).toContain('<td>2</td>');
  });

  it.each([
    '<script>alert(1)</script>',
    '<img src=x onerror=alert(1)>',
    '<iframe src="https://evil.example"></iframe>',
    '<a href="javascript:alert(1)">x</a>',
    '<svg onload=alert(1)>',
    '<style>body{display:none}</style>',
    '<form action="https://evil.example"><input name=q></form>',
    '[x](javascript:alert(1))',
    '[x](data:text/html,<script>alert(1)</script>)',
    '[x](vbscript:msgbox)',
    '![pixel](https://evil.example/p.png?leak=1)',
    '[![a](https://evil.example/a.png)](https://evil.example)',
    '<https://evil.example" onmouseover="alert(1)>',
  ])('lets nothing active or remote through: %s', (text) => {
    const box = document.createElement('div');
    box.innerHTML = html(text);
    expect(
      box.querySelectorAll('script, img, iframe, svg, style, form, input, object, embed, link, meta'),
    ).toHaveLength(0);
    for (const node of box.querySelectorAll('*')) {
      for (const { name, value } of node.attributes) {
        expect(name).toMatch(/^(href|class|start|tabindex)$/);
        if (name === 'href') expect(value).toMatch(/^(https?|mailto):/);
      }
    }
  });

  it('shows the real host beside a link that does not say it', () => {
    expect(html('[your bank](https://evil.example/login)')).toContain('(evil.example)');
    expect(html('[the bank](https://b\u0430nk.example)')).toContain('xn--');
  });

  it.each([
    ['[bank.example/evil.example](https://evil.example)', 'evil.example'],
    ['[notevil.example](https://evil.example)', 'evil.example'],
    ['[evil.example is safe](https://evil.example)', 'evil.example'],
    ['[boss@work.example, not x@evil.example](mailto:x@evil.example)', 'x@evil.example'],
  ])('shows it also where the text merely holds it: %s', (text, host) => {
    expect(html(text)).toContain(`(${host})`);
  });

  it.each([
    ['[https://bank.example](https://bank.example@evil.example/)', 'https://evil.example/', 'evil.example'],
    ['[www.bank.example](https://evil.example)', 'https://evil.example/', 'evil.example'],
    ['[**https://bank.example**/login](https://evil.example/login)', 'https://evil.example/login', 'evil.example'],
    ['[https&#58;//bank.example](https://evil.example)', 'https://evil.example/', 'evil.example'],
    ['[https://b\u0430nk.example](https://b\u0430nk.example)', 'https://xn--bnk-6cd.example/', 'xn--bnk-6cd.example'],
  ])('makes no link of an address that is another: %s', (text, href, said) => {
    const box = document.createElement('div');
    box.innerHTML = html(text);
    const links = [...box.querySelectorAll('a')];
    expect(links.map((link) => [link.getAttribute('href'), link.textContent])).toEqual([[href, said]]);
  });

  it('says an address once where the text is the address', () => {
    for (const text of ['https://a.example/', '[a.example](https://a.example)', '<mailto:a@b.example>', 'a@b.example'])
      expect(html(text), text).not.toContain('lh');
  });

  it('draws an answer whose mail address cannot be decoded', () => {
    expect(html('[mail](mailto:%zz@b.example) and more')).toContain('and more');
  });

  it('closes half-arrived marks while streaming', () => {
    expect(renderMarkdown('This is **bo', true)).toContain('<strong>bo</strong>');
  });
});

describe('links', () => {
  it('takes web and mail addresses only', () => {
    expect(safeUrl('https://a.example')?.host).toBe('a.example');
    expect(safeUrl('mailto:a@b.example')).not.toBeNull();
    for (const bad of [
      'javascript:alert(1)',
      'file:///etc/passwd',
      'data:text/html,x',
      'tauri://localhost',
      'nonsense',
    ]) {
      expect(safeUrl(bad)).toBeNull();
    }
  });
  it('knows when the text names another place', () => {
    const url = safeUrl('https://evil.example/x') as URL;
    expect(textDisagrees(url, 'https://bank.example')).toBe(true);
    expect(textDisagrees(url, 'the offer')).toBe(false);
    expect(textDisagrees(url, 'www.evil.example')).toBe(false);
    expect(textDisagrees(url, 'evil.example, or rather bank.example')).toBe(true);
    expect(textDisagrees(safeUrl('mailto:x@evil.example') as URL, 'boss@work.example')).toBe(true);
    expect(realHost(safeUrl('https://b\u0430nk.example') as URL)).toMatch(/^xn--/);
  });

  it('comes in blocks: while words arrive, only the last one changes', () => {
    const text = 'First **one**.\n\n- a\n- b\n\nThe last `on';
    const before = renderBlocks(text, true);
    const after = renderBlocks(`${text}e\` grows`, true);
    expect(before).toHaveLength(3);
    expect(after.slice(0, 2)).toEqual(before.slice(0, 2));
    expect(after[2]).not.toBe(before[2]);
    expect(before.join('')).not.toMatch(/[*`]/);
    expect(renderBlocks(text, false).join('')).toBe(renderMarkdown(text, false));
  });

  it('shows no mark that is still on its way, wherever the text is cut', () => {
    const text =
      'A **bold one** and `code`, [a link](https://example.org/a).\n\n| a | b |\n| --- | :-: |\n| 1 | 2 |\n\n- *x*\n';
    for (let end = 1; end <= text.length; end += 1) {
      const shown = renderBlocks(text.slice(0, end), true)
        .join('')
        .replace(/<[^>]*>/g, '');
      expect(shown, text.slice(0, end)).not.toMatch(/\*\*|`|\|\s*:?-|\]\(/);
    }
    // Inside code, such a line is ordinary text.
    expect(renderBlocks('```\n| a', true).join('')).toContain('| a');
  });

  it('does not keep a block that means something else once its link is known', () => {
    expect(renderBlocks('See [it][x].', true).join('')).not.toContain('<a');
    expect(renderBlocks('See [it][x].\n\n[x]: https://example.org', false).join('')).toContain('https://example.org');
    expect(renderBlocks('See [it][x].', false).join('')).not.toContain('<a');
  });
});

describe('tables and code', () => {
  it('stand as they were aligned', () => {
    const html = renderMarkdown('| what | sum |\n| :-- | --: |\n| rent | 4,150 |', false);
    expect(html).toContain('<td class="to-right">4,150</td>');
    expect(html).toContain('<th class="to-left">what</th>');
  });

  it('hold no controls of their own', () => {
    expect(renderMarkdown('```\nls -la\n```', false)).toBe(
      '<div class="cb"><pre tabindex="0"><code>ls -la</code></pre></div>',
    );
  });

  it('get a button that copies the code alone', async () => {
    load();
    const copied = vi.spyOn(host, 'copy').mockResolvedValue();
    const target = document.createElement('div');
    const app = mount(Markdown, { target, props: { text: 'Do:\n\n```\nls -la\n```' } });
    const buttons = () => target.querySelectorAll<HTMLButtonElement>('button.copy');
    await vi.waitFor(() => {
      flushSync();
      expect(buttons()).toHaveLength(1);
    });
    buttons()[0]?.click();
    expect(copied).toHaveBeenCalledWith('ls -la');
    await unmount(app);
  });

  it('are not made by what a model wrote', () => {
    expect(renderMarkdown('<button class="copy">Approve</button>', false)).not.toContain('<button');
  });
});
