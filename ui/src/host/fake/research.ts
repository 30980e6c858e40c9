import { HostFault } from '../host';
import type { Id, Research, ResearchAct, ResearchAnswer, ResearchAsks, ResearchState } from '../wire';
import { pages, versions } from './research-rows';
import { fault } from './scenario';
import type { World } from './world';

const WHY: ResearchAsks = {
  missing: 'why',
  text: 'What is it for?',
  choices: ['To decide something', 'To learn about it'],
};
const SUCCESS: ResearchAsks = {
  missing: 'success',
  text: 'What would a good answer hold?',
  choices: ['Numbers with their sources', 'A short yes or no', 'A comparison'],
};
const CONFIRM: ResearchAsks = { missing: 'confirm', text: 'Shall it begin?', choices: ['Yes, begin'] };

const missing = (why: string, success: string[]) => (why === '' ? WHY : success.length === 0 ? SUCCESS : CONFIRM);

/** Answers a research request, by the engine's rules. */
export function act(world: World, asked: ResearchAct): ResearchAnswer {
  switch (asked.act) {
    case 'start':
      return run(start(world, asked));
    case 'answer':
      return run(answer(world, asked.id, asked.text));
    case 'show':
    case 'follow':
      return run(found(world, asked.id));
    case 'stop':
      return run(turn(world, asked.id, 'stopped'));
    case 'resume':
      return run(turn(world, asked.id, 'running'));
    case 'write_now':
      return run(turn(world, asked.id, 'done'));
    case 'repeat':
      return run(repeat(world, asked.id, asked.weekly));
    case 'export':
      return file(found(world, asked.id), asked.format);
    case 'compare':
      return compare(found(world, asked.before), found(world, asked.after));
    case 'page': {
      const page = pages.find((one) => one.sha256 === asked.sha256);
      if (!page) throw gone(asked.sha256);
      return { answer: 'page', page };
    }
    case 'check_page':
      return { answer: 'checked', check: { at: world.iso(), is_same: false, gone: [] } };
    case 'changes':
      return { answer: 'changes', versions: found(world, asked.id).version > 1 ? versions : [] };
  }
}

const run = (one: Research): ResearchAnswer => ({ answer: 'run', run: one });
const gone = (id: string) => new HostFault(fault('not_found', `There is no research “${id}”.`, 'Look at the list.'));

function found(world: World, id: Id): Research {
  const one = world.research.find((one) => one.row.id === id);
  if (!one) throw gone(id);
  return one;
}

function change(world: World, id: Id, how: (one: Research) => Research): Research {
  const next = how(found(world, id));
  world.research = world.research.map((one) => (one.row.id === id ? next : one));
  world.changed('research');
  return next;
}

function start(world: World, asked: Extract<ResearchAct, { act: 'start' }>): Research {
  const at = world.iso();
  const before = asked.deeper ? found(world, asked.deeper.id) : null;
  const claim = before?.report?.claims.find((one) => one.number === asked.deeper?.claim);
  const objective = asked.objective || `What is known in depth about this: ${claim?.text ?? ''}`;
  const why = asked.why || (before?.why ?? '');
  const success = asked.success?.length ? asked.success : (before?.success ?? []);
  const asks = missing(why, success);
  const whole = asks === CONFIRM;
  const one: Research = {
    row: {
      ...{ id: world.fresh('r'), objective, state: whole ? 'running' : 'asking', why: null },
      ...{ started: at, updated: at, ended: null, round: 1, questions: 0, answered: 0, searches: 0, pages: 0 },
      ...{ credits: 0, cost_micros: null, credits_max: 1000, running_ms: 0, running_ms_max: 900_000 },
      ...{ answer: null, confidence: null },
      repeats: asked.weekly ? at : null,
      previous: asked.deeper?.id ?? null,
    },
    ...{ why, success, sources: asked.sources ?? before?.sources ?? 'own', asks: whole ? null : asks },
    ...{
      strategy: null,
      lanes: [],
      decisions: [],
      rounds_max: 50,
      left_ms: null,
      version: 1,
      report: null,
      since: null,
    },
  };
  world.research = [one, ...world.research];
  world.changed('research');
  return one;
}

function answer(world: World, id: Id, text: string): Research {
  return change(world, id, (one) => {
    if (one.asks?.missing === 'confirm') {
      if (!/^yes/i.test(text)) return one;
      return { ...one, asks: null, row: { ...one.row, state: 'running' } };
    }
    const next = one.asks?.missing === 'why' ? { ...one, why: text } : { ...one, success: [...one.success, text] };
    return { ...next, asks: missing(next.why, next.success) };
  });
}

function turn(world: World, id: Id, state: ResearchState): Research {
  const one = change(world, id, (one) => ({
    ...one,
    row: { ...one.row, state, why: null, ended: state === 'done' ? world.iso() : null },
    version: one.version + 1,
    report: state === 'done' ? (world.research.find((other) => other.report)?.report ?? null) : one.report,
  }));
  world.tell({ event: 'research_state', id, state, why: null });
  return one;
}

const repeat = (world: World, id: Id, weekly: boolean) =>
  change(world, id, (one) => ({ ...one, row: { ...one.row, repeats: weekly ? '2026-01-20T09:24:00-05:00' : null } }));

function file({ row, report }: Research, format: string): ResearchAnswer {
  if (!report) throw new HostFault(fault('no_report', 'This research has no report yet.', 'Let it write one first.'));
  const text =
    format === 'html'
      ? `<!doctype html><title>${row.id}</title><style>body{font-weight:700}</style><p>${report.summary}</p>`
      : report.summary;
  return { answer: 'file', name: `research-${row.id}.${format}`, media: 'text/plain', text };
}

function compare(before: Research, after: Research): ResearchAnswer {
  const of = (one: Research) => one.report?.claims ?? [];
  const [old, now] = [of(before), of(after)];
  const has = (list: typeof old, text: string) => list.some((one) => one.text === text);
  return {
    answer: 'compared',
    new: now.filter((one) => !has(old, one.text)).slice(1),
    gone: old.filter((one) => !has(now, one.text)),
    changed: now.slice(0, 1).map((after) => ({ before: { ...after, text: after.text.replace('2.7', '2.9') }, after })),
    same: old.filter((one) => has(now, one.text)).length,
  };
}
