import { HostFault } from '../host';
import type { Id, PlanChange } from '../wire';
import { line } from './journal';
import { digest } from './rows';
import { fault } from './scenario';
import type { World } from './world';

/** States of a step that can no longer change. */
const LOCKED = new Set(['done', 'running', 'failed', 'cancelled', 'left_out']);

/** Leaves out or moves a step of a waiting plan; waiting actions of the plan get a new card. */
export function editPlan(world: World, turn: Id, change: PlanChange): { conversation: Id; turn: Id } {
  const found = world.turnOf(turn);
  const plan = found?.said.findLast((event) => event.event === 'plan');
  const rest = found?.said.findLast((event) => event.event === 'waiting');
  if (!found || plan?.event !== 'plan' || rest?.event !== 'waiting') {
    throw new HostFault(fault('not_found', 'This plan is no longer waiting; nothing was changed.', ''));
  }
  const states = new Map(rest.results.map((one) => [one.step, one]));
  const stateOf = (key: string) => states.get(key)?.status ?? 'next';
  const moved = plan.steps.find((step) => step.key === change.step);
  if (!moved || LOCKED.has(stateOf(change.step))) {
    throw new HostFault(fault('over', 'This step is over already; nothing was changed.', ''));
  }
  let steps = plan.steps;
  if (change.change === 'move') {
    steps = steps.filter((step) => step !== moved);
    const at = steps.findIndex((step) => step.key === change.before);
    steps.splice(at < 0 ? steps.length : at, 0, moved);
  } else {
    const say = states.get(change.step)?.say ?? '';
    states.set(change.step, line(change.step, moved.tool, say, 'cancelled'));
    const needs = steps.find((step) => step.why === `after ${change.step}` && stateOf(step.key) === 'next');
    if (needs) throw new HostFault(fault('needed', `“${needs.say}” needs this step; nothing was changed.`, ''));
  }
  const { conversation } = found;
  world.say(conversation, turn, { ...plan, steps: steps.map((step) => ({ ...step, status: stateOf(step.key) })) });
  const fresh = rest.approvals.flatMap((id) => {
    const old = world.approval(id);
    if (stateOf(old.step) === 'cancelled') {
      world.put({ ...old, state: 'cancelled' });
      return [];
    }
    const next = { ...old, id: world.fresh('a'), digest: digest() };
    world.put({ ...old, state: 'superseded', superseded_by: next.id });
    world.ask(next);
    return [next.id];
  });
  const results = steps.map((step) => states.get(step.key) ?? line(step.key, step.tool, '', 'next'));
  world.say(conversation, turn, { event: 'waiting', answer: '', approvals: fresh, questions: [], results });
  return { conversation, turn };
}
