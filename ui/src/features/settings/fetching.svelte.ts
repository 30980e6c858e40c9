import { faultOf, host, type Fault, type KnownModel, type ModelFiles, type ModelOffer } from '../../host';
import { announce } from '../../kit/announce.svelte';
import { onProgress } from '../../kit/changes';
import { t } from '../../kit/strings';
import '../../kit/strings/en/models';

/** Nothing tells how fetching by another form ended: it is looked at again after so long, as long as it is shown. */
const AGAIN_MS = 1_000;

/** Models that can be fetched: what there is, what one is like, and how far one is. */
export class Fetching {
  files = $state.raw<ModelFiles | null>(null);
  /** What the person is asked to agree to, and what it was asked for by. */
  offer = $state.raw<{ name: string; of: ModelOffer } | null>(null);
  /** Which one a server is being asked about. */
  asking = $state<string | null>(null);
  now = $state.raw<ModelFiles['fetching']>(null);
  fault = $state.raw<Fault | null>(null);
  private mine = false;

  /** Follows what is fetched, by whomever. Returns how to stop. */
  follow(): () => void {
    void this.load();
    const again = setInterval(() => {
      if (this.now && !this.mine) void this.load();
    }, AGAIN_MS);
    const stop = onProgress(({ what, done, total }) => {
      if (this.now?.file === what && total !== null) this.now = { file: what, done, total };
    });
    return () => {
      clearInterval(again);
      stop();
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
    this.mine = true;
    try {
      const agreed = { bytes: of.bytes, licence: of.licence, sum: of.sum };
      const { file } = await host.call('fetch_model_file', { what: name, sha256: null, agreed });
      announce.say(t('models.fetched', { file: of.file }));
      return file.path;
    } catch (thrown) {
      const fault = faultOf(thrown);
      // Who stopped it knows.
      if (fault.code !== 'stopped') this.fault = fault;
      return null;
    } finally {
      this.now = null;
      this.mine = false;
      void this.load();
    }
  }

  async stop(): Promise<void> {
    try {
      await host.call('stop_model_file', {});
      await this.load();
    } catch (thrown) {
      this.fault = faultOf(thrown);
    }
  }

  private async load(): Promise<void> {
    try {
      this.files = (await host.call('model_files', {})).files;
      // Who fetches it here knows more of it.
      if (!this.mine) this.now = this.files.fetching;
    } catch (thrown) {
      this.fault = faultOf(thrown);
    }
  }
}
