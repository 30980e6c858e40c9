import { faultOf, host, type Fault, type ImportReport } from '../../host';
import { announce } from '../announce.svelte';
import { onProgress, type Progress } from '../changes';
import { t } from '../strings';
import { FILES_MAX, sortOut, type Brought } from './files';

/** Files to import: offered, being imported, and the result. */
export class Bring {
  files = $state.raw<Brought[]>([]);
  /** How many files exceed the limit. */
  over = $state(0);
  busy = $state(false);
  progress = $state.raw<Progress | null>(null);
  report = $state.raw<ImportReport | null>(null);
  fault = $state.raw<Fault | null>(null);

  able = $derived(this.files.filter((one) => one.kind !== null));
  unable = $derived(this.files.filter((one) => one.kind === null));
  open = $derived(this.files.length > 0 || this.report !== null || this.fault !== null);

  /** Handlers that receive dropped files while they are registered, newest first. */
  #takers = $state.raw<((paths: readonly string[]) => void)[]>([]);
  lent = $derived(this.#takers.length > 0);

  /** Redirects dropped files to a handler, such as a mail being written. Returns a function that ends this. */
  lendTo(take: (paths: readonly string[]) => void): () => void {
    this.#takers = [take, ...this.#takers];
    return () => (this.#takers = this.#takers.filter((one) => one !== take));
  }

  /** Handles files dropped on the window. */
  drop(paths: readonly string[]): void {
    const taker = this.#takers[0];
    if (taker) taker(paths);
    else this.offer(paths);
  }

  /** Offers the files for import; nothing happens until the person agrees. */
  offer(paths: readonly string[]): void {
    if (this.busy || paths.length === 0) return;
    this.close();
    this.files = sortOut(paths);
    this.over = Math.max(0, new Set(paths).size - FILES_MAX);
    announce.say(t('bring.say', { n: this.files.length }));
  }

  close(): void {
    if (this.busy) return;
    this.files = [];
    this.over = 0;
    this.report = null;
    this.fault = null;
  }

  async take(): Promise<void> {
    const paths = this.able.map((one) => one.path);
    if (this.busy || paths.length === 0) return;
    this.busy = true;
    this.fault = null;
    const stop = onProgress((progress) => (this.progress = progress));
    try {
      this.report = (await host.call('import', { paths })).report;
      this.files = this.unable;
      announce.say(t('data.imported'));
    } catch (thrown) {
      this.fault = faultOf(thrown);
    } finally {
      stop();
      this.busy = false;
      this.progress = null;
    }
  }
}

/** The files dropped on or chosen in this window. */
export const bring = new Bring();
