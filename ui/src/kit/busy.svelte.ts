import { faultOf, type Fault } from '../host';

/** One thing at a time, with what it is and why the last one failed. */
export class Busy<Name extends string = string> {
  /** What is being done. */
  name = $state<Name | null>(null);
  fault = $state.raw<Fault | null>(null);

  /** Does it, unless something else is being done. */
  async run(name: Name, work: () => Promise<void>): Promise<void> {
    if (this.name !== null) return;
    this.name = name;
    this.fault = null;
    try {
      await work();
    } catch (thrown) {
      this.fault = faultOf(thrown);
    } finally {
      this.name = null;
    }
  }
}
