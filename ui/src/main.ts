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

/** How long the frame in the page is waited for: some web views draw none for a while. */
const FRAME_WAIT_MS = 50;

/** Ends when the frame that stands in the page is drawn, which putting the window together would hold up. */
function drawn(): Promise<void> {
  // A window that is not shown draws nothing.
  if (document.hidden) return Promise.resolve();
  return new Promise((resolve) => {
    setTimeout(resolve, FRAME_WAIT_MS);
    requestAnimationFrame(() => setTimeout(resolve));
  });
}

const target = document.getElementById('app');
if (target) void drawn().then(() => start(target));
