import { faultOf, host } from '../host';
import { toasts } from './toast.svelte';

/** Shows a file or folder in the file manager; on failure, shows the fault with its hint. */
export async function showPath(path: string): Promise<void> {
  try {
    await host.showPath(path);
  } catch (thrown) {
    const { message, hint } = faultOf(thrown);
    toasts.show(`${message} ${hint}`.trim());
  }
}
