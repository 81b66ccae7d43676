import type { ApiPropertyOptions } from '@nestjs/swagger';
import type { Column, ColumnType, ValueOf } from '../database/columns.js';
import type { FieldOptions } from '../http/answers.js';

/** A request that sets fields. `self`: of the resource itself, such as a bot. */
export type SettingRequest = 'create' | 'update' | 'self';

/** Describes a field of a resource for {@link field}. `T` is its type in the program. */
export interface Declaration<T = unknown> {
  /** Part of the primary key. */
  key?: true;
  /** Selected only by queries that name it, such as a secret. */
  secret?: true;
  /** False: has no column. Views get its value from their caller, requests hand it to the write. */
  stored?: false;
  /** Requests that set the field. `create` requires it unless it has a default. */
  settable?: readonly SettingRequest[];
  /** Value of new rows. */
  default?: T | Readonly<T>;
  /** Whether the audit log records changes. */
  audited?: true;
  /** Whether views show the field. Options add to `enum`, `example` and `description`. */
  shown?: true | FieldOptions;
  /** Describes the field in requests. Adds to `enum`, `example` and `description`. */
  body?: ApiPropertyOptions;
  enum?: readonly string[];
  example?: unknown;
  description?: string;
  /**
   * Rules for requests, the first is checked first. Not needed for uuids, booleans and fields with
   * an `enum`.
   */
  rules?: readonly PropertyDecorator[];
  /** Converts the value in a request. */
  read?: (value: never) => unknown;
}

/** A field of a resource. */
export interface Field<T = unknown, D extends Declaration = Declaration> {
  readonly column: Column<T>;
  readonly declared: D;
}

/** Fields under their names in the program, in the order of views and bodies. */
export type Fields = Readonly<Record<string, Field>>;

/** Declares a field. `type` is the type of its column. */
export function field<
  const C extends ColumnType | Column<unknown>,
  const D extends Declaration<ValueOf<C>> = object,
>(type: C, declared?: D): Field<ValueOf<C>, D> {
  const column = (typeof type === 'string' ? { type } : type) as Column<ValueOf<C>>;
  return { column, declared: declared ?? ({} as D) };
}

/** The name of a field in JSON and SQL: `created_at` for `createdAt`. */
export type WireName<
  Name extends string,
  Done extends string = '',
> = Name extends `${infer Char}${infer Rest}`
  ? WireName<Rest, `${Done}${Char extends Lowercase<Char> ? Char : `_${Lowercase<Char>}`}`>
  : Done;

/** Returns the fields with their names in the program, and in JSON and SQL. */
export function named(fields: Fields): (Field & { name: string; wire: string })[] {
  return Object.entries(fields).map(([name, one]) => ({
    ...one,
    name,
    wire: name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
  }));
}

/** The type of a field in the program. */
export type Value<F> = F extends Field<infer T> ? T : never;

type KeysWith<F, D> = { [K in keyof F]: F[K] extends { declared: D } ? K : never }[keyof F] & string;
export type SecretKeys<F> = KeysWith<F, { secret: true }>;
export type StoredKeys<F> = Exclude<keyof F & string, KeysWith<F, { stored: false }>>;
export type DefaultKeys<F> = KeysWith<F, { default: unknown }>;
export type ShownKeys<F> = KeysWith<F, { shown: true | object }>;
/** Names of fields that views may lack. */
export type OptionalKeys<F> = KeysWith<F, { shown: { optional: true } }>;
/** Names of the fields that the request sets; by default, of those that any request sets. */
export type SettableKeys<F, R extends SettingRequest = SettingRequest> = {
  [K in keyof F]: F[K] extends { declared: { settable: readonly (infer S)[] } }
    ? [Extract<S, R>] extends [never]
      ? never
      : K
    : never;
}[keyof F] &
  string;

/** Shows an intersection as one type. */
export type Flat<T> = { [K in keyof T]: T[K] };
