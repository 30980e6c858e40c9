import { show, type Host, type SourceTarget } from '../host';
import { router } from './router.svelte';

/** Kinds with a surface of their own. */
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

/** What can be read where one is, beside what it is the source of. */
export type Peek =
  | { kind: 'mail'; title: string; lines: [label: 'from' | 'to' | 'cc', text: string][]; at: string; text: string }
  | { kind: 'contact'; title: string; emails: string[]; phones: string[]; organisation: string };

/** The address of what has a place in the window; null for what this window does not know. */
export function hrefOf(target: SourceTarget, conversation: string): string | null {
  const surface = SURFACES[target.kind];
  if (surface !== undefined) return router.href(surface, target.id);
  if (target.kind === 'message' || target.kind === 'step') return router.href('chat', conversation);
  return null;
}

/** A source is read without leaving the card it belongs to, with its words marked. */
export function readHere(target: SourceTarget): boolean {
  return target.kind === 'mail' || target.kind === 'contact';
}

/** A mail or a contact, as it is stored. Null when it is gone. */
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

/** The text in pieces: every second one is where the words stand. Case does not matter. */
export function marked(text: string, words: string | null | undefined): string[] {
  if (!words) return [text];
  const pieces: string[] = [];
  const all = text.toLowerCase();
  const wanted = words.toLowerCase();
  // Letters that change their length in lower case would shift the places: then nothing is marked.
  if (all.length !== text.length || wanted.length !== words.length) return [text];
  let from = 0;
  for (let at = all.indexOf(wanted); at >= 0; at = all.indexOf(wanted, from)) {
    pieces.push(text.slice(from, at), text.slice(at, at + words.length));
    from = at + words.length;
  }
  return [...pieces, text.slice(from)];
}
