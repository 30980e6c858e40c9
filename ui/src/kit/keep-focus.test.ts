import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { keepFocus } from './keep-focus';
import { eventually } from './test/eventually';

const get = (id: string) => document.getElementById(id) as HTMLElement;

describe('the focus', () => {
  let stop: () => void;
  beforeEach(() => {
    // jsdom lacks this: treat every connected element as visible.
    Element.prototype.checkVisibility ??= () => true;
    document.body.innerHTML = `<main id="main"><h1 id="head" tabindex="-1">Tasks</h1>
      <section id="list"><div id="one"><button id="a">A</button></div><button id="b">B</button></section></main>`;
    stop = keepFocus();
  });
  afterEach(() => {
    stop();
    document.body.innerHTML = '';
  });

  it('goes to what stands beside it when what had it goes', async () => {
    get('a').focus();
    get('one').remove();
    await eventually(() => expect(document.activeElement).toBe(get('b')));
  });

  it('goes to the heading when everything around it goes', async () => {
    get('a').focus();
    get('list').remove();
    await eventually(() => expect(document.activeElement).toBe(get('head')));
  });

  it('stays where a component has put it meanwhile', async () => {
    get('a').focus();
    get('one').remove();
    get('head').focus();
    await new Promise((drawn) =>
      requestAnimationFrame(() => requestAnimationFrame(() => requestAnimationFrame(drawn))),
    );
    expect(document.activeElement).toBe(get('head'));
  });

  it('is nobody\u2019s where the person pressed beside everything', async () => {
    get('a').focus();
    get('a').blur();
    get('b').remove();
    await new Promise((drawn) =>
      requestAnimationFrame(() => requestAnimationFrame(() => requestAnimationFrame(drawn))),
    );
    expect(document.activeElement).toBe(document.body);
  });
});
