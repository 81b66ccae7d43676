import { applyDecorators } from '@nestjs/common';
import type { Type } from '@nestjs/common';
import { ApiExtension, ApiExtraModels, getSchemaPath } from '@nestjs/swagger';
import type { OpenAPIObject } from '@nestjs/swagger';

const EXTENSION = 'x-exact-body';

/** A body of one media type: its class, a text or the fields of a form, and named examples. */
export interface BodyOfType {
  type: Type | 'text' | 'form';
  examples: Readonly<Record<string, { summary?: string; value: unknown }>>;
}

const SCHEMAS = {
  text: { type: 'string' },
  // Without a name: client generators import the class of a form, but don't generate it.
  form: { type: 'object', additionalProperties: { type: 'string' } },
};

/** Documents a body with a different form for each of its media types. */
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

/** Moves the bodies to their place in the document. */
export function showExactBodies({ paths }: OpenAPIObject): void {
  const operations = Object.values(paths).flatMap((path) => [path.post, path.put, path.patch]);
  for (const operation of operations as (Record<string, unknown> | undefined)[]) {
    if (operation?.[EXTENSION] === undefined) continue;
    operation.requestBody = operation[EXTENSION];
    delete operation[EXTENSION];
  }
}
