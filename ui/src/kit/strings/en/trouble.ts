import { words } from '../words';

/** What does not work, at the foot of the rail. */
export const trouble = words({
  'trouble.signed_out': '{label} is signed out',
  'trouble.signed_out_n': { one: '{n} account is signed out', other: '{n} accounts are signed out' },
  'trouble.waits_mail': { one: '{n} mail waits for a connection', other: '{n} mails wait for a connection' },
  'trouble.waits': {
    one: '{n} approved action waits for a connection',
    other: '{n} approved actions wait for a connection',
  },
  'trouble.not_updated': '{label} cannot be updated',
});
