/** A JSON schema of the OpenAPI document. */
export interface Schema {
  $ref?: string;
  type?: string | string[];
  description?: string;
  properties?: Record<string, Schema>;
  required?: string[];
  enum?: unknown[];
  [keyword: string]: unknown;
}

const PREFIX = '#/components/schemas/';
/** Keywords that help readers of the document but not a program. */
const DROPPED = new Set(['example', 'examples', 'allowEmptyValue', 'deprecated']);

/**
 * Returns a schema without references: each is replaced by what it refers to.
 * @param named the schemas of the document
 */
export function plainSchema(schema: Schema, named: Readonly<Record<string, Schema>>): Schema {
  return plain(schema, named) as Schema;
}

function plain(value: unknown, named: Readonly<Record<string, Schema>>): unknown {
  if (Array.isArray(value)) return value.map((part) => plain(part, named));
  if (typeof value !== 'object' || value === null) return value;
  const { $ref, ...schema } = value as Schema;
  if ($ref !== undefined) return plain({ ...named[$ref.slice(PREFIX.length)], ...schema }, named);
  const kept = Object.entries(schema).filter(([key]) => !DROPPED.has(key));
  return Object.fromEntries(
    kept.map(([key, part]) => [
      key,
      key === 'properties' ? plainProperties(part, named) : plain(part, named),
    ]),
  );
}

/** A property may have the name of a keyword. */
function plainProperties(properties: unknown, named: Readonly<Record<string, Schema>>): object {
  const entries = Object.entries(properties as Record<string, Schema>);
  return Object.fromEntries(entries.map(([name, schema]) => [name, plain(schema, named)]));
}

/** Returns a schema that does not allow null: an absent argument says the same. */
export function withoutNull({ type, ...schema }: Schema): Schema {
  const types = [type ?? []].flat().filter((one) => one !== 'null');
  return {
    ...schema,
    ...(types.length > 0 && { type: types.length === 1 ? (types[0] as string) : types }),
    ...(schema.enum && { enum: schema.enum.filter((one) => one !== null) }),
  };
}
