import { faultOf, host, type Fault, type KnownModel, type ModelFiles, type ModelOffer } from '../../host';
import { announce } from '../../kit/announce.svelte';
import { onChanged, onProgress, type Progress } from '../../kit/changes';
import { Newest } from '../../kit/newest';
import { t } from '../../kit/strings';
import '../../kit/strings/en/models';

/** How the names of model files end: imports tell how far they are as well. */
const MODEL_FILE = '.gguf';

/** Models that can be fetched: what there is, what one is like, and how far one is. */
export class Fetching {
  files = $state.raw<ModelFiles | null>(null);
  /** What the person is asked to agree to, and what it was asked for by. */
  offer = $state.raw<{ name: string; of: ModelOffer } | null>(null);
  /** Which one a server is being asked about. */
  asking = $state<string | null>(null);
  now = $state.raw<ModelFiles['fetching']>(null);
  fault = $state.raw<Fault | null>(null);
  #mine = false;
  /** It was asked for here, so it need not be told. */
  #stopping = false;
  #newest = new Newest();

  /** Follows what is fetched, by whomever. Returns how to stop. */
  follow(): () => void {
    void this.#load();
    const stops = [
      onProgress((progress) => this.#progress(progress)),
      // Also what is told to whoever missed something.
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

  /** Fetches what was agreed to. Where it is, or nothing when it did not come. */
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
      // Where nothing was fetched any more, nothing tells that it ended.
      await this.#load();
      if (!this.now) this.#stopping = false;
    } catch (thrown) {
      this.#stopping = false;
      this.fault = faultOf(thrown);
    }
  }

  #progress({ what, done, total, ended }: Progress): void {
    if (ended) {
      // How its own ended is in the reply.
      if (!this.#mine) this.#ended(what, ended.fault);
      void this.#load();
    } else if (total !== null && (this.now?.file === what || (!this.now && what.endsWith(MODEL_FILE)))) {
      this.now = { file: what, done, total };
    }
  }

  /** Another window or the command line fetched it. */
  #ended(file: string, fault: Fault | undefined): void {
    this.now = null;
    if (fault) this.#failed(fault);
    else announce.say(t('models.fetched', { file }));
  }

  #failed(fault: Fault): void {
    if (fault.code !== 'stopped' || !this.#stopping) this.fault = fault;
    this.#stopping = false;
  }

  /** An older answer that arrives late is dropped. */
  async #load(): Promise<void> {
    const current = this.#newest.begin();
    try {
      const { files } = await host.call('model_files', {});
      if (!current()) return;
      this.files = files;
      // Who fetches it here knows more of it.
      if (!this.#mine) this.now = files.fetching;
    } catch (thrown) {
      if (current()) this.fault = faultOf(thrown);
    }
  }
}
