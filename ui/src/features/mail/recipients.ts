import { host, show, type Choice, type Fault } from '../../host';

const FIELDS = ['to', 'cc', 'bcc'] as const;
type PeopleField = (typeof FIELDS)[number];

/** A recipient that cannot be used, at the field that names them. */
export interface RefusedRecipient {
  field: PeopleField;
  /** The recipient as typed. */
  entry: string;
  /** What is wrong, or which question is open. */
  message: string;
  /** The people that an ambiguous name may mean; the values are recipients as one types them. */
  choices: Choice[];
}

/** How many people of one name are looked up. */
const PEOPLE_MAX = 50;
/** The faults that can be about a recipient: the engine asks who is meant, or cannot read an address. */
const ABOUT_RECIPIENTS = new Set(['question', 'bad_arguments']);

export const mayBeRecipient = ({ code }: Fault): boolean => ABOUT_RECIPIENTS.has(code);

/** The recipient that a refusal to send is about; null if it is about something else. */
export async function refusedRecipient(
  fault: Fault,
  lists: Record<PeopleField, readonly string[]>,
): Promise<RefusedRecipient | null> {
  if (!mayBeRecipient(fault)) return null;
  const { code, message } = fault;
  const named = FIELDS.flatMap((field) => lists[field].map((entry) => ({ field, entry }))).filter(({ entry }) =>
    names(message, /<([^<>]+)>/.exec(entry)?.[1] ?? entry),
  );
  const found = named.sort((a, b) => b.entry.length - a.entry.length)[0];
  if (!found) return null;
  return { ...found, message, choices: code === 'question' ? await peopleCalled(found.entry) : [] };
}

/** Whether a message contains these words, and not as a part of others. */
function names(message: string, words: string): boolean {
  const [text, sought] = [message.toLowerCase(), words.trim().toLowerCase()];
  const isLetter = (char: string | undefined) => char !== undefined && /[\p{L}\p{N}]/u.test(char);
  for (let at = text.indexOf(sought); sought !== '' && at >= 0; at = text.indexOf(sought, at + 1))
    if (!isLetter(text[at - 1]) && !isLetter(text[at + sought.length])) return true;
  return false;
}

const wordsOf = (text: string): readonly string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];

/** Everybody of a name, one choice for each address. */
async function peopleCalled(name: string): Promise<Choice[]> {
  const rows = await show(host, 'contacts', { text: name, limit: PEOPLE_MAX }).catch(() => []);
  const wanted = wordsOf(name);
  return rows
    .filter((who) => {
      const known = wordsOf([who.name, ...who.nicknames, who.relation].join(' '));
      return wanted.every((word) => known.includes(word));
    })
    .flatMap((who) =>
      who.emails.map((email) => ({
        value: /[,<>"]/.test(who.name) ? email : `${who.name} <${email}>`,
        label: who.name,
        detail: email,
      })),
    );
}
