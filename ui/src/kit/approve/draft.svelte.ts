import type { Card, Fact, JsonValue } from '../../host';
import { fieldsOf, withFields, type Field } from './args';
import { asShown, fixedOf } from './shown';

/** A card being edited: its arguments as fields, until they are saved as a new card. */
export class Draft {
  fields = $state<Field[]>([]);
  /** Index of the call being edited; null if the card has only one call. */
  readonly call: number | null;
  /** Lines of the card that cannot be edited. */
  readonly fixed: Pick<Fact, 'label' | 'value'>[];
  readonly #before: ReadonlyMap<string, string>;
  readonly #args: JsonValue;

  /** `card` is the card that shows these arguments and no others; with several calls there is none. */
  constructor(args: JsonValue, tool: string, card: Card | null, call: number | null = null) {
    this.call = call;
    const plain = fieldsOf(args, tool);
    this.fields = card ? asShown(plain, card) : plain;
    this.fixed = card ? fixedOf(this.fields, card) : [];
    this.#before = new Map(this.fields.map((field) => [field.key, field.text]));
    this.#args = args;
  }

  isChanged(field: Field): boolean {
    return this.#before.get(field.key) !== field.text;
  }

  get changed(): boolean {
    return this.fields.some((field) => this.isChanged(field));
  }

  /** The complete arguments; only the changed fields differ, and what the engine made is among them. */
  args(): JsonValue {
    return withFields(
      this.#args,
      this.fields.filter((field) => this.isChanged(field) || field.made),
    );
  }
}
