import type { MailRow } from '../../host';
import { t } from '../../kit/strings';
import '../../kit/strings/en/mail';
import { dateText, timeText } from '../../kit/time';
import { nameOf } from './threads';

/** How many characters of a mail are quoted; nobody reads more of them again. */
const QUOTED_CHARS_MAX = 20_000;

/** Quotes a mail: date and sender, then its lines, each after `>`. */
export function quoteOf(mail: MailRow): string {
  const text = (mail.text ?? '').trim().slice(0, QUOTED_CHARS_MAX);
  const lines = text.split('\n').map((line) => (line.startsWith('>') ? `>${line}` : `> ${line}`.trimEnd()));
  // An absolute date: “Yesterday” would be wrong for whoever reads the mail later.
  const when = `${dateText(mail.date)}, ${timeText(mail.date)}`;
  return [t('mail.wrote', { when, who: nameOf(mail) }), ...lines].join('\n');
}

/** Puts a quotation below a text, once only. */
export function withQuote(body: string, quote: string): string {
  if (body.includes(quote)) return body;
  return `${body.trimEnd()}\n\n${quote}\n`;
}
