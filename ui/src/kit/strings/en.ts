/**
 * Every word on screen, in English. One file a surface under `en/`; a sentence is one entry, never glued from parts.
 * Where a number decides the form, the entry has `one` and `other` and takes `n`.
 */
import { activity } from './en/activity';
import { approvals } from './en/approvals';
import { bring } from './en/bring';
import { chat } from './en/chat';
import { common } from './en/common';
import { first } from './en/first';
import { memory } from './en/memory';
import { models } from './en/models';
import { notes } from './en/notes';
import { profile } from './en/profile';
import { quick } from './en/quick';
import { settings } from './en/settings';
import { shell } from './en/shell';
import { sources } from './en/sources';
import { tasks } from './en/tasks';
import { today } from './en/today';
import { understanding } from './en/understanding';
import { usage } from './en/usage';

export const en = {
  ...common,
  ...shell,
  ...chat,
  ...bring,
  ...approvals,
  ...today,
  ...tasks,
  ...sources,
  ...models,
  ...notes,
  ...memory,
  ...activity,
  ...settings,
  ...understanding,
  ...usage,
  ...first,
  ...quick,
  ...profile,
} as const;
