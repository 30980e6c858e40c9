import { mount } from 'svelte';
import App from './shell/App.svelte';

/** Windows that open at a place of their own (`index.html#/quick-ask`); only the main window is in the start bundle. */
const windows: Record<string, () => Promise<{ default: typeof App }>> = {
  'quick-ask': () => import('./features/quick-ask/QuickAsk.svelte'),
};

async function start(target: HTMLElement): Promise<void> {
  const load = windows[/^#\/([\w-]+)/.exec(location.hash)?.[1] ?? ''];
  const Window = load ? (await load()).default : App;
  // The frame that stood here for the first paint.
  target.replaceChildren();
  mount(Window, { target });
}

const target = document.getElementById('app');
if (target) void start(target);
