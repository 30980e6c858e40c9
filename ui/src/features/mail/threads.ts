import type { Id, MailRow } from '../../host';
import { t } from '../../kit/strings';
import '../../kit/strings/en/mail';
import { dayOf, daysFromToday, monthOrYearText } from '../../kit/time';

/** A thread, shown as one row of the list. */
export interface Thread {
  /** The newest mail; its id is the key of the row. */
  newest: MailRow;
  mails: MailRow[];
  unread: boolean;
  starred: boolean;
  attached: boolean;
  /** The senders, newest first; for sent mail, the recipients. */
  who: string[];
}

export const nameOf = (mail: MailRow): string => mail.from_name || mail.from;

/** Groups mails into threads, ordered by their newest mail. */
export function threadsOf(rows: MailRow[]): Thread[] {
  const byKey = new Map<Id, MailRow[]>();
  for (const row of rows) {
    const all = byKey.get(row.thread);
    if (all) all.push(row);
    else byKey.set(row.thread, [row]);
  }
  return [...byKey.values()].map((mails) => {
    const newest = mails[0] as MailRow;
    const sent = mails.every((mail) => mail.folder === 'sent');
    const who = sent
      ? newest.to.map((address) => t('mail.to_whom', { who: address }))
      : mails.map((mail) => (mail.folder === 'sent' ? t('mail.you') : nameOf(mail)));
    return {
      newest,
      mails,
      unread: mails.some((mail) => !mail.read),
      starred: mails.some((mail) => mail.starred),
      attached: mails.some((mail) => mail.attachments > 0),
      who: [...new Set(who)],
    };
  });
}

const WEEK_DAYS = 7;

/** Monday is 0. */
const weekday = (day: string) => (new Date(`${day}T12:00:00Z`).getUTCDay() + 6) % WEEK_DAYS;

/** The heading of a mail in the list: today, yesterday, this week, last week, then months. */
export function spanOf(at: string, now: number): string {
  const days = daysFromToday(at);
  if (days >= 0) return t('mail.today');
  if (days === -1) return t('time.yesterday');
  const since = weekday(dayOf(now));
  if (-days <= since) return t('mail.this_week');
  if (-days <= since + WEEK_DAYS) return t('mail.last_week');
  return monthOrYearText(at);
}

/** Groups the threads by heading, in order. */
export function bySpan(threads: Thread[], now: number): { label: string; items: Thread[] }[] {
  const groups: { label: string; items: Thread[] }[] = [];
  for (const thread of threads) {
    const label = spanOf(thread.newest.date, now);
    const last = groups.at(-1);
    if (last?.label === label) last.items.push(thread);
    else groups.push({ label, items: [thread] });
  }
  return groups;
}
