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
  /** An address the person is asked about before it opens. */
  link = $state.raw<{ url: string; text: string } | null>(null);

  openPalette(text = ''): void {
    this.paletteText = text;
    this.palette = true;
  }
}

export const frame = new Frame();
