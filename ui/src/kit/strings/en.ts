/**
 * Every word on screen, in English: one catalogue with one file per surface under `en/`. A sentence is one entry, never
 * assembled from parts. Where a number decides the form, the entry has `one` and `other` and takes `n`. At run time
 * only the type of this object matters: `index.ts` loads the words every window needs at the start, and components load
 * the words of their surface.
 */
import { accounts } from './en/accounts';
import { activity } from './en/activity';
import { answer } from './en/answer';
import { approvals } from './en/approvals';
import { ask } from './en/ask';
import { bring } from './en/bring';
import { chat } from './en/chat';
import { common } from './en/common';
import { contacts } from './en/contacts';
import { conversations } from './en/conversations';
import { actions } from './en/actions';
import { first } from './en/first';
import { health } from './en/health';
import { jobs } from './en/jobs';
import { mail } from './en/mail';
import { memory } from './en/memory';
import { models } from './en/models';
import { moment } from './en/moment';
import { notes } from './en/notes';
import { palette } from './en/palette';
import { profile } from './en/profile';
import { quick } from './en/quick';
import { research } from './en/research';
import { settings } from './en/settings';
import { shell } from './en/shell';
import { sources } from './en/sources';
import { tasks } from './en/tasks';
import { today } from './en/today';
import { trace } from './en/trace';
import { trouble } from './en/trouble';
import { tools } from './en/tools';
import { understanding } from './en/understanding';
import { usage } from './en/usage';

export const en = {
  ...accounts,
  ...activity,
  ...answer,
  ...approvals,
  ...ask,
  ...bring,
  ...chat,
  ...common,
  ...contacts,
  ...conversations,
  ...actions,
  ...first,
  ...health,
  ...jobs,
  ...mail,
  ...memory,
  ...models,
  ...moment,
  ...notes,
  ...palette,
  ...profile,
  ...quick,
  ...research,
  ...settings,
  ...shell,
  ...sources,
  ...tasks,
  ...today,
  ...trace,
  ...trouble,
  ...tools,
  ...understanding,
  ...usage,
} as const;
