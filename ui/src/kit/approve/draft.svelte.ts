import type { JsonValue } from '../../host';
import { fieldsOf, withFields, type Field } from './args';

/** A card being edited: its arguments as fields, until they are saved as a new card. */
export class Draft {
  fields = $state<Field[]>([]);
  /** Index of the call being edited; null if the card has only one call. */
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

  /** The complete arguments; only the changed fields differ. */
  args(): JsonValue {
    return withFields(
      this.#args,
      this.fields.filter((field) => this.isChanged(field)),
    );
  }
}
