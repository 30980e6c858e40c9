import { host, type MailPage } from '../../host';

/** The setting with the senders whose images are shown at once. */
const KEY = 'mail.images_from';
/** What can stand in a list of addresses with commas between. */
const PLAIN = /^[^\s,"<>]+@[^\s,"<>]+$/;

/** What a page leaves out, for the line above it. */
export interface Left {
  /** Pictures that would be seen. */
  images: number;
  /** Pixels that only tell the sender that the mail was read; they are never fetched. */
  trackers: number;
  /** The computers the pictures lie on. */
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

/** Whether a sender can be chosen for good: the address is one, and can be written in the setting. */
export const canBeKept = (sender: string): boolean => PLAIN.test(sender);

/** Shows the images of a sender at once from now on. */
export async function alwaysFrom(sender: string): Promise<void> {
  const { settings } = await host.call('config_get', { key: KEY });
  const before = (settings[0]?.value ?? '')
    .split(',')
    .map((one) => one.trim())
    .filter(Boolean);
  if (before.some((one) => one.toLowerCase() === sender.toLowerCase())) return;
  await host.call('config_set', { key: KEY, value: [...before, sender].join(', ') });
}
