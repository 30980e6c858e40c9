import { faultOf, host, type Fault, type KnownModel, type ModelFiles, type ModelOffer } from '../../host';
import { announce } from '../../kit/announce.svelte';
import { onChanged, onProgress, type Progress } from '../../kit/changes';
import { Newest } from '../../kit/newest';
import { t } from '../../kit/strings';
import '../../kit/strings/en/models';

/** The extension of model files; it tells their progress from that of imports. */
const MODEL_FILE = '.gguf';

/** The model files that can be downloaded, the offer for one, and the progress of a download. */
export class Fetching {
  files = $state.raw<ModelFiles | null>(null);
  /** The offer the person is asked to accept, and the name of its model. */
  offer = $state.raw<{ name: string; of: ModelOffer } | null>(null);
  /** The model whose offer is being requested. */
  asking = $state<string | null>(null);
  now = $state.raw<ModelFiles['fetching']>(null);
  fault = $state.raw<Fault | null>(null);
  #mine = false;
  /** The person stopped the download here, so the fault need not be shown. */
  #stopping = false;
  #newest = new Newest();

  /** Follows downloads, whoever started them. Returns a function that stops. */
  follow(): () => void {
    void this.#load();
    const stops = [
      onProgress((progress) => this.#progress(progress)),
      // Also runs after events were missed.
      onChanged(['settings'], () => void this.#load()),
    ];
    return () => {
      for (const stop of stops) stop();
    };
  }

  async look(one: KnownModel): Promise<void> {
    if (this.asking !== null) return;
    this.asking = one.name;
    this.fault = null;
    try {
      const { offer } = await host.call('offer_model_file', { what: one.name, sha256: null });
      this.offer = { name: one.name, of: offer };
    } catch (thrown) {
      this.fault = faultOf(thrown);
    } finally {
      this.asking = null;
    }
  }

  /** Downloads the accepted offer. Returns the path, or null when it failed. */
  async fetch(): Promise<string | null> {
    if (!this.offer || this.now) return null;
    const { name, of } = this.offer;
    this.offer = null;
    this.fault = null;
    this.now = { file: of.file, done: of.have, total: of.bytes };
    this.#mine = true;
    this.#stopping = false;
    try {
      const agreed = { bytes: of.bytes, licence: of.licence, sum: of.sum };
      const { file } = await host.call('fetch_model_file', { what: name, sha256: null, agreed });
      announce.say(t('models.fetched', { file: of.file }));
      return file.path;
    } catch (thrown) {
      this.#failed(faultOf(thrown));
      return null;
    } finally {
      this.now = null;
      this.#mine = false;
      void this.#load();
    }
  }

  async stop(): Promise<void> {
    this.#stopping = true;
    try {
      await host.call('stop_model_file', {});
      // If no download was running, no event reports an end.
      await this.#load();
      if (!this.now) this.#stopping = false;
    } catch (thrown) {
      this.#stopping = false;
      this.fault = faultOf(thrown);
    }
  }

  #progress({ what, done, total, ended }: Progress): void {
    if (ended) {
      // The reply reports the end of this window's own download.
      if (!this.#mine) this.#ended(what, ended.fault);
      void this.#load();
    } else if (total !== null && (this.now?.file === what || (!this.now && what.endsWith(MODEL_FILE)))) {
      this.now = { file: what, done, total };
    }
  }

  /** Another window or the command line started this download. */
  #ended(file: string, fault: Fault | undefined): void {
    this.now = null;
    if (fault) this.#failed(fault);
    else announce.say(t('models.fetched', { file }));
  }

  #failed(fault: Fault): void {
    if (fault.code !== 'stopped' || !this.#stopping) this.fault = fault;
    this.#stopping = false;
  }

  /** Drops an older answer that arrives late. */
  async #load(): Promise<void> {
    const current = this.#newest.begin();
    try {
      const { files } = await host.call('model_files', {});
      if (!current()) return;
      this.files = files;
      // The download of this window has newer progress.
      if (!this.#mine) this.now = files.fetching;
    } catch (thrown) {
      if (current()) this.fault = faultOf(thrown);
    }
  }
}
