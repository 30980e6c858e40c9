import type { JsonValue } from '../../host';
import { fieldsOf, withFields, type Field } from './args';

/** A card being edited: its arguments as fields, until saved as a new card. */
export class Draft {
  fields = $state<Field[]>([]);
  /** Which call of several, from 0; null where there is one. */
  readonly call: number | null;
  readonly #before: ReadonlyMap<string, string>;
  readonly #args: JsonValue;

  constructor(args: JsonValue, tool: string, call: number | null = null) {
    this.call = call;
    this.fields = fieldsOf(args, tool);
    this.#before = new Map(this.fields.map((field) => [field.key, field.text]));
    this.#args = args;
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
