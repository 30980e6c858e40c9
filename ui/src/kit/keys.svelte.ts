import { look } from './look.svelte';

/** Returns `false` to pass the key on to the next layer; any other value means handled. */
type Handler = (event: KeyboardEvent) => unknown;
interface Layer {
  bindings: Record<string, Handler>;
  inDialog: boolean;
}

export const isMac = /Mac|iPhone|iPad/.test(navigator.platform);
/** The label on the key cap. */
export const MOD = isMac ? '⌘' : 'Ctrl';

const layers: Layer[] = [];

const CODES: Record<string, string> = { Period: '.', Comma: ',', Backslash: '\\', Slash: '/' };

/**
 * Names an event by the typed letter and by the physical key, so that Ctrl Shift . works where Shift . types another
 * character.
 */
export function combosOf(event: KeyboardEvent): string[] {
  const mod = isMac ? event.metaKey : event.ctrlKey;
  // On some systems AltGr arrives as Ctrl Alt and types a character.
  if (event.altKey) return [];
  const typed = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  const code = event.code.startsWith('Key')
    ? event.code.slice(3).toLowerCase()
    : event.code.startsWith('Digit')
      ? event.code.slice(5)
      : (CODES[event.code] ?? '');
  const named = event.key.length > 1;
  const prefix = (mod ? 'mod+' : '') + (event.shiftKey && (mod || named) ? 'shift+' : '');
  return [...new Set([typed, ...(mod && code ? [code] : [])])].map((key) => prefix + key);
}

export function inTextField(target: EventTarget | null = document.activeElement): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target.isContentEditable || target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement)
    return true;
  return target instanceof HTMLInputElement && !['checkbox', 'radio', 'button', 'range'].includes(target.type);
}

function onKey(event: KeyboardEvent): void {
  if (event.defaultPrevented || event.isComposing) return;
  const combos = combosOf(event);
  const bare = combos.some((combo) => combo.length === 1);
  if (bare && !look.current.letters) return;
  if ((bare || combos.includes('Delete')) && (inTextField() || event.repeat)) return;
  const dialog = document.querySelector('dialog[open]') !== null;
  for (const layer of [...layers].reverse()) {
    if (dialog && !layer.inDialog) continue;
    for (const combo of combos) {
      const run = layer.bindings[combo];
      if (run && run(event) !== false) {
        event.preventDefault();
        return;
      }
    }
  }
}

/**
 * Binds keys until the returned function is called; the newest layer comes first. Names: `mod+k`, `mod+shift+a`, `F6`,
 * `shift+F6`, `j`, `?`. Single letters and Delete never fire in a text field or on key repeat; a setting turns single
 * letters off.
 */
export function bindKeys(bindings: Record<string, Handler>, options: { inDialog?: boolean } = {}): () => void {
  if (layers.length === 0) addEventListener('keydown', onKey);
  const layer = { bindings, inDialog: options.inDialog ?? false };
  layers.push(layer);
  return () => {
    layers.splice(layers.indexOf(layer), 1);
    if (layers.length === 0) removeEventListener('keydown', onKey);
  };
}
