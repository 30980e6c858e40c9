import type { Id, JsonValue, NoteRow } from '../../host';

/** How long after the last keystroke the note is saved: a pause saves, typing does not. */
export const AUTOSAVE_MS = 900;

export interface NoteText {
  title: string;
  body: string;
  tags: string[];
}
export type Changes = Record<string, JsonValue>;
/** Stores changes; resolves to the id of the effect, for Undo, or rejects. */
export type Save = (changes: Changes) => Promise<Id | null>;

/** The changes that turn `before` into `after`; null when they are equal. */
export function changesOf(before: NoteText, after: NoteText): Changes | null {
  const changes: Changes = {};
  // An empty title field keeps the stored title.
  if (after.title.trim() && after.title.trim() !== before.title) changes['title'] = after.title.trim();
  if (after.body !== before.body) changes['body'] = after.body;
  const added = after.tags.filter((tag) => !before.tags.includes(tag));
  const removed = before.tags.filter((tag) => !after.tags.includes(tag));
  if (added.length > 0) changes['add_tags'] = added;
  if (removed.length > 0) changes['remove_tags'] = removed;
  return Object.keys(changes).length > 0 ? changes : null;
}

/** Splits `work, , Work, home` into tags. */
export function tagsOf(text: string): string[] {
  return [
    ...new Set(
      text
        .split(',')
        .map((tag) => tag.trim())
        .filter(Boolean),
    ),
  ];
}

const textOf = ({ title, body, tags }: NoteText): NoteText => ({ title, body, tags: [...tags] });

/** A note while it is edited: saved after a pause and on leaving. A stored change never overwrites unsaved text. */
export class Draft {
  text = $state.raw<NoteText>({ title: '', body: '', tags: [] });
  state = $state<'rest' | 'typing' | 'saving' | 'saved' | 'failed'>('rest');
  /** The last save, for Undo. */
  effect = $state<Id | null>(null);
  #stored: NoteText;
  #save: Save;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #saving: Promise<void> | null = null;

  constructor(note: NoteText, save: Save) {
    this.#stored = textOf(note);
    this.text = textOf(note);
    this.#save = save;
  }

  get dirty(): boolean {
    return changesOf(this.#stored, this.text) !== null;
  }

  edit(part: Partial<NoteText>): void {
    this.text = { ...this.text, ...part };
    this.state = 'typing';
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.flush(), AUTOSAVE_MS);
  }

  /** Takes over a stored change, unless something here is unsaved. */
  adopt(note: NoteRow): void {
    if (this.#saving !== null || this.dirty) return;
    this.#stored = textOf(note);
    this.text = textOf(note);
  }

  /** Saves now; text typed during the save is saved after it. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer);
    if (this.#saving !== null) await this.#saving;
    const changes = changesOf(this.#stored, this.text);
    if (changes === null) {
      if (this.state === 'typing') this.state = 'rest';
      return;
    }
    const sent = textOf({ ...this.text, title: this.text.title.trim() || this.#stored.title });
    this.state = 'saving';
    this.#saving = this.#save(changes).then(
      (effect) => {
        this.#stored = sent;
        this.effect = effect;
        this.state = this.dirty ? 'typing' : 'saved';
      },
      () => {
        this.state = 'failed';
      },
    );
    await this.#saving;
    this.#saving = null;
  }
}
