import { HostFault } from '../host';
import type { Fault } from '../wire';

/** What a page shows, chosen with `?fake=`. */
export type Scenario =
  'populated' | 'empty' | 'first-run' | 'waiting' | 'failing' | 'loading' | 'tricky' | 'one' | 'held' | 'crowded';

export interface WorldOptions {
  scenario: Scenario;
  /** Multiplies every delay; 0 answers at once. */
  pace: number;
  /** Milliseconds since the world began, as the world sees them. */
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
