import { words } from '../words';

export const quick = words({
  'quick.title': 'Quick-ask',
  'quick.form': 'Ask',
  'quick.label': 'Ask Adjutant',
  'quick.placeholder': 'Ask, or say what you want done',
  'quick.answer': 'Answer',
  'quick.approval': 'This needs your approval',
  'quick.open': 'Open in window',
  'quick.copy': 'Copy',
  'quick.reading': 'Reading your message',
  'quick.seconds': '{seconds} s',
});
