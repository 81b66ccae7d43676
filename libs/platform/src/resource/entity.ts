import { Column as EntityColumn } from 'typeorm';
import type { ColumnType as EntityType } from 'typeorm';
import type { Column } from '../database/columns.js';
import { rfc3339 } from '../database/rfc3339.js';
import { named } from './field.js';
import type { Field, Fields, Flat, SecretKeys, StoredKeys, Value } from './field.js';

/** A row of the table. Secrets are present if the query named them. */
export type EntityOf<F> = Flat<
  { [K in Exclude<StoredKeys<F>, SecretKeys<F>>]: Value<F[K]> } & {
    [K in SecretKeys<F>]?: Value<F[K]>;
  }
>;

/**
 * Returns the base class of an entity:
 * `@Entity('bots') export class Bot extends entityOf(BOT) {}`.
 */
export function entityOf<F extends Fields>(fields: F): new () => EntityOf<F> {
  class Stored {}
  for (const { name, wire, column, declared } of named(fields).filter(isStored)) {
    const element = column.type.replace('[]', '');
    EntityColumn({
      name: wire,
      type: element === 'json' ? 'jsonb' : (element as EntityType),
      array: element !== column.type,
      nullable: column.nullable ?? false,
      primary: declared.key ?? false,
      select: !declared.secret,
    })(Stored.prototype, name);
  }
  return Stored as new () => EntityOf<F>;
}

const isStored = ({ declared }: Field): boolean => declared.stored !== false;

/** The type of a selected value: times are texts with microseconds (RFC 3339). */
type Selected<T> = T extends Date ? string : T;

/** A part of a SELECT list, and the columns it returns. */
export interface Selection<F> {
  sql: string;
  columns: { readonly [K in StoredKeys<F>]: Column<Selected<Value<F[K]>>> };
}

/** Returns the part of a SELECT list for the stored fields of the table with this alias. */
export function selectionOf<F extends Fields>(fields: F, alias: string): Selection<F> {
  const selected = named(fields)
    .filter(isStored)
    .map(({ name, wire, column }) => {
      const source = `${alias}.${wire}`;
      const isTime = column.type === 'timestamptz';
      return {
        sql: `${isTime ? rfc3339(source) : source} AS "${name}"`,
        column: [name, isTime ? { ...column, type: 'text' } : column] as const,
      };
    });
  return {
    sql: selected.map(({ sql }) => sql).join(',\n  '),
    columns: Object.fromEntries(selected.map(({ column }) => column)) as Selection<F>['columns'],
  };
}
