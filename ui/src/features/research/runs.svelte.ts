import { untrack } from 'svelte';
import { faultOf, host, type Id, type Research, type ResearchAct, type ResearchAnswer } from '../../host';
import { announce } from '../../kit/announce.svelte';
import { onResearch } from '../../kit/changes';
import type { Query } from '../../kit/query.svelte';
import { t } from '../../kit/strings';
import '../../kit/strings/en/research';
import { toasts } from '../../kit/toast.svelte';

type Kind = ResearchAnswer['answer'];
type Answered<A extends Kind> = Extract<ResearchAnswer, { answer: A }>;

/** Sends a research request; throws when the answer is of another kind. */
export async function asked<A extends Kind>(answer: A, act: ResearchAct): Promise<Answered<A>> {
  const { found } = await host.call('research', { act });
  if (found.answer !== answer) throw new Error(`Asked for ${answer}, answered with ${found.answer}.`);
  return found as Answered<A>;
}

/** The run that a request returns; null when it was refused, which a toast explains. */
export async function runAfter(act: ResearchAct): Promise<Research | null> {
  try {
    return (await asked('run', act)).run;
  } catch (thrown) {
    const fault = faultOf(thrown);
    toasts.show(`${fault.message} ${fault.hint}`.trim());
    return null;
  }
}

/** The pause before a reload, because a run can change many times a second. */
const READ_AGAIN_MS = 300;

/** For a component: reloads the run when it changes, and announces each round and the end. */
export function follow(id: () => Id | null, run: Query<Research | null>): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const again = () => {
    timer ??= setTimeout(() => {
      timer = undefined;
      void run.reload();
    }, READ_AGAIN_MS);
  };
  $effect(() => {
    const off = onResearch((event) => {
      if (event.id === untrack(id)) again();
    });
    return () => {
      off();
      clearTimeout(timer);
      timer = undefined;
    };
  });
  let before: Research | null = null;
  $effect(() => {
    const now = run.data ?? null;
    if (now && before && before.row.id === now.row.id) untrack(() => speak(before as Research, now));
    before = now;
  });
}

function speak({ row: before }: Research, { row }: Research): void {
  if (row.state !== before.state) {
    announce.say(
      row.state === 'done'
        ? t('research.spoken_done')
        : t('research.spoken_state', { state: t(`research.state_${row.state}`) }),
    );
  } else if (row.round !== before.round) {
    announce.status(
      t('research.spoken_round', {
        round: row.round,
        pages: t('research.counts_pages', { n: row.pages }),
        open: t('research.spoken_open', { n: row.questions - row.answered }),
      }),
    );
  }
}
