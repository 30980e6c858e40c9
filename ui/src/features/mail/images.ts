import { host, type MailPage } from '../../host';

/** The setting that lists the senders whose images load at once. */
const KEY = 'mail.images_from';
/** An address that can stand in a comma-separated list. */
const PLAIN = /^[^\s,"<>]+@[^\s,"<>]+$/;

/** What a page leaves out, for the note above it. */
export interface Left {
  /** Images that would be visible. */
  images: number;
  /** Tracking pixels, which only tell the sender that the mail was read; they are never fetched. */
  trackers: number;
  /** The hosts of the images. */
  hosts: string[];
}

export function leftOut(page: MailPage): Left {
  const images = page.images.filter((one) => !one.tracker && one.data === null);
  return {
    images: images.length,
    trackers: page.images.filter((one) => one.tracker).length,
    hosts: [...new Set(images.map((one) => one.host))],
  };
}

/** Whether images of this sender can always load: the setting can hold only a plain address. */
export const canBeKept = (sender: string): boolean => PLAIN.test(sender);

/** From now on, images of this sender load at once. */
export async function alwaysFrom(sender: string): Promise<void> {
  const { settings } = await host.call('config_get', { key: KEY });
  const before = (settings[0]?.value ?? '')
    .split(',')
    .map((one) => one.trim())
    .filter(Boolean);
  if (before.some((one) => one.toLowerCase() === sender.toLowerCase())) return;
  await host.call('config_set', { key: KEY, value: [...before, sender].join(', ') });
}
