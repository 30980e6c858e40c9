import { host, show, type Id, type ResearchState } from '../host';
import { onResearch } from '../kit/changes';
import { router } from '../kit/router.svelte';
import { t, type Key } from '../kit/strings';
import { toasts } from '../kit/toast.svelte';

/** The states worth reporting: the person did not cause them. Whoever stops a research knows it. */
const SAID = {
  done: 'shell.research_done',
  paused: 'shell.research_paused',
  failed: 'shell.research_failed',
} as const satisfies Partial<Record<ResearchState, Key>>;

const isEnd = (state: ResearchState): state is keyof typeof SAID => state in SAID;

/** Whether its own page is open, which already shows the state. */
const isShown = (id: Id) => router.route.surface === 'research' && router.route.id === id;

/** Tells the person on any surface that a research ended or cannot go on. Returns a function that stops this. */
export function researchNotices(): () => void {
  return onResearch((event) => {
    if (event.event === 'research_state' && isEnd(event.state) && !isShown(event.id)) void tell(event.id, event.state);
  });
}

async function tell(id: Id, state: keyof typeof SAID): Promise<void> {
  const rows = await show(host, 'research').catch(() => []);
  const row = rows.find((one) => one.id === id);
  // If it was erased or has gone on in the meantime, say nothing.
  if (row?.state !== state || isShown(id)) return;
  toasts.queue(t(SAID[state], { name: row.objective }), {
    label: t('shell.research_open'),
    run: () => router.go('research', id),
  });
}
