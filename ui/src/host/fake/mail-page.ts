import { HostFault } from '../host';
import type { Id, MailInvitation, MailLeaving, MailPage } from '../wire';
import { fault } from './scenario';
import { ZONE } from './rows';
import type { World } from './world';

/** Stands for a picture of a train; one pixel is enough for a test. */
const PICTURE =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkaGBgAAACBwEB0Eg4XQAAAABJRU5ErkJggg==';

/** HTML mails by id, as the engine sanitises them. */
const PAGES: Record<Id, string> = {
  'mail-deals': `<table width="560" align="center" cellpadding="0" cellspacing="0" bgcolor="#ffffff"><tbody>
<tr><td data-style="padding: 16px; background-color: #0b4f6c; color: #ffffff; font-size: 20px">Rail Deals Weekly</td></tr>
<tr><td><img data-image="0" alt="A night train at the coast" width="560" height="180"></td></tr>
<tr><td data-style="padding: 16px; color: #222222"><p>New fares on <b>12 routes</b>, and a longer sale on the night train. Book by Sunday.</p>
<p data-style="text-align: center"><a href="https://raildeals.example/london" data-style="background-color: #b23a1e; color: #ffffff; padding: 8px 16px">London from €39</a></p>
<p data-style="font-size: 12px; color: #666666">You get this because you asked for it. <a href="https://raildeals.example/unsubscribe">Unsubscribe</a></p></td></tr>
</tbody></table><img data-image="1" width="1" height="1">`,
  'mail-policy': `<p>Dear Mara,</p><p>three documents are <b>ready for you</b>. Nothing changes in your cover:</p>
<ul><li>Household, 1 January to 31 December</li><li>Liability, as before</li></ul><p>Read them in <a href="https://portal.quillmark.example/documents">your portal</a>.</p>`,
};

export function pageOf(world: World, id: Id, images: boolean | undefined, own: Record<Id, string>): MailPage | null {
  const mail = world.tables.mail.find((one) => one.id === id);
  if (!mail) throw new HostFault(fault('not_found', `“${id}” was not found.`, ''));
  const html = own[id] ?? PAGES[id];
  if (html === undefined) return null;
  const chosen = world.settings.find((one) => one.key === 'mail.images_from')?.value.split(', ') ?? [];
  const loaded = images ?? chosen.includes(mail.from);
  const has = html.includes('data-image');
  return {
    html,
    coloured: has,
    images: has
      ? [
          { host: 'img.raildeals.example', tracker: false, data: loaded ? PICTURE : null },
          { host: 't.raildeals.example', tracker: true, data: null },
        ]
      : [],
  };
}

/** How to leave the mailing list, from the header of the mail. */
export const leavingOf = (id: Id): MailLeaving | null =>
  id === 'mail-deals' ? { by: 'request', target: 'raildeals.example' } : null;

/** What mails carry for the calendar. */
export const INVITATIONS: Record<Id, MailInvitation> = {
  'mail-raj': {
    ...{ kind: 'request', standing: 'new', more: 0, answer: null, answered: null, genuine: true },
    ...{ can_answer: true, can_enter: true, overlaps: [] },
    event: {
      ...{ id: '', uid: 'one-to-one@northwind.example', summary: '1:1', location: 'Room 2', description: '' },
      ...{ start: '2026-01-15T11:00:00-05:00', end: '2026-01-15T11:30:00-05:00', tz: ZONE, all_day: false },
      ...{ attendees: ['mara@northwind.example'], calendar: 'Personal', instance: null, rrule: null, repeats: null },
      guests: [{ name: '', email: 'mara@northwind.example', status: 'needs-action' }],
      organizer: { name: 'Raj Patel', email: 'raj.patel@northwind.example', status: '' },
    },
  },
};
