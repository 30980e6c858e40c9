import { t, type PlainKey } from '../../kit/strings';
import '../../kit/strings/en/understanding';

const SUITES: Record<string, { name: PlainKey; help: PlainKey }> = {
  route: { name: 'score.route', help: 'score.route_help' },
  when: { name: 'score.when', help: 'score.when_help' },
  confirm: { name: 'score.confirm', help: 'score.confirm_help' },
  requests: { name: 'score.requests', help: 'score.requests_help' },
};

const STAGES: Record<string, PlainKey> = {
  route: 'score.stage_route',
  resume: 'score.stage_resume',
  plan: 'score.stage_plan',
  observe: 'score.stage_observe',
  run: 'score.stage_run',
  commit: 'score.stage_commit',
  close: 'score.stage_close',
  turn: 'score.stage_turn',
};

/** The name and measure of a suite; null for one this window does not know. */
export const suiteKey = (suite: string) => SUITES[suite] ?? null;

/** The name of a stage; null for one this window does not know. */
export const stageKey = (stage: string) => STAGES[stage] ?? null;

/** Microseconds in readable form: `75 µs`, `9.4 ms`, `1.2 s`. */
export function duration(micros: number): string {
  if (micros < 1_000) return t('score.micros', { n: micros });
  const short = (value: number) => (value < 10 ? value.toFixed(1) : Math.round(value));
  return micros < 1_000_000
    ? t('time.ms', { n: short(micros / 1_000) })
    : t('time.seconds', { n: short(micros / 1_000_000) });
}

/** A share as a percentage; anything short of all never rounds up to 100 %. */
export function percent(share: number): string {
  const rounded = Math.round(share * 1_000) / 10;
  return t('score.percent', { n: rounded === 100 && share < 1 ? 99.9 : rounded });
}
