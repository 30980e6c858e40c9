import { t, type PlainKey } from '../strings';
import '../strings/en/usage';

/** Describes a stage in plain words; an unknown stage appears under the engine's name. */
export function stageText(stage: string): string {
  const key = STAGES[stage];
  return key ? t(key) : stage;
}

const STAGES: Record<string, PlainKey> = {
  route: 'stage.route',
  plan: 'stage.plan',
  resume: 'stage.resume',
  extract: 'stage.extract',
  respond: 'stage.respond',
  critique: 'stage.critique',
  refine: 'stage.refine',
  tone: 'stage.tone',
  summarise: 'stage.summarise',
  embed: 'stage.embed',
  probe: 'stage.probe',
};
