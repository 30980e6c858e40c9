import type { MailInvitation } from '../../host';
import { t } from '../../kit/strings';
import '../../kit/strings/en/mail';

const whoOf = ({ name, email }: { name: string; email: string }) => name || email;

/** Says what a mail carries for the calendar, and who says so. */
export function headOf({ kind, standing, event, answered }: MailInvitation): string {
  if (answered) return t(`mail.invite_reply_${replyOf(answered.status)}`, { who: whoOf(answered) });
  const who = event.organizer ? whoOf(event.organizer) : '';
  if (kind === 'cancel') return who ? t('mail.invite_cancel', { who }) : t('mail.invite_cancelled');
  if (kind === 'publish' || !who) return t('mail.invite_publish');
  return t(standing === 'changed' ? 'mail.invite_changed' : 'mail.invite_request', { who });
}

/** How what the mail carries relates to the calendar, where the buttons do not say it. */
export function standingOf({ kind, standing, answer }: MailInvitation): string {
  switch (standing) {
    case 'own':
      return t('mail.invite_own');
    case 'outdated':
      return t('mail.invite_outdated');
    case 'new':
      return kind === 'cancel' || kind === 'reply' ? t('mail.invite_unknown') : '';
    case 'changed':
      return '';
    case 'current':
      if (kind === 'cancel') return t('mail.invite_gone');
      if (kind === 'reply') return t('mail.invite_noted');
      return answer === null ? t('mail.invite_current') : t(`mail.invite_answered_${replyOf(answer)}`);
  }
}

function replyOf(status: string): 'accepted' | 'declined' | 'tentative' | 'other' {
  return status === 'accepted' || status === 'declined' || status === 'tentative' ? status : 'other';
}
