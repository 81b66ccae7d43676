import { applyDecorators } from '@nestjs/common';
import type { Type } from '@nestjs/common';
import { ApiExtension, ApiExtraModels, getSchemaPath } from '@nestjs/swagger';
import type { OpenAPIObject } from '@nestjs/swagger';

const EXTENSION = 'x-exact-body';

/**
 * A body of one media type: its class, a text or the fields of a form, and examples by their names.
 */
export interface BodyOfType {
  type: Type | 'text' | 'form';
  examples: Readonly<Record<string, { summary?: string; value: unknown }>>;
}

const SCHEMAS = {
  text: { type: 'string' },
  // Without a name: generators of clients import the class of a form, and don't make it.
  form: { type: 'object', additionalProperties: { type: 'string' } },
};

/** Describes a body that looks different in each of its media types. */
export function ExactBody(description: string, types: Readonly<Record<string, BodyOfType>>): MethodDecorator {
  const content = Object.entries(types).map(([media, { type, examples }]) => [
    media,
    { schema: typeof type === 'string' ? SCHEMAS[type] : { $ref: getSchemaPath(type) }, examples },
  ]);
  const classes = Object.values(types).flatMap(({ type }) => (typeof type === 'string' ? [] : [type]));
  return applyDecorators(
    ApiExtraModels(...classes),
    ApiExtension(EXTENSION, { required: true, description, content: Object.fromEntries(content) }),
  );
}

/** Puts them where the document has bodies. */
export function showExactBodies({ paths }: OpenAPIObject): void {
  const operations = Object.values(paths).flatMap((path) => [path.post, path.put, path.patch]);
  for (const operation of operations as (Record<string, unknown> | undefined)[]) {
    if (operation?.[EXTENSION] === undefined) continue;
    operation.requestBody = operation[EXTENSION];
    delete operation[EXTENSION];
  }
}
