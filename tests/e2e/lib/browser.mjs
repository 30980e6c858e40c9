// The person's browser: pages that the app opens arrive here, and a test decides what the person does on them.

import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventually } from './wait.mjs';

const OPENED = 'opened-in-the-browser';

export class Browser {
  #seen = 0;

  /** Makes this the machine's browser. Must be called before the app starts. */
  static on(machine) {
    const browser = new Browser();
    const bin = join(machine.home, 'bin');
    browser.file = join(machine.home, OPENED);
    mkdirSync(bin, { recursive: true });
    writeFileSync(join(bin, 'xdg-open'), `#!/bin/sh\nprintf '%s\\n' "$1" >>"${browser.file}"\n`);
    chmodSync(join(bin, 'xdg-open'), 0o755);
    machine.env.PATH = `${bin}:${machine.env.PATH}`;
    return browser;
  }

  /** Waits for the next page that the app opens, and returns its address. */
  async opened() {
    const pages = () => {
      try {
        return readFileSync(this.file, 'utf8').split('\n').slice(0, -1);
      } catch {
        // Nothing has been opened yet.
        return [];
      }
    };
    const page = await eventually(() => pages()[this.#seen], 'a page in the browser');
    this.#seen += 1;
    return page;
  }

  /**
   * Signs in as a person that the page offers, and grants all scopes except `without`. Returns the text of the last
   * page.
   */
  async allow(address, email, without = []) {
    const page = await fetch(address);
    const html = await page.text();
    if (!page.ok) throw new Error(`the page of the sign-in says ${page.status}: ${html}`);
    const forms = html.matchAll(/<form[^>]*action="([^"]+)"[^>]*>(.*?)<\/form>/gs);
    const form = [...forms].find(([text]) => text.includes(`value="${email}"`));
    const fields = new URLSearchParams();
    for (const [input] of form[2].matchAll(/<input[^>]*>/g)) {
      const [, name] = /name="([^"]*)"/.exec(input);
      const [, value] = /value="([^"]*)"/.exec(input);
      fields.set(name, plain(value));
    }
    const scopes = fields.get('scope').split(' ');
    fields.set('scope', scopes.filter((scope) => !without.some((end) => scope.endsWith(end))).join(' '));
    const back = await fetch(new URL(form[1], address), { method: 'POST', body: fields, redirect: 'manual' });
    return (await fetch(back.headers.get('location'))).text();
  }

  /** Denies access on the page. */
  async refuse(address) {
    const asked = new URL(address).searchParams;
    const back = new URL(asked.get('redirect_uri'));
    back.search = new URLSearchParams({ error: 'access_denied', state: asked.get('state') });
    return (await fetch(back)).text();
  }
}

const plain = (text) => text.replace(/&(amp|quot|#39|lt|gt);/g, (_, name) => ({ amp: '&', quot: '"', '#39': "'", lt: '<', gt: '>' })[name]);
