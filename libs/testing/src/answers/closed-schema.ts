export type Schema = Record<string, unknown>;

/**
 * Converts the schema to JSON Schema and closes it: properties that it does not name are not
 * allowed.
 */
export function closed(schema: Schema): Schema {
  const { properties, items, $ref, allOf, anyOf, oneOf, ...rest } = schema;
  const result: Schema = { ...rest };
  if ($ref !== undefined) result.$ref = `openapi${String($ref)}`;
  if (items !== undefined) result.items = closed(items as Schema);
  if (allOf !== undefined) result.allOf = (allOf as Schema[]).map(closed);
  if (anyOf !== undefined) result.anyOf = (anyOf as Schema[]).map(closed);
  if (oneOf !== undefined) result.oneOf = (oneOf as Schema[]).map(closed);
  if (properties !== undefined) {
    result.properties = closedAll(properties as Record<string, Schema>);
    result.additionalProperties ??= false;
  }
  return result;
}

export const closedAll = (schemas: Record<string, Schema>): Record<string, Schema> =>
  Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, closed(schema)]));
