import type { OpenAPIObject } from '@nestjs/swagger';
import { eachObject, refTo } from './schemas.js';
import type { JsonSchema, NamedSchemas } from './schemas.js';

/**
 * Rewrites `anyOf` and `oneOf` so that client generators can create a type for each: they need a
 * name for every alternative.
 * - Alternatives within alternatives become one list.
 * - Texts, numbers, booleans and lists become one schema with several types.
 * - An alternative with a `title` becomes a schema of that name.
 * @throws Error if two different alternatives have the same title
 */
export function nameAlternatives(document: OpenAPIObject): void {
  const schemas = (document.components ??= {}).schemas as NamedSchemas;
  eachObject(document, (schema) => {
    for (const kind of ['anyOf', 'oneOf'] as const) {
      const given = schema[kind];
      if (!given) continue;
      const alternatives = given.flatMap((one) =>
        isListAlone(one) ? (one.anyOf ?? one.oneOf ?? []) : [one],
      );
      if (alternatives.every(isPlain)) {
        delete schema[kind];
        Object.assign(schema, ...alternatives, { type: alternatives.map(({ type }) => type as string) });
      } else schema[kind] = alternatives.map((one) => named(one, schemas));
    }
  });
}

const PLAIN = ['string', 'number', 'integer', 'boolean', 'array', 'null'];
const isPlain = ({ type }: JsonSchema): boolean => PLAIN.includes(type as string);

const isListAlone = (schema: JsonSchema): boolean =>
  Object.keys(schema).every((key) => key === 'anyOf' || key === 'oneOf');

function named(schema: JsonSchema, schemas: NamedSchemas): JsonSchema {
  const { title, ...rest } = schema;
  if (title === undefined) return schema;
  const known = schemas[title];
  if (known && JSON.stringify(known) !== JSON.stringify(rest))
    throw new Error(`two schemas are called ${title}`);
  schemas[title] = rest;
  return { $ref: refTo(title) };
}
