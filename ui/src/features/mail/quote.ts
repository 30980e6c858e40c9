import type { MailRow } from '../../host';
import { t } from '../../kit/strings';
import '../../kit/strings/en/mail';
import { dateText, timeText } from '../../kit/time';
import { nameOf } from './threads';

/** Characters of a mail that are quoted; nobody reads more of them again. */
const QUOTED_CHARS_MAX = 20_000;

/** A mail as a quotation: who wrote when, then its lines with `>` before each. */
export function quoteOf(mail: MailRow): string {
  const text = (mail.text ?? '').trim().slice(0, QUOTED_CHARS_MAX);
  const lines = text.split('\n').map((line) => (line.startsWith('>') ? `>${line}` : `> ${line}`.trimEnd()));
  // A date that stays true: “Yesterday” is another day for whoever reads it.
  const when = `${dateText(mail.date)}, ${timeText(mail.date)}`;
  return [t('mail.wrote', { when, who: nameOf(mail) }), ...lines].join('\n');
}

/** A text with a quotation below it, once. */
export function withQuote(body: string, quote: string): string {
  if (body.includes(quote)) return body;
  return `${body.trimEnd()}\n\n${quote}\n`;
}
