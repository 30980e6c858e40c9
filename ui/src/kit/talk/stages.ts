import { t, type PlainKey } from '../strings';
import '../strings/en/usage';

/** What a model is asked for, as people would say it; what this window does not know, as the engine calls it. */
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
