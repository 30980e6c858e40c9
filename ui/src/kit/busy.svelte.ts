import { faultOf, type Fault } from '../host';

/** Runs one task at a time; holds its name and the fault of the last one. */
export class Busy<Name extends string = string> {
  /** The task that is running. */
  name = $state<Name | null>(null);
  fault = $state.raw<Fault | null>(null);

  /** Runs the task, unless another one is running. */
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
