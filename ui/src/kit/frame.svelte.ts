import { tick } from 'svelte';

/** Parts of the window that any surface may open or close. */
class Frame {
  /** The rail, open as a drawer in a narrow window. */
  drawer = $state(false);
  /** The plan, shown beside the conversation. */
  plan = $state(true);
  /** The plan, open as a sheet in a narrow window. */
  sheet = $state(false);
  palette = $state(false);
  /** The initial text of the palette. */
  paletteText = $state('');
  keys = $state(false);
  /** The action whose card is open over the current surface. */
  decide = $state<string | null>(null);
  /** The address that waits for the person's confirmation before it opens. */
  link = $state.raw<{ url: string; text: string } | null>(null);

  /** Shows the plan, and moves the focus there if its button had it. */
  async showPlan(): Promise<void> {
    const pressed = document.activeElement?.matches('[data-show-plan]');
    this.plan = true;
    await tick();
    if (pressed) document.querySelector<HTMLElement>('[data-region="plan"] h2')?.focus();
  }

  /** Hides the plan; if it contained the focus, moves the focus to the button that shows it again. */
  async hidePlan(): Promise<void> {
    const inside = document.activeElement?.closest('[data-region="plan"]');
    this.plan = false;
    await tick();
    if (inside) document.querySelector<HTMLElement>('[data-show-plan]')?.focus();
  }

  openPalette(text = ''): void {
    this.paletteText = text;
    this.palette = true;
  }
}

export const frame = new Frame();
