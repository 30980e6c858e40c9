import type { Scoreboard } from '../wire';

/** A small run, as the engine returns it. */
export const scoreboard: Scoreboard = {
  suites: [
    {
      suite: 'route',
      cases: 157,
      right: 156,
      accuracy: 0.9936,
      p50_micros: 29,
      p95_micros: 75,
      figures: [{ name: 'routed_nowhere', value: 1 }],
      misses: [
        {
          id: 'route-005',
          text: 'ping me every Sunday evening to put the bins out',
          expected: 'task',
          got: 'chat',
        },
      ],
    },
    { suite: 'when', cases: 127, right: 127, accuracy: 1, p50_micros: 8, p95_micros: 28, figures: [], misses: [] },
    {
      suite: 'confirm',
      cases: 123,
      right: 123,
      accuracy: 1,
      p50_micros: 4,
      p95_micros: 11,
      figures: [
        { name: 'recall', value: 1 },
        { name: 'false_yes', value: 0 },
      ],
      misses: [],
    },
    {
      suite: 'requests',
      cases: 69,
      right: 69,
      accuracy: 1,
      p50_micros: 9_400,
      p95_micros: 21_000,
      figures: [
        { name: 'wrong', value: 0 },
        { name: 'unasked', value: 0 },
      ],
      misses: [],
    },
  ],
  reliability: [
    { from: 0.5, to: 0.6, cases: 18, confidence: 0.559, right: 0.611 },
    { from: 0.8, to: 0.9, cases: 42, confidence: 0.857, right: 0.881 },
    { from: 0.9, to: 1, cases: 97, confidence: 0.961, right: 0.979 },
  ],
  calibration_error: 0.031,
  stages: [
    { stage: 'plan', count: 214, p50_micros: 410, p95_micros: 900, max_micros: 2_100 },
    { stage: 'turn', count: 214, p50_micros: 9_200, p95_micros: 18_400, max_micros: 41_000 },
  ],
  ms: 940,
};
