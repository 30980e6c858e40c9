import type { MailRow } from '../../host';
import { t } from '../../kit/strings';
import '../../kit/strings/en/mail';
import { momentText } from '../../kit/time';
import { nameOf } from './threads';

/** Characters of a mail that are quoted; nobody reads more of them again. */
const QUOTED_CHARS_MAX = 20_000;

/** A mail as a quotation: who wrote when, then its lines with `>` before each. */
export function quoteOf(mail: MailRow): string {
  const text = (mail.text ?? '').trim().slice(0, QUOTED_CHARS_MAX);
  const lines = text.split('\n').map((line) => (line.startsWith('>') ? `>${line}` : `> ${line}`.trimEnd()));
  return [t('mail.wrote', { when: momentText(mail.date), who: nameOf(mail) }), ...lines].join('\n');
}

/** A text with a quotation below it, once. */
export function withQuote(body: string, quote: string): string {
  if (body.includes(quote)) return body;
  return `${body.trimEnd()}\n\n${quote}\n`;
}
