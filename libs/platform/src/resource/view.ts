import { Field as ViewField } from '../http/answers.js';
import { named } from './field.js';
import type { Field, Fields, Flat, OptionalKeys, ShownKeys, Value, WireName } from './field.js';

type Wire<T> = T extends Date ? string : T;
type NeverNull = { shown: { optional: true } | { nullable: false } };
/** Null in a view, unless the field is then absent or its caller replaces null. */
type Shown<F, T> = F extends { declared: NeverNull } ? NonNullable<T> : T;

/** A view of a resource, as JSON has it. */
type ViewOf<F> = Flat<
  {
    [K in Exclude<ShownKeys<F>, OptionalKeys<F>> as WireName<K>]: Shown<F[K], Wire<Value<F[K]>>>;
  } & { [K in OptionalKeys<F> as WireName<K>]?: Shown<F[K], Wire<Value<F[K]>>> }
>;

/** The values that a view shows, under their names in the program. */
type ShownValues<F> = {
  [K in Exclude<ShownKeys<F>, OptionalKeys<F>>]: Shown<F[K], Value<F[K]> | Wire<Value<F[K]>>>;
} & { [K in OptionalKeys<F>]?: Value<F[K]> | Wire<Value<F[K]>> | null };

interface ViewClass<F> {
  new (): ViewOf<F>;
  /** Returns the view of these values. Times become texts. */
  of(values: ShownValues<F>): ViewOf<F>;
}

/**
 * Returns the base class of a view:
 * `export class BotView extends viewOf(BOT) {}`, then `BotView.of(bot)`.
 */
export function viewOf<F extends Fields>(fields: F): ViewClass<F> {
  const shown = named(fields).filter(({ declared }) => declared.shown);
  class View {
    static of(values: Readonly<Record<string, unknown>>): object {
      const entries = shown
        .map(({ name, wire, declared }) => [wire, shownValue(values[name], declared)] as const)
        .filter(([, value]) => value !== undefined);
      return Object.fromEntries(entries);
    }
  }
  for (const { wire, column, declared } of shown) {
    const own = declared.shown === true ? {} : declared.shown;
    const { example, description, enum: values } = declared;
    const nullable = column.nullable && !own?.optional;
    ViewField({ nullable, example, description, enum: values, ...own })(View.prototype, wire);
  }
  return View as unknown as ViewClass<F>;
}

function shownValue(value: unknown, { shown }: Field['declared']): unknown {
  if (value === null && shown !== true && shown?.optional) return undefined;
  return value instanceof Date ? value.toISOString() : value;
}
