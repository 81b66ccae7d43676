import { applyDecorators } from '@nestjs/common';
import type { Type } from '@nestjs/common';
import { ApiExtension, ApiExtraModels, getSchemaPath } from '@nestjs/swagger';
import type { OpenAPIObject } from '@nestjs/swagger';

const EXTENSION = 'x-exact-body';

/** A body of one media type: its class, or a text, and examples by their names. */
export interface BodyOfType {
  type: Type | 'text';
  examples: Readonly<Record<string, { summary?: string; value: unknown }>>;
}

/** Describes a body that looks different in each of its media types. */
export function ExactBody(description: string, types: Readonly<Record<string, BodyOfType>>): MethodDecorator {
  const content = Object.entries(types).map(([media, { type, examples }]) => [
    media,
    { schema: type === 'text' ? { type: 'string' } : { $ref: getSchemaPath(type) }, examples },
  ]);
  const classes = Object.values(types).flatMap(({ type }) => (type === 'text' ? [] : [type]));
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
