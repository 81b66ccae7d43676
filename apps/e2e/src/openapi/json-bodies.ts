import { committed } from './committed.js';
import type { Example } from './examples.js';

export interface Schema {
  $ref?: string;
  type?: string | string[];
  properties?: Record<string, Schema>;
  required?: string[];
  allOf?: Schema[];
}
interface Operation {
  operationId: string;
  security?: Record<string, string[]>[];
  requestBody?: {
    content: Record<string, { schema?: Schema; examples?: Record<string, { value: unknown }> }>;
  };
  responses: Record<string, unknown>;
}

/** An operation with a JSON body, and one of its examples. */
export interface JsonBody {
  example: Example;
  /** Name of the example in the document. */
  exampleName: string;
  schema: Schema;
  /** Documented status codes. */
  documented: number[];
}

const document = committed().api as unknown as {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
};

/** Returns every example of every JSON body in the OpenAPI document. */
export function jsonBodies(): JsonBody[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, { operationId, security = [], requestBody, responses }]) => {
      const type = 'application/json';
      const { schema, examples = {} } = requestBody?.content[type] ?? {};
      if (!schema) return [];
      const callers = security.flatMap((one) => one.token ?? []);
      return Object.entries(examples).map(([exampleName, { value }]) => ({
        example: { operationId, method: method.toUpperCase(), path, callers, type, value },
        exampleName,
        schema: resolved(schema),
        documented: Object.keys(responses).map(Number),
      }));
    }),
  );
}

/** Resolves references. */
export function resolved({ $ref, allOf, ...schema }: Schema): Schema {
  if ($ref !== undefined) return resolved(document.components.schemas[$ref.split('/').at(-1) ?? ''] ?? {});
  return allOf?.[0] ? { ...resolved(allOf[0]), ...schema } : schema;
}
