import type { Replies } from '../../wire';
import type { World } from '../world';
import { STOPPED } from '../models';
import { ok, type Answers } from './answers';
import { scoreboard } from '../scoreboard';
import { usage } from '../costs';

const nothing: Awaited<Replies['estimate_routes']> = {
  reply: 'estimated',
  estimate: { requests: [], at_most_micros: 0, at_most: '0.00', currency: 'USD', over_call_limit: false },
};

/** The usage of models until now. */
const asked = (world: World) => (world.options.scenario === 'empty' ? [] : usage);
const backgroundLimit = (world: World) =>
  Number(world.settings.find((one) => one.key === 'models.spend.background_day')?.value ?? 0);

/** Answers about models and their cost. */
export const models = {
  explain: (world, { text }) => {
    const estimate = world.models.estimate(text);
    return {
      reply: 'explained',
      reading: {
        type: 'chat',
        domains: [],
        confidence: 1,
        reading: 'not_understood',
        request: '',
        steps: [],
        lines: [],
        ...(estimate ? { estimate } : {}),
      },
    };
  },
  estimate_routes: () => nothing,
  estimate_comparison: (world, { name }) => ({
    reply: 'estimated',
    estimate: world.models.comparison(name, asked(world), backgroundLimit(world)),
  }),
  estimate_vectors: (world, { connection }) => ({
    reply: 'estimated',
    estimate: world.models.vectors(connection, backgroundLimit(world)),
  }),
  route_by_model: () => ({
    reply: 'routed_by_model',
    routed: { type: 'chat', domains: [], is_followup: false, confidence: 1, by: '', cost_micros: 0 },
  }),
  scoreboard: () => ({ reply: 'scoreboard', scoreboard }),
  timings: () => ({ reply: 'timings', stages: scoreboard.stages }),
  models: async (world) => {
    await world.show('outbox', null, null);
    return { reply: 'models', models: world.models.view() };
  },
  find_models: (world) => ({ reply: 'found_models', servers: world.models.find() }),
  list_models: (world, { connection }) => ({ reply: 'model_list', models: world.models.list(connection) }),
  connect_model: (world, { connection, key }) => ({
    reply: 'models',
    models: world.models.connect(connection, key),
  }),
  model_files: (world) => ({ reply: 'model_files', files: world.models.files() }),
  offer_model_file: async (world, { what, sha256 }) => {
    await world.pause(200);
    return { reply: 'model_offer', offer: world.models.offer(what, sha256) };
  },
  fetch_model_file: async (world, { what }) => {
    const path = await world.models.fetch(what, async (done, total) => {
      world.tell({ event: 'progress', what: `${what}.gguf`, done, total });
      await world.pause(400);
    });
    const { bytes } = world.models.offer(what, null);
    world.tell({ event: 'progress', what: `${what}.gguf`, done: bytes, total: bytes, ended: {} });
    return { reply: 'model_file', file: { path, checked: true } };
  },
  stop_model_file: (world) => {
    const now = world.models.fetching;
    world.models.fetching = null;
    if (now) {
      const { file, done, total } = now;
      world.tell({ event: 'progress', what: file, done, total, ended: { fault: STOPPED } });
    }
    return ok;
  },
  disconnect_model: (world, { name }) => ({ reply: 'models', models: world.models.disconnect(name) }),
  prefer_model: (world, { name }) => ({ reply: 'models', models: world.models.prefer(name) }),
  comparisons: (world) => ({ reply: 'comparisons', comparisons: world.models.comparisons }),
  test_model: (world, { name, tier }) => ({ reply: 'model_test', test: world.models.test(name, tier) }),
} satisfies Answers<
  | 'explain'
  | 'estimate_routes'
  | 'estimate_comparison'
  | 'estimate_vectors'
  | 'route_by_model'
  | 'scoreboard'
  | 'timings'
  | 'models'
  | 'find_models'
  | 'list_models'
  | 'connect_model'
  | 'model_files'
  | 'offer_model_file'
  | 'fetch_model_file'
  | 'stop_model_file'
  | 'disconnect_model'
  | 'prefer_model'
  | 'comparisons'
  | 'test_model'
>;
