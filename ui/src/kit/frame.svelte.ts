import { tick } from 'svelte';

/** Parts of the window that any surface may open or close. */
class Frame {
  /** The rail as a drawer, in a narrow window. */
  drawer = $state(false);
  /** The plan beside the conversation. */
  plan = $state(true);
  /** The plan as a sheet, in a narrow window. */
  sheet = $state(false);
  palette = $state(false);
  /** Words the palette opens with. */
  paletteText = $state('');
  keys = $state(false);
  /** An action whose card is decided where the person is. */
  decide = $state<string | null>(null);
  /** An address the person is asked about before it opens. */
  link = $state.raw<{ url: string; text: string } | null>(null);

  /** Shows the plan; whoever pressed the button for it goes on there. */
  async showPlan(): Promise<void> {
    const pressed = document.activeElement?.matches('[data-show-plan]');
    this.plan = true;
    await tick();
    if (pressed) document.querySelector<HTMLElement>('[data-region="plan"] h2')?.focus();
  }

  /** Puts the plan away; whoever was in it goes on at the button that brings it back. */
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
