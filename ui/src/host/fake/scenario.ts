import { HostFault } from '../host';
import type { Fault, Op } from '../wire';

/** The content of the window, chosen with `?fake=`. */
export type Scenario =
  | 'populated'
  | 'empty'
  | 'first-run'
  | 'waiting'
  | 'failing'
  | 'loading'
  | 'tricky'
  | 'one'
  | 'held'
  | 'crowded'
  | 'flood'
  | 'huge'
  | 'read-only'
  | 'opened-read-only';

export interface WorldOptions {
  scenario: Scenario;
  /** Multiplies every delay; 0 answers at once. */
  pace: number;
  /** Milliseconds since the world began. */
  elapsed: () => number;
}

export const fault = (code: string, message: string, hint: string): Fault => ({ code, message, hint });
export const broken = () =>
  new HostFault(
    fault(
      'store_closed',
      'The data of this profile could not be read.',
      'Check that the disk is not full, then try again. Nothing was changed.',
    ),
  );

/** The fault the engine gives when the profile cannot be written. */
export const UNWRITABLE = fault(
  'read_only',
  'The profile cannot be written.',
  'Make the profile’s folder writable and start Adjutant again.',
);
export const unwritable = () => new HostFault(UNWRITABLE);
/** Whether the profile cannot be written: since recently, or since it was opened. */
export const isReadOnly = (scenario: Scenario) => scenario.endsWith('read-only');
/** Requests that change something. */
export const WRITES: ReadonlySet<Op> = new Set<Op>([
  ...([
    'ask',
    'retry',
    'answer',
    'approve',
    'reject',
    'edit',
    'edit_plan',
    'ask_again',
    'undo',
    'apply',
    'outbox',
    'use_memory',
  ] as const),
  ...(['rename_conversation', 'pin_conversation', 'archive_conversation', 'delete_conversation'] as const),
  ...(['restore_conversation', 'import', 'erase', 'config_set', 'connect_model'] as const),
]);
