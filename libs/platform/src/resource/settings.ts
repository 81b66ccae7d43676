import { isDeepStrictEqual } from 'node:util';
import { named } from './field.js';
import type { DefaultKeys, Fields, Flat, SettableKeys, StoredKeys, Value } from './field.js';

/** The stored fields that requests set. */
export type SettingsOf<F> = { [K in SettableKeys<F> & StoredKeys<F>]: Value<F[K]> };

/** Values with the defaults of fields that they lack. */
type WithDefaults<F, T> = Flat<{ [K in DefaultKeys<F>]: Value<F[K]> } & Omit<T, DefaultKeys<F>>>;

/** Adds the defaults of a new row to the given values. Undefined ones are absent. */
export function withDefaults<F extends Fields, T extends object>(fields: F, given: T): WithDefaults<F, T> {
  const defaults = named(fields).filter(({ declared }) => 'default' in declared);
  const present = Object.entries(given).filter(([, value]) => value !== undefined);
  return {
    ...structuredClone(Object.fromEntries(defaults.map(({ name, declared }) => [name, declared.default]))),
    ...Object.fromEntries(present),
  } as WithDefaults<F, T>;
}

/** Picks the settings from a row. */
export function settingsOf<F extends Fields>(fields: F, row: SettingsOf<F>): SettingsOf<F> {
  const names = named(fields).filter(({ declared }) => declared.settable && declared.stored !== false);
  const values: Readonly<Record<string, unknown>> = row;
  return Object.fromEntries(names.map(({ name }) => [name, values[name]])) as SettingsOf<F>;
}

/** Returns the values that are present and differ from the current ones. */
export function changesOf<T extends object>(
  current: T,
  given: { [K in keyof T]?: T[K] | undefined },
): Partial<T> {
  const changed = Object.entries(given).filter(
    ([name, value]) => value !== undefined && !isDeepStrictEqual(value, current[name as keyof T]),
  );
  return Object.fromEntries(changed) as Partial<T>;
}

/** Returns the present values of audited fields under the names that the audit log shows. */
export function auditedOf(fields: Fields, values: object): Record<string, unknown> {
  const present = named(fields).filter(
    ({ name, declared }) => declared.audited && values[name as keyof object] !== undefined,
  );
  return Object.fromEntries(present.map(({ name, wire }) => [wire, values[name as keyof object]]));
}
