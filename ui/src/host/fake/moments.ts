/** The instant at which the fake world starts, in `ZONE`: the day of the mock-ups. */
export const START = '2026-01-13T09:24:00-05:00';
export const ZONE = 'America/New_York';
const OFFSET_MS = -5 * 3_600_000;

/** An instant as the engine writes it: in the person's zone, to the second. */
export const instant = (ms: number): string => new Date(ms + OFFSET_MS).toISOString().replace(/\.\d+Z$/, '-05:00');

let digests = 0;
/** Returns a new digest on every call. */
export function digest(): string {
  digests += 1;
  return digests.toString(16).padStart(64, '9f2c41ab07de55e1c0ffee00');
}
