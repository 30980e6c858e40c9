import { beforeEach, describe, expect, it } from 'vitest';
import { fake } from '../../host/fake';
import type { MailRow } from '../../host';
import { clock } from '../../kit/clock.svelte';
import { blocks, pieces } from './text';
import { bySpan, threadsOf } from './threads';

beforeEach(() => {
  clock.tz = 'America/New_York';
  clock.now = () => Date.parse('2026-01-13T09:24:00-05:00');
});

const rows = async (folder: MailRow['folder']) => {
  const { list } = await fake.world.show('mail', null, null, null, null, { folder });
  return list as MailRow[];
};

describe('the list of mails', () => {
  it('is one row a thread, named by who wrote in it, unread if one of it is', async () => {
    const threads = threadsOf(await rows('inbox'));
    expect(threads.map((one) => one.newest.id)).toEqual([
      'mail-raj',
      'mail-deals',
      'mail-kelm',
      'mail-hiring',
      'mail-policy',
    ]);
    const lease = threads.find((one) => one.newest.id === 'mail-kelm');
    expect(lease?.mails).toHaveLength(3);
    expect(lease).toMatchObject({ unread: false, attached: true, who: ['Hannah Voss'] });
    expect(threads[0]).toMatchObject({ unread: true, who: ['Raj Patel'] });
    const [sent] = threadsOf(await rows('sent'));
    expect(sent?.who).toEqual(['To hannah.voss@kelm-estates.example']);
  });

  it('is divided by days, weeks and months as they are lived', async () => {
    const spans = bySpan(threadsOf(await rows('inbox')), clock.now());
    expect(spans.map((one) => [one.label, one.items.length])).toEqual([
      ['Today', 1],
      ['Yesterday', 2],
      ['Last week', 1],
      ['December 2025', 1],
    ]);
  });
});

describe('the text of a mail', () => {
  it('is parted from what it quotes, with the line that leads in', () => {
    const text = 'Sure.\r\n\r\nOn Mon, 5 Jan 2026, Hannah wrote:\r\n> Would you\r\n> renew?\r\n\r\nMara';
    expect(blocks(text)).toEqual([
      { quoted: false, text: 'Sure.' },
      { quoted: true, text: 'On Mon, 5 Jan 2026, Hannah wrote:\n> Would you\n> renew?' },
      { quoted: false, text: 'Mara' },
    ]);
    expect(blocks('  \n\n')).toEqual([]);
    expect(blocks('a > b: yes')).toEqual([{ quoted: false, text: 'a > b: yes' }]);
  });

  it('has its addresses told apart, and loses no letter', () => {
    const text = 'See (https://a.example/x?y=1), or http://b.example. javascript:alert(1)';
    const all = pieces(text);
    expect(all.filter((one) => one.href).map((one) => one.href)).toEqual([
      'https://a.example/x?y=1',
      'http://b.example',
    ]);
    expect(all.map((one) => one.text).join('')).toBe(text);
  });

  it('is read in a moment however long and odd it is', () => {
    const text = `${'>'.repeat(100_000)}\n${'https://'.repeat(20_000)}\n${':\n'.repeat(50_000)}`;
    const begun = performance.now();
    expect(blocks(text).flatMap((one) => pieces(one.text)).length).toBeGreaterThan(0);
    expect(performance.now() - begun).toBeLessThan(2_000);
  });
});
