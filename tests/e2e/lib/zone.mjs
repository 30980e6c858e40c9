// The time zone of a test's machine: one where it is morning now. Whenever the tests run, "tomorrow" means the same day
// to them and to the app, and midnight is far away.

const HOUR_MS = 60 * 60 * 1000;
const MORNING = 10;

/** Returns `{ name, hours }`: an IANA zone without daylight saving, and its hours ahead of UTC. */
export function morning(now = new Date()) {
  const ahead = MORNING - now.getUTCHours();
  const hours = ahead < -12 ? ahead + 24 : ahead;
  // POSIX counts hours west of Greenwich: `Etc/GMT-3` is three hours ahead.
  return { name: hours === 0 ? 'Etc/UTC' : `Etc/GMT${hours > 0 ? '-' : '+'}${Math.abs(hours)}`, hours };
}

/** Returns a time such as `20260112T140000Z`: `hour` o'clock in the zone, this many days after its today. */
export function stamp({ hours }, days, hour, now = new Date()) {
  const local = new Date(now.getTime() + hours * HOUR_MS);
  const at = Date.UTC(local.getUTCFullYear(), local.getUTCMonth(), local.getUTCDate() + days, hour - hours);
  return new Date(at).toISOString().replace(/[-:]|\.\d+/g, '');
}
