export type Schema = Record<string, unknown>;

/**
 * Converts the schema to JSON Schema and closes it: properties that it does not name are not
 * allowed.
 */
export function closed(schema: Schema): Schema {
  const { properties, items, $ref, allOf, anyOf, oneOf, ...rest } = schema;
  const made: Schema = { ...rest };
  if ($ref !== undefined) made.$ref = `openapi${String($ref)}`;
  if (items !== undefined) made.items = closed(items as Schema);
  if (allOf !== undefined) made.allOf = (allOf as Schema[]).map(closed);
  if (anyOf !== undefined) made.anyOf = (anyOf as Schema[]).map(closed);
  if (oneOf !== undefined) made.oneOf = (oneOf as Schema[]).map(closed);
  if (properties !== undefined) {
    made.properties = closedAll(properties as Record<string, Schema>);
    made.additionalProperties ??= false;
  }
  return made;
}

export const closedAll = (schemas: Record<string, Schema>): Record<string, Schema> =>
  Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, closed(schema)]));
