import { mount } from 'svelte';
import App from './shell/App.svelte';

/** Windows with their own address (`index.html#/quick-ask`); only the main window is in the start bundle. */
const windows: Record<string, () => Promise<{ default: typeof App }>> = {
  'quick-ask': () => import('./features/quick-ask/QuickAsk.svelte'),
};

async function start(target: HTMLElement): Promise<void> {
  const load = windows[/^#\/([\w-]+)/.exec(location.hash)?.[1] ?? ''];
  const Window = load ? (await load()).default : App;
  // Remove the static frame of the first paint.
  target.replaceChildren();
  mount(Window, { target });
}

/** The maximum wait for the first frame: some web views draw none for a while. */
const FRAME_WAIT_MS = 50;

/** Resolves once the static frame is drawn, because mounting the window would delay it. */
function drawn(): Promise<void> {
  // A hidden window draws nothing.
  if (document.hidden) return Promise.resolve();
  return new Promise((resolve) => {
    setTimeout(resolve, FRAME_WAIT_MS);
    requestAnimationFrame(() => setTimeout(resolve));
  });
}

const target = document.getElementById('app');
if (target) void drawn().then(() => start(target));
