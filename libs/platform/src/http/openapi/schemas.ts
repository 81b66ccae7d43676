/** The parts of a JSON Schema that are rewritten here. */
export interface JsonSchema {
  $ref?: string;
  title?: string;
  type?: string | string[];
  enum?: unknown[];
  properties?: Record<string, JsonSchema>;
  allOf?: JsonSchema[];
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  [keyword: string]: unknown;
}
export type NamedSchemas = Record<string, JsonSchema>;

const PREFIX = '#/components/schemas/';

export const refTo = (name: string): string => `${PREFIX}${name}`;

/** Returns the name of the schema that a reference points to. */
export const nameOf = ($ref: string): string => $ref.slice(PREFIX.length);

/** Calls `visit` for every object within a value, outside examples; parts before the whole. */
export function eachObject(value: unknown, visit: (schema: JsonSchema) => void): void {
  if (typeof value !== 'object' || value === null) return;
  for (const [key, part] of Object.entries(value))
    if (key !== 'example' && key !== 'examples' && key !== 'default') eachObject(part, visit);
  if (!Array.isArray(value)) visit(value as JsonSchema);
}
