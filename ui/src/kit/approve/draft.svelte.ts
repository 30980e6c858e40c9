import type { Approval, JsonValue } from '../../host';
import { fieldsOf, withFields, type Field } from './args';

/** A card being edited: its arguments as fields, until saved as a new card. */
export class Draft {
  fields = $state<Field[]>([]);
  readonly #before: ReadonlyMap<string, string>;
  readonly #args: JsonValue;

  constructor(approval: Approval) {
    this.fields = fieldsOf(approval);
    this.#before = new Map(this.fields.map((field) => [field.key, field.text]));
    this.#args = approval.args;
  }

  isChanged(field: Field): boolean {
    return this.#before.get(field.key) !== field.text;
  }

  get changed(): boolean {
    return this.fields.some((field) => this.isChanged(field));
  }

  /** Complete, with only the changed fields different. */
  args(): JsonValue {
    return withFields(
      this.#args,
      this.fields.filter((field) => this.isChanged(field)),
    );
  }
}
