import { faultOf, host } from '../host';
import { toasts } from './toast.svelte';

/** Shows a file or folder in the file manager; a refusal is said with what to do. */
export async function showPath(path: string): Promise<void> {
  try {
    await host.showPath(path);
  } catch (thrown) {
    const { message, hint } = faultOf(thrown);
    toasts.show(`${message} ${hint}`.trim());
  }
}
