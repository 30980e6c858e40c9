// Every screen in every state it can have. A new surface adds its lines here, and is then checked in both themes and
// all forms.

import { connectPriced, drag, say } from './lib.mjs';
import { SURFACES } from './surfaces.screens.mjs';

const text = (words) => (page) => page.getByText(words).first().waitFor();
const shown = (selector) => (page) => page.locator(selector).first().waitFor();

export const SCREENS = [
  ...SURFACES,
  {
    name: 'chat-populated',
    at: 'chat/main',
    fake: 'populated',
    ready: shown('.ask'),
  },
  { name: 'chat-one', at: 'chat/main', fake: 'one', ready: shown('.ask') },
  {
    name: 'chat-answer',
    at: 'chat/c-lease',
    fake: 'populated',
    ready: shown('.md table'),
  },
  {
    name: 'chat-done',
    at: 'chat/c-bank',
    fake: 'populated',
    ready: shown('.receipt'),
  },
  {
    name: 'chat-edited',
    at: 'chat/c-bank',
    fake: 'populated',
    ready: async (page) => {
      const edit = page.getByRole('button', { name: 'Edit and ask again' }).first();
      await edit.focus();
      await page.keyboard.press('Enter');
      await page.getByText('stays done').waitFor();
      await say(page.getByLabel('Message Adjutant'), 'What is on today?');
      await page.getByText('Earlier version').waitFor();
      await page.locator('.reply').getByText('free stretch from 13:30').waitFor();
      await edit.focus();
      await page.keyboard.press('Enter');
      await page.getByText('Editing your message').waitFor();
    },
  },
  {
    name: 'chat-empty',
    at: 'chat',
    fake: 'empty',
    ready: text('What can I take off your hands?'),
  },
  {
    name: 'chat-waiting',
    at: 'chat/main',
    fake: 'waiting',
    ready: shown('.status .spin'),
  },
  {
    name: 'chat-failing',
    at: 'chat/main',
    fake: 'failing',
    ready: shown('.note.stop'),
  },
  {
    name: 'chat-unreadable',
    at: 'chat/c-lease',
    fake: 'failing',
    ready: shown('.failure'),
  },
  {
    name: 'read-only',
    at: 'tasks',
    fake: 'read-only',
    ready: async (page) => {
      await page.getByRole('checkbox', { name: /Renew passport/ }).click();
      await page.getByRole('button', { name: 'Check again' }).waitFor();
    },
  },
  {
    name: 'profiles',
    at: 'chat/main',
    fake: 'populated',
    sizes: ['wide', 'medium'],
    ready: async (page) => {
      await page.getByRole('button', { name: 'Profile Work' }).click();
      await page.getByRole('menuitemradio', { name: 'Archive' }).waitFor();
    },
  },
  {
    name: 'chat-model',
    at: 'chat',
    fake: 'empty',
    ready: async (page) => {
      await say(page.getByLabel('Message Adjutant'), 'Explain the lease');
      await page.getByText('did not answer').waitFor();
      await page.getByText(/What it thought|Thought for/).click();
    },
  },
  {
    name: 'chat-model-trace',
    at: 'chat',
    fake: 'empty',
    ready: async (page) => {
      await say(page.getByLabel('Message Adjutant'), 'Explain the lease');
      await page.getByRole('button', { name: /Context: / }).click();
      await page.getByRole('dialog').getByText('gpt-large').waitFor();
    },
  },
  {
    name: 'chat-costly',
    at: 'chat',
    fake: 'empty',
    ready: async (page) => {
      await page.getByLabel('Message Adjutant').waitFor();
      await connectPriced(page, ['Lab'], 90);
      await say(page.getByLabel('Message Adjutant'), 'Compare all of these offers');
      await page.getByRole('dialog').getByText('of $2.00 is used').waitFor();
    },
  },
  {
    name: 'settings-background',
    at: 'settings/background',
    fake: 'populated',
    ready: (page) => page.getByRole('button', { name: /^Stop: qwen3/ }).waitFor(),
  },
  {
    name: 'settings-compare',
    at: 'settings/models',
    fake: 'populated',
    ready: async (page) => {
      await page.getByText('No model is connected').waitFor();
      await connectPriced(page, ['Lab', 'A second one with a very long name'], 5);
      await page.getByLabel('Only compare').selectOption({ index: 2 });
      await page.getByRole('dialog').getByText('for all background work').waitFor();
    },
  },
  {
    name: 'chat-dragging',
    at: 'chat/main',
    fake: 'populated',
    ready: async (page) => {
      await page.locator('.ask').waitFor();
      await drag(page, ['work.ics'], { drop: false });
      await page.locator('.drop').waitFor();
    },
  },
  {
    name: 'chat-dropped',
    at: 'chat/main',
    fake: 'populated',
    ready: async (page) => {
      await page.locator('.ask').waitFor();
      await drag(page, ['work.ics', 'old mail.mbox', 'Q4 plan with a very long name that does not fit.pdf']);
      await page.getByText('Import these?').waitFor();
    },
  },
  {
    name: 'chat-brought',
    at: 'chat/c-lease',
    fake: 'populated',
    ready: async (page) => {
      await page.locator('.md table').waitFor();
      await drag(page, ['work.ics', 'photo.png']);
      await page.getByRole('button', { name: 'Import 1 file' }).click();
      await page.getByText('The end is before the start.').waitFor();
    },
  },
  {
    name: 'approvals-populated',
    at: 'approvals',
    fake: 'populated',
    ready: shown('.item'),
  },
  {
    name: 'approvals-open',
    at: 'approvals/a-mail',
    fake: 'populated',
    ready: shown('.ask'),
  },
  {
    name: 'approvals-batch',
    at: 'approvals/a-batch',
    fake: 'populated',
    ready: shown('.ask'),
  },
  { name: 'approvals-mails', at: 'approvals/a-archive', fake: 'crowded', ready: shown('.batch li') },
  { name: 'approvals-replies', at: 'approvals/a-replies', fake: 'crowded', ready: shown('.batch li') },
  ...['tasks', 'events', 'letters'].map((what) => ({
    name: `chat-rows-${what}`,
    at: 'chat/new',
    ready: async (page) => {
      await say(page.getByLabel('Message Adjutant'), `list ${what}`);
      await page.locator('[data-line]').nth(11).waitFor();
      await page.keyboard.press('Escape');
    },
  })),
  {
    name: 'chat-choices',
    at: 'chat',
    fake: 'empty',
    ready: async (page) => {
      await say(page.locator('textarea'), 'cancel the meeting');
      await page.locator('button.choice').first().waitFor();
    },
  },
  ...[
    ['unread', '.chips button'],
    ['doubt', '.either button'],
    ['research', '.receipt a'],
  ].map(([what, selector]) => ({
    name: `chat-${what}`,
    at: 'chat',
    fake: 'empty',
    ready: async (page) => {
      await say(page.locator('textarea'), what);
      await page.locator(`.reply ${selector}`).first().waitFor();
    },
  })),
  { name: 'approvals-held', at: 'approvals/o-held', fake: 'held', ready: shown('.hold') },
  { name: 'approvals-queued', at: 'approvals/o-priya', fake: 'populated', ready: shown('.hold') },
  {
    name: 'approvals-editing',
    at: 'approvals/a-mail',
    fake: 'populated',
    ready: async (page) => {
      await page.getByRole('button', { name: 'Edit' }).click();
      await page.getByLabel(/^Subject/).fill('About Unit 4');
    },
  },
  { name: 'approvals-draft', at: 'approvals/o-draft', fake: 'populated', ready: shown('.hold') },
  {
    name: 'approvals-check-again',
    at: 'approvals/o-invoice',
    fake: 'populated',
    ready: async (page) => {
      await page.getByRole('button', { name: 'Check again' }).click();
      await page.getByText('no connected account to ask').waitFor();
    },
  },
  {
    name: 'approvals-source',
    at: 'approvals/a-mail',
    fake: 'populated',
    ready: async (page) => {
      await page.getByRole('button', { name: 'Open the source: Mail of 12 Jan' }).click();
      await page.getByRole('dialog').locator('mark').first().waitFor();
    },
  },
  {
    name: 'approvals-unknown',
    at: 'approvals/a-unknown',
    fake: 'populated',
    ready: shown('.receipt'),
  },
  {
    name: 'approvals-failed',
    at: 'approvals/a-failed',
    fake: 'populated',
    ready: shown('.settled .note'),
  },
  {
    name: 'approvals-expired',
    at: 'approvals/a-expired',
    fake: 'populated',
    ready: shown('.settled'),
  },
  {
    name: 'approvals-tricky',
    at: 'approvals/a-trick',
    fake: 'tricky',
    ready: shown('.ask'),
  },
  { name: 'approvals-flood', at: 'approvals/alike-a-mail-3', fake: 'flood', ready: text('Unusually many: 16') },
  { name: 'approvals-alike', at: 'approvals/alike-a-move-0', fake: 'flood', ready: shown('[data-card="together"]') },
  {
    name: 'approvals-alike-one',
    at: 'approvals/a-move-0',
    fake: 'flood',
    ready: text('Decide 2 of this kind together'),
  },
  { name: 'settings-grants', at: 'settings/approvals', fake: 'populated', ready: shown('[data-grant]') },
  {
    name: 'settings-no-grants',
    at: 'settings/approvals',
    fake: 'empty',
    ready: text('Nothing is allowed without a card'),
  },
  {
    name: 'approvals-empty',
    at: 'approvals',
    fake: 'empty',
    ready: text('Nothing waits for you'),
  },
  {
    name: 'approvals-waiting',
    at: 'approvals',
    fake: 'loading',
    ready: shown('.loading'),
  },
  {
    name: 'approvals-failing',
    at: 'approvals',
    fake: 'failing',
    ready: shown('.failure'),
  },
  {
    name: 'palette-answer',
    at: 'tasks',
    fake: 'populated',
    ready: async (page) => {
      await page.locator('.task').first().waitFor();
      await page.keyboard.press('Control+k');
      await page.getByRole('dialog').getByRole('combobox').fill('next free hour Thursday');
      await page.getByRole('option', { name: /^Free: / }).waitFor();
    },
  },
  {
    name: 'palette-actions',
    at: 'tasks',
    fake: 'populated',
    ready: async (page) => {
      await page.locator('.task').first().waitFor();
      await page.keyboard.press('Control+k');
      await page.getByRole('dialog').getByRole('combobox').fill('renew passport');
      await page
        .getByRole('option', { name: /Renew passport/ })
        .first()
        .waitFor();
      await page.keyboard.press('Tab');
      await page.getByRole('option', { name: 'Complete' }).waitFor();
    },
  },
  {
    name: 'palette',
    at: 'chat/main',
    fake: 'populated',
    ready: async (page) => {
      await page.locator('.ask').waitFor();
      await page.keyboard.press('Control+k');
      await page.getByRole('combobox').fill('raj');
      await page.getByText('works from London').last().waitFor();
    },
  },
  {
    name: 'keys',
    at: 'approvals',
    fake: 'populated',
    ready: async (page) => {
      await page.locator('.item').first().waitFor();
      await page.keyboard.press('?');
      await page.getByRole('dialog').waitFor();
    },
  },
  {
    name: 'drawer',
    at: 'chat/main',
    fake: 'populated',
    sizes: ['narrow'],
    ready: async (page) => {
      await page.getByRole('button', { name: /^Menu/ }).click();
      await page.getByRole('dialog').waitFor();
    },
  },
  {
    name: 'plan-sheet',
    at: 'chat/main',
    fake: 'populated',
    sizes: ['narrow'],
    ready: async (page) => {
      await page.locator('.plan-strip').click();
      await page.getByRole('dialog').waitFor();
    },
  },
  {
    name: 'plan-edit',
    at: 'chat/main',
    fake: 'populated',
    sizes: ['wide', 'medium'],
    ready: async (page) => {
      await page.locator('.ask').waitFor();
      await page.getByRole('button', { name: 'Edit' }).and(page.locator('.side *')).click();
      await page.getByRole('checkbox', { name: 'Send Raj the Q4 summary' }).uncheck();
    },
  },
  {
    name: 'plan-edit-sheet',
    at: 'chat/main',
    fake: 'populated',
    sizes: ['narrow'],
    ready: async (page) => {
      await page.locator('.plan-strip').click();
      await page.getByRole('dialog').getByRole('button', { name: 'Edit' }).click();
      await page.getByRole('button', { name: 'Save plan' }).waitFor();
    },
  },
];
