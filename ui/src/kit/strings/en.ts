/**
 * Every word on screen, in English. One file a surface under `en/`; a sentence is one entry, never glued from parts.
 * Where a number decides the form, the entry has `one` and `other` and takes `n`.
 */
import { approvals } from './en/approvals';
import { chat } from './en/chat';
import { common } from './en/common';
import { shell } from './en/shell';

export const en = { ...common, ...shell, ...chat, ...approvals } as const;
