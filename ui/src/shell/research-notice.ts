import { host, show, type Id, type ResearchState } from '../host';
import { onResearch } from '../kit/changes';
import { router } from '../kit/router.svelte';
import { t, type Key } from '../kit/strings';
import { toasts } from '../kit/toast.svelte';

/** What it came to without the person having done it: whoever stops a research knows. */
const SAID = {
  done: 'shell.research_done',
  paused: 'shell.research_paused',
  failed: 'shell.research_failed',
} as const satisfies Partial<Record<ResearchState, Key>>;

const isEnd = (state: ResearchState): state is keyof typeof SAID => state in SAID;

/** On its own page it is seen, and said there. */
const isShown = (id: Id) => router.route.surface === 'research' && router.route.id === id;

/** Says that a research ended or cannot go on, wherever the person is by now. Returns how to stop. */
export function researchNotices(): () => void {
  return onResearch((event) => {
    if (event.event === 'research_state' && isEnd(event.state) && !isShown(event.id)) void tell(event.id, event.state);
  });
}

async function tell(id: Id, state: keyof typeof SAID): Promise<void> {
  const rows = await show(host, 'research').catch(() => []);
  const row = rows.find((one) => one.id === id);
  // Gone with everything else, or gone on meanwhile: nothing is left to say.
  if (row?.state !== state || isShown(id)) return;
  toasts.queue(t(SAID[state], { name: row.objective }), {
    label: t('shell.research_open'),
    run: () => router.go('research', id),
  });
}
