import { show, type Host, type SourceTarget } from '../host';
import { router } from './router.svelte';

/** Kinds of records that have their own surface. */
const SURFACES: Record<string, string> = {
  task: 'tasks',
  event: 'today',
  note: 'notes',
  memory: 'memory',
  outbox: 'approvals',
  mail: 'mail',
  contact: 'contacts',
  research: 'research',
};

/** A source that can be read in place, beside the value that came from it. */
export type Peek =
  | { kind: 'mail'; title: string; lines: [label: 'from' | 'to' | 'cc', text: string][]; at: string; text: string }
  | { kind: 'contact'; title: string; emails: string[]; phones: string[]; organisation: string };

/** The address of a source in the window; null for an unknown kind. */
export function hrefOf(target: SourceTarget, conversation: string): string | null {
  const surface = SURFACES[target.kind];
  if (surface !== undefined) return router.href(surface, target.id);
  if (target.kind === 'message' || target.kind === 'step') return router.href('chat', conversation);
  return null;
}

/** Whether to show a source over its card, with the words highlighted. */
export function readHere(target: SourceTarget): boolean {
  return target.kind === 'mail' || target.kind === 'contact';
}

/** Loads a mail or a contact as stored; null if it is gone. */
export async function peek(host: Host, target: SourceTarget): Promise<Peek | null> {
  if (target.kind === 'mail') {
    const [mail] = await show(host, 'mail', { id: target.id });
    if (!mail) return null;
    const from = mail.from_name ? `${mail.from_name} <${mail.from}>` : mail.from;
    return {
      kind: 'mail',
      title: mail.subject,
      lines: [
        ['from', from],
        ['to', mail.to.join(', ')],
        ...(mail.cc.length > 0 ? [['cc', mail.cc.join(', ')] as ['cc', string]] : []),
      ],
      at: mail.date,
      text: mail.text ?? '',
    };
  }
  if (target.kind === 'contact') {
    const [who] = await show(host, 'contacts', { id: target.id });
    if (!who) return null;
    return { kind: 'contact', title: who.name, emails: who.emails, phones: who.phones, organisation: who.organisation };
  }
  return null;
}

/** Splits a text at each match of the words, ignoring case: every second piece is a match. */
export function marked(text: string, words: string | null | undefined): string[] {
  if (!words) return [text];
  const pieces: string[] = [];
  const all = text.toLowerCase();
  const wanted = words.toLowerCase();
  // Letters that change length in lower case would shift the offsets: highlight nothing.
  if (all.length !== text.length || wanted.length !== words.length) return [text];
  let from = 0;
  for (let at = all.indexOf(wanted); at >= 0; at = all.indexOf(wanted, from)) {
    pieces.push(text.slice(from, at), text.slice(at, at + words.length));
    from = at + words.length;
  }
  return [...pieces, text.slice(from)];
}
