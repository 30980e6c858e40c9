import { beforeEach, describe, expect, it } from 'vitest';
import { fake } from '../../host/fake';
import { host, type MailPage, type MailRow } from '../../host';
import { alwaysFrom, canBeKept, leftOut } from './images';
import { labelChange } from './labels';
import { fill, type Paper } from './page';
import { pilesOf } from './sorting';

const paper: Paper = { ink: 'black', back: 'white', line: 'gray', font: 'serif', size: '14px', dark: false };
const page = (html: string, images: MailPage['images'] = []): MailPage => ({ html, images, coloured: false });

/** A document without constructable style sheets, like the one of the test environment. */
function blank(): Document {
  return document.implementation.createHTMLDocument();
}

describe('a mail in its frame', () => {
  it('has no address in it that leads or loads, and tells where its links lead', () => {
    const doc = blank();
    const links = fill(
      doc,
      page(
        '<a href="https://a.example/1">One <b>link</b></a><a href="mailto:x@y.example"><img alt="Write" data-image="0"></a><a>none</a>',
        [{ host: 'i.example', tracker: false, data: null }],
      ),
      paper,
    );
    expect(links.map(({ href, text }) => [href, text])).toEqual([
      ['https://a.example/1', 'One link'],
      ['mailto:x@y.example', 'Write'],
    ]);
    expect(doc.querySelector('[href], [src]')).toBeNull();
  });

  it('shows the images that were fetched, a box for the others, and of trackers nothing', () => {
    const doc = blank();
    const data = 'data:image/png;base64,AAAA';
    fill(
      doc,
      page(
        '<img data-image="0"><img data-image="1" alt="Map" width="300" height="5px"><img data-image="2"><img data-image="9">',
        [
          { host: 'i.example', tracker: false, data },
          { host: 'i.example', tracker: false, data: null },
          { host: 't.example', tracker: true, data: null },
        ],
      ),
      paper,
    );
    expect([...doc.querySelectorAll('img')].map((one) => one.getAttribute('src'))).toEqual([data]);
    const box = doc.querySelector<HTMLElement>('[data-off]');
    expect(box?.textContent).toBe('Map');
    expect(box?.style.width).toBe('300px');
    expect(box?.style.height).toBe('');
  });

  it('shrinks a picture as a whole, and leaves alone what has one side only', () => {
    const doc = blank();
    const picture = { host: 'i.example', tracker: false, data: 'data:image/png;base64,AAAA' };
    const images = [
      'width="1200" height="600"',
      'data-style="width: 900px; height: 300px"',
      'height="5"',
      'width="100%" height="40"',
    ];
    fill(
      doc,
      page(images.map((one, at) => `<img data-image="${at}" ${one}>`).join(''), [picture, picture, picture, picture]),
      paper,
    );
    const shapes = [...doc.querySelectorAll('img')].map(({ style }) => [style.aspectRatio, style.height]);
    expect(shapes).toEqual([
      ['1200 / 600', 'auto'],
      ['900 / 300', 'auto'],
      ['', ''],
      ['', ''],
    ]);
  });

  it('gets its styles from the window, never from its source', () => {
    const doc = blank();
    fill(doc, page('<p data-style="color: red">x</p>'), paper);
    expect(doc.querySelector('p')?.style.color).toBe('red');
    expect(doc.querySelector('[data-style]')).toBeNull();
  });
});

describe('images of others', () => {
  beforeEach(() => fake.reset());

  it('are counted apart from trackers, and named by where they lie', () => {
    const images = [
      { host: 'a.example', tracker: false, data: null },
      { host: 'a.example', tracker: false, data: null },
      { host: 'b.example', tracker: false, data: 'data:image/png;base64,AAAA' },
      { host: 't.example', tracker: true, data: null },
    ];
    expect(leftOut(page('', images))).toEqual({ images: 2, trackers: 1, hosts: ['a.example'] });
  });

  it('are kept for a sender once, and for no address that would be two', async () => {
    await alwaysFrom('news@raildeals.example');
    await alwaysFrom('News@raildeals.example');
    await alwaysFrom('b@c.example');
    const { settings } = await host.call('config_get', { key: 'mail.images_from' });
    expect(settings[0]?.value).toBe('news@raildeals.example, b@c.example');
    expect(canBeKept('a@b.example')).toBe(true);
    for (const bad of ['', 'a,b@c.example', 'a b@c.example', '<a@b.example>', 'nobody'])
      expect(canBeKept(bad)).toBe(false);
  });
});

describe('labels of several mails', () => {
  it('change only where the person touched a tick or wrote a name', () => {
    expect(labelChange([], ['work'], ' ')).toBeNull();
    expect(labelChange(['work', 'old'], ['work'], 'new, work,')).toEqual({ add: ['work', 'new'], remove: ['old'] });
    expect(labelChange(['old'], [], 'old')).toEqual({ add: ['old'] });
  });
});

describe('unread mail that is sorted', () => {
  it('comes in piles: people, notices, newsletters', async () => {
    const { list } = await fake.world.show('mail', null, null, null, null, { folder: 'inbox', unread: true });
    const piles = pilesOf(list as MailRow[]);
    expect(piles.map((pile) => [pile.writer, pile.threads.map((one) => one.newest.id)])).toEqual([
      ['person', ['mail-raj']],
      ['list', ['mail-deals']],
    ]);
  });
});
