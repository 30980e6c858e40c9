// The surfaces beside the conversation in every state: populated, empty, waiting and failing, and then what opens
// inside.
import { connectPriced, say } from './lib.mjs';

const text = (words) => (page) => page.getByText(words).first().waitFor();
const shown = (selector) => (page) => page.locator(selector).first().waitFor();

/** Returns the four states that every surface has. */
const states = (name, filled, emptyWords) => [
  { name: `${name}-populated`, at: name, fake: 'populated', ready: shown(filled) },
  { name: `${name}-empty`, at: name, fake: 'empty', ready: text(emptyWords) },
  { name: `${name}-waiting`, at: name, fake: 'loading', ready: shown('.loading') },
  { name: `${name}-failing`, at: name, fake: 'failing', ready: shown('.failure') },
];

export const SURFACES = [
  ...states('today', '.slot', 'Your day will be here'),
  { name: 'today-event', at: 'today/e-pricing', fake: 'populated', ready: shown('.slot dl') },
  { name: 'today-other-day', at: 'today/2026-01-17', fake: 'populated', ready: text('Nothing on this day') },
  {
    name: 'calendar-week',
    at: 'calendar/week-2026-01-13',
    fake: 'populated',
    // The grid, or the list in a narrow window.
    ready: (page) => page.locator('.blk.ghost, .as-list .slot.ghost').filter({ visible: true }).first().waitFor(),
  },
  {
    name: 'calendar-crowded',
    at: 'calendar/week-2026-01-13',
    fake: 'crowded',
    sizes: ['wide', 'narrow'],
    ready: (page) => page.locator('.fold, .as-list .day').filter({ visible: true }).first().waitFor(),
  },
  { name: 'calendar-day', at: 'calendar/day-2026-01-13', fake: 'populated', ready: shown('.wk .blk') },
  { name: 'calendar-month', at: 'calendar/month-2026-01-13', fake: 'populated', ready: shown('.month [aria-current]') },
  { name: 'calendar-event', at: 'calendar/e-raj', fake: 'populated', ready: shown('dialog .defs') },
  {
    name: 'calendar-new',
    at: 'calendar/day-2026-01-13',
    fake: 'populated',
    ready: async (page) => {
      await page.locator('.wk .blk').first().waitFor();
      await page.getByRole('button', { name: 'All fields' }).click();
      await page.getByRole('dialog').getByLabel('Repeats').waitFor();
    },
  },
  { name: 'calendar-failing', at: 'calendar', fake: 'failing', ready: shown('.failure') },
  ...states('tasks', '.task', 'No tasks yet'),
  { name: 'tasks-open', at: 'tasks/t-lease', fake: 'populated', ready: shown('.detail .form') },
  {
    name: 'tasks-picked',
    at: 'tasks',
    fake: 'populated',
    ready: async (page) => {
      for (const name of ['Send signed lease', 'Water the plants'])
        await page.locator('a.name', { hasText: name }).click({ modifiers: ['Control'] });
      await page.locator('.picked').waitFor();
    },
  },
  { name: 'conversations-populated', at: 'conversations', fake: 'populated', ready: shown('.item') },
  { name: 'conversations-empty', at: 'conversations', fake: 'empty', ready: text('No conversations yet') },
  { name: 'conversations-archive', at: 'conversations/archive', fake: 'populated', ready: text('Nothing is archived') },
  { name: 'conversations-waiting', at: 'conversations/archive', fake: 'loading', ready: shown('.loading') },
  { name: 'conversations-failing', at: 'conversations/archive', fake: 'failing', ready: shown('.failure') },
  {
    name: 'conversations-found',
    at: 'conversations',
    fake: 'populated',
    ready: async (page) => {
      await page.locator('.item').first().waitFor();
      await page.keyboard.press('Control+f');
      await page.getByRole('searchbox', { name: 'Search conversations' }).fill('bank');
      await page.getByText('Found').waitFor();
    },
  },
  ...states('notes', '.item', 'No notes yet'),
  { name: 'notes-open', at: 'notes/n-raj', fake: 'populated', ready: shown('.md ul') },
  {
    name: 'notes-writing',
    at: 'notes/n-raj',
    fake: 'populated',
    ready: async (page) => {
      await page.getByRole('button', { name: 'Edit the text' }).click();
      await page.getByLabel('Text').waitFor();
    },
  },
  ...states('mail', '.mrow', 'No mail here yet'),
  { name: 'mail-open', at: 'mail/mail-kelm', fake: 'populated', ready: shown('.msg.open .body') },
  { name: 'mail-designed', at: 'mail/mail-deals', fake: 'populated', ready: shown('.msg.open iframe') },
  { name: 'mail-sort', at: 'mail/sort', fake: 'populated', ready: shown('.decide') },
  {
    name: 'mail-reply',
    at: 'mail/mail-kelm',
    fake: 'populated',
    ready: async (page) => {
      await page.getByRole('button', { name: /^Reply/ }).click();
      await page.getByLabel('Text', { exact: true }).fill('Thank you, this is what we hoped for.');
    },
  },
  { name: 'mail-new', at: 'mail/to:raj.patel@northwind.example', fake: 'populated', ready: shown('.detail .form') },
  ...states('contacts', '.item', 'Nobody here yet'),
  { name: 'contacts-open', at: 'contacts/c-raj', fake: 'populated', ready: text('1:1 this week') },
  { name: 'contacts-new', at: 'contacts/new', fake: 'populated', ready: shown('.detail .form') },
  ...states('research', '.item', 'it looks in many places'),
  { name: 'research-new', at: 'research/new', fake: 'populated', ready: shown('.start textarea') },
  {
    name: 'research-asks',
    at: 'research/r-ask',
    fake: 'populated',
    ready: shown('button.choice'),
  },
  { name: 'research-running', at: 'research/r-pump', fake: 'populated', ready: shown('.lane') },
  { name: 'research-stopped', at: 'research/r-stopped', fake: 'populated', ready: shown('.lane') },
  { name: 'research-paused', at: 'research/r-failed', fake: 'populated', ready: text('did not accept the key') },
  {
    name: 'research-report',
    at: 'research/r-done',
    fake: 'populated',
    ready: async (page) => {
      await page.locator('[data-pin]').first().click();
      await page.locator('.quote').waitFor();
    },
  },
  {
    name: 'research-page',
    at: 'research/r-done',
    fake: 'populated',
    ready: async (page) => {
      await page.locator('[data-pin]').first().click();
      await page.locator('.quote').getByRole('button', { name: 'Read it as it was' }).click();
      await page.locator('dialog mark').first().waitFor();
    },
  },
  {
    name: 'research-compare',
    at: 'research/r-done',
    fake: 'populated',
    ready: async (page) => {
      await page.getByRole('button', { name: 'More about this research' }).click();
      await page.getByRole('menuitem', { name: 'Compare with another' }).click();
      await page.getByRole('dialog').getByText('Said otherwise').waitFor();
    },
  },
  {
    name: 'research-history',
    at: 'research/r-done',
    fake: 'populated',
    ready: async (page) => {
      await page.getByRole('button', { name: 'What changed' }).click();
      await page.getByRole('dialog').getByText('heat pump running cost cold climate').waitFor();
    },
  },
  {
    name: 'research-print',
    at: 'research/r-done',
    fake: 'populated',
    ready: async (page) => {
      await page.getByRole('button', { name: 'More about this research' }).click();
      await page.getByRole('menuitem', { name: 'Print or save as PDF' }).click();
      await page.frameLocator('iframe').getByText('Likely yes').waitFor();
    },
  },
  {
    name: 'settings-research',
    at: 'settings/research',
    fake: 'populated',
    ready: async (page) => {
      await page.getByLabel('Search engine', { exact: true }).selectOption('brave');
      await page.getByLabel('Key for Brave').waitFor();
    },
  },
  ...states('memory', '.item', 'Nothing remembered yet'),
  { name: 'memory-open', at: 'memory/m-raj', fake: 'populated', ready: shown('.qt') },
  { name: 'memory-aside', at: 'memory/m-kelm', fake: 'populated', ready: text('It is not used until you keep it') },
  { name: 'memory-resting', at: 'memory/m-seat', fake: 'populated', ready: text('This is kept and not used') },
  { name: 'memory-new', at: 'memory/new', fake: 'populated', ready: shown('.form') },
  ...states('activity', '.item', 'Nothing was done yet'),
  { name: 'activity-open', at: 'activity/r-train', fake: 'populated', ready: shown('.cmp') },
  { name: 'activity-changed', at: 'activity/r-moved', fake: 'populated', ready: text('It could be undone, but') },
  { name: 'activity-unknown', at: 'activity/r-invoice', fake: 'populated', ready: text('Not known whether') },
];

SURFACES.push(
  { name: 'settings-populated', at: 'settings/you', fake: 'populated', ready: shown('.set') },
  { name: 'settings-list', at: 'settings', fake: 'populated', sizes: ['narrow'], ready: shown('.list .nav') },
  { name: 'settings-time', at: 'settings/time', fake: 'populated', ready: shown('.set') },
  { name: 'settings-files', at: 'settings/files', fake: 'populated', ready: shown('.folders') },
  { name: 'settings-appearance', at: 'settings/appearance', fake: 'populated', ready: shown('.set') },
  { name: 'settings-keyboard', at: 'settings/keyboard', fake: 'populated', ready: shown('.set') },
  { name: 'settings-data', at: 'settings/data', fake: 'populated', ready: shown('.set') },
  {
    name: 'settings-imported',
    at: 'settings/data',
    fake: 'populated',
    ready: async (page) => {
      await page.getByRole('button', { name: 'Choose files' }).click();
      await page.getByText('1 item was refused').click();
    },
  },
  {
    name: 'settings-erase',
    at: 'settings/data',
    fake: 'populated',
    ready: async (page) => {
      await page.getByRole('button', { name: 'Erase…' }).click();
      await page.getByRole('dialog').waitFor();
    },
  },
  {
    name: 'settings-search',
    at: 'settings',
    fake: 'populated',
    ready: async (page) => {
      await page.getByLabel('Search settings').fill('dark');
      await page.getByLabel('Theme').waitFor();
    },
  },
  { name: 'settings-health', at: 'settings/health', fake: 'populated', ready: text('In order') },
  {
    name: 'settings-understanding',
    at: 'settings/understanding',
    fake: 'populated',
    ready: async (page) => {
      await page.getByRole('button', { name: 'Run the examples' }).click();
      await page.getByText('1 example came out wrong').first().click();
      await page.getByText('Read: chat').waitFor();
    },
  },
  { name: 'settings-waiting', at: 'settings', fake: 'loading', ready: shown('.loading') },
  {
    name: 'settings-tools-none',
    at: 'settings/tools',
    fake: 'populated',
    ready: text('No server adds tools yet'),
  },
  {
    name: 'settings-tools',
    at: 'settings/tools',
    fake: 'populated',
    ready: async (page) => {
      await page.evaluate(() => window.fake.world.servers.fill());
      await page.getByText('1 tool to look at').waitFor();
      await page.locator('details:not([open]) > summary').first().click();
      await page.getByText('Runs without asking').first().waitFor();
    },
  },
  {
    name: 'settings-tools-add',
    at: 'settings/tools',
    fake: 'populated',
    ready: async (page) => {
      await page.getByRole('button', { name: 'Add a server' }).click();
      await page.getByLabel('Name', { exact: true }).fill('No Name');
      await page.getByLabel('Command', { exact: true }).fill('npx -y trains');
      await page.getByRole('button', { name: 'Try it' }).click();
      await page.getByText('This cannot name a server.').waitFor();
    },
  },
  {
    name: 'settings-tools-trial',
    at: 'settings/tools',
    fake: 'populated',
    ready: async (page) => {
      await page.getByRole('button', { name: 'Add a server' }).click();
      await page.getByLabel('Name', { exact: true }).fill('trains');
      await page.getByLabel('Command', { exact: true }).fill('npx -y trains');
      await page.getByRole('button', { name: 'Try it' }).click();
      await page.getByText('Listed 2 tools').waitFor();
    },
  },
  {
    name: 'settings-tools-sign-in',
    at: 'settings/tools',
    fake: 'populated',
    ready: async (page) => {
      await page.getByRole('button', { name: 'Add a server' }).click();
      await page.getByRole('radio', { name: 'An address' }).check();
      await page.getByLabel('Name', { exact: true }).fill('issues');
      await page.getByLabel('Address', { exact: true }).fill('https://private.example/mcp');
      await page.getByRole('button', { name: 'Try it' }).click();
      await page.getByRole('dialog').getByText('It wants you to sign in.').waitFor();
    },
  },
  {
    name: 'settings-tools-attach',
    at: 'settings/tools',
    fake: 'populated',
    ready: async (page) => {
      await page.evaluate(() => window.fake.world.servers.fill());
      await page.getByRole('button', { name: 'Attach something of trains' }).click();
      await page.getByText('plan_trip').waitFor();
    },
  },
  {
    name: 'settings-tools-broken',
    at: 'settings/tools',
    fake: 'populated',
    ready: async (page) => {
      await page.getByRole('button', { name: 'Add a server' }).click();
      await page.getByLabel('Name', { exact: true }).fill('trains');
      await page.getByLabel('Command', { exact: true }).fill('mcp-missing');
      await page.getByRole('button', { name: 'Try it' }).click();
      await page.getByRole('dialog').getByText('The command was not found on this computer.').waitFor();
    },
  },
  {
    name: 'settings-accounts-none',
    at: 'settings/accounts',
    fake: 'populated',
    ready: text('No account is connected'),
  },
  {
    name: 'settings-accounts-add',
    at: 'settings/accounts',
    fake: 'populated',
    ready: async (page) => {
      await page.getByRole('button', { name: 'Connect an account' }).click();
      await page.getByRole('radio', { name: 'Calendar by address' }).check();
      await page.getByLabel('Address of the calendar').fill('nowhere');
      await page.getByRole('button', { name: 'Connect', exact: true }).click();
      await page.getByText('This is not the address of a calendar.').waitFor();
    },
  },
  {
    name: 'settings-accounts',
    at: 'settings/accounts',
    fake: 'populated',
    ready: async (page) => {
      await page.evaluate(() => {
        const { accounts } = window.fake.world;
        const add = (label, more) => {
          const settings = { address: `https://town.example/${label.length}.ics` };
          Object.assign(accounts.add({ kind: 'ics', label, settings, secrets: {} })[0], more);
        };
        const at = '2026-01-15T09:12:00+01:00';
        add('Town hall', { read: at });
        add('School holidays of the whole region, published by the ministry', {
          problem: {
            what: 'The address leads to a web page, not to a calendar.',
            next: 'Check the address and what the account may do there.',
            at,
          },
        });
        add('Sports club', { state: 'off' });
        window.fake.world.changed('accounts');
      });
      await page.getByText('Sports club').waitFor();
    },
  },
  { name: 'settings-models', at: 'settings/models', fake: 'populated', ready: text('No model is connected') },
  {
    name: 'settings-models-new',
    at: 'settings/models',
    fake: 'populated',
    ready: async (page) => {
      await page.getByRole('button', { name: 'Connect a model' }).click();
      await page.getByLabel('Provider').selectOption('compatible');
      await page.getByLabel('Address').fill('https://lab.example/v1');
      await page.getByLabel('Model', { exact: true }).focus();
      await page.getByText('2 models').first().waitFor();
      await page.keyboard.press('ArrowDown');
      await page.getByRole('option', { name: 'qwen2.5:7b' }).waitFor();
    },
  },
  {
    name: 'settings-models-more',
    at: 'settings/models',
    fake: 'populated',
    ready: async (page) => {
      await page.getByRole('button', { name: 'Connect a model' }).click();
      await page.getByText('More: other tiers').click();
      await page.getByLabel('Name', { exact: true }).fill('a/b');
      await page.getByRole('group', { name: 'Fast' }).getByLabel('Price in').fill('free');
      await page.getByRole('button', { name: 'Add a header' }).click();
      await page.getByRole('button', { name: 'Connect', exact: true }).click();
      await page.getByText('An amount such as 2.50.').waitFor();
    },
  },
  {
    name: 'settings-models-refused',
    at: 'settings/models',
    fake: 'populated',
    ready: async (page) => {
      await page.getByRole('button', { name: 'Connect a model' }).click();
      await page.getByLabel('Provider').selectOption('compatible');
      await page.getByLabel('Address').fill('https://lab.example/v1');
      await page.getByLabel('Model', { exact: true }).fill('large');
      await page.getByText('More: other tiers').click();
      await page.getByLabel('Model for vectors').fill('tiny');
      await page.locator('form').getByText('makes vectors of all tools').waitFor();
      await page.getByRole('button', { name: 'Add a header' }).click();
      await page.getByLabel('Header', { exact: true }).fill('Host');
      await page.getByLabel('Value').fill('lab.example');
      await page.locator('form').getByText('makes vectors of all tools').waitFor();
      await page.getByRole('button', { name: 'Connect', exact: true }).click();
      await page.getByText('is not a header that you can set').waitFor();
    },
  },
  {
    name: 'settings-models-compare',
    at: 'settings/models',
    fake: 'populated',
    ready: async (page) => {
      await page.getByText('No model is connected').waitFor();
      await connectPriced(page, ['Lab', 'Try'], 5);
      await page.getByLabel('Only compare').selectOption('Try');
      await page.getByText('About $0.28 at most').waitFor();
    },
  },
  {
    name: 'settings-models-tested',
    at: 'settings/models',
    fake: 'populated',
    ready: async (page) => {
      await page.getByRole('button', { name: 'Find on this computer' }).click();
      await page.getByRole('button', { name: 'Connect: Ollama' }).click();
      await page.getByRole('button', { name: 'Connect', exact: true }).click();
      await page.getByRole('button', { name: 'Test: Ollama' }).click();
      await page.getByText('Plans are asked for as text instead').waitFor();
    },
  },
  {
    name: 'settings-models-compared',
    at: 'settings/models',
    fake: 'populated',
    ready: async (page) => {
      await page.evaluate(() => {
        const { models } = window.fake.world;
        const model = (id) => ({ standard: { ...models.model(id) } });
        const rest = { kind: 'ollama', base_url: '', embedding: null, headers: {}, proxy: '' };
        models.connect({ ...rest, name: 'Home', models: model('llama3.2:3b') }, null);
        models.connect({ ...rest, name: 'Lab', models: model('qwen2.5:7b') }, null);
        models.comparisons.agreement = [
          { candidate: 'Lab/qwen2.5:7b', stage: 'plan', of: 24, same: 21 },
          { candidate: 'Lab/qwen2.5:7b', stage: 'route', of: 61, same: 58 },
        ];
        const side = (model, gist) => ({ model, gist });
        models.comparisons.differences = [
          {
            turn: 't',
            stage: 'plan',
            live: side('Home/llama3.2:3b', { tools: ['task.create', 'email.send'], asks: false }),
            candidate: side('Lab/qwen2.5:7b', { tools: ['task.create'], asks: true }),
          },
          { turn: null, stage: 'route', live: side('Home/llama3.2:3b', 'no reply'), candidate: side('Lab', 'chat') },
        ];
        window.fake.world.changed('settings');
      });
      await page.getByText('21 of 24').waitFor();
      await page.getByText('2 differences').click();
    },
  },
  {
    name: 'settings-models-spending',
    at: 'settings/models',
    fake: 'populated',
    ready: async (page) => {
      await page.getByRole('button', { name: 'By feature' }).click();
      await page.getByText('Reading what others wrote').or(page.getByText('Answering')).first().waitFor();
      await page.getByText('Spending').scrollIntoViewIfNeeded();
    },
  },
  {
    name: 'settings-models-unspent',
    at: 'settings/models',
    fake: 'empty',
    ready: text('No model was asked in the last 31 days'),
  },
  { name: 'settings-failing', at: 'settings', fake: 'failing', ready: shown('.failure') },
  { name: 'onboarding', at: 'chat', fake: 'first-run', ready: text('Good morning, Mara.') },
  {
    name: 'onboarding-sample',
    at: 'chat',
    fake: 'first-run',
    ready: async (page) => {
      await page.getByRole('button', { name: 'Try it' }).click();
      await page.getByRole('button', { name: 'Back to Work' }).waitFor();
    },
  },
  { name: 'quick-ask-empty', at: 'quick-ask', fake: 'populated', sizes: ['quick'], ready: shown('.qa input') },
  {
    name: 'quick-ask-answer',
    at: 'quick-ask',
    fake: 'populated',
    sizes: ['quick'],
    ready: async (page) => {
      await say(page.getByLabel('Ask Adjutant'), 'What is on today?');
      await page.locator('footer .small').first().waitFor();
    },
  },
  {
    name: 'quick-ask-free',
    at: 'quick-ask',
    fake: 'populated',
    sizes: ['quick'],
    ready: async (page) => {
      await say(page.getByLabel('Ask Adjutant'), 'list free');
      await page.getByRole('img', { name: '13:30 to 16:00 free' }).waitFor();
    },
  },
  {
    name: 'quick-ask-failing',
    at: 'quick-ask',
    fake: 'failing',
    sizes: ['quick'],
    ready: async (page) => {
      await say(page.getByLabel('Ask Adjutant'), 'What is on today?');
      await page.getByText('The disk is full').waitFor();
    },
  },
);
