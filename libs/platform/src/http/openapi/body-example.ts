import type { Type } from '@nestjs/common';
import { ApiExtension } from '@nestjs/swagger';
import type { OpenAPIObject } from '@nestjs/swagger';

const EXTENSION = 'x-body-example';

interface NamedExample {
  name: string;
  value: object;
  /** The class of the example. */
  of: Type;
}

/**
 * Declares the smallest useful body of a class under a descriptive name. The document shows it at
 * every operation with such a body, and the tests send it unchanged.
 */
export function BodyExample(name: string, value: object): ClassDecorator {
  return (target) => {
    ApiExtension(EXTENSION, { name, value, of: target as unknown as Type } satisfies NamedExample)(target);
  };
}

type Schemas = Record<string, Record<string, unknown>>;
interface Media {
  schema?: { $ref?: string };
  examples?: Record<string, { value: object }>;
}

/** Returns the classes of bodies with an example. Call it before {@link showBodyExamples}. */
export const classesWithExample = (document: OpenAPIObject): Type[] =>
  Object.values((document.components?.schemas ?? {}) as Schemas).flatMap((schema) => {
    const example = schema[EXTENSION] as NamedExample | undefined;
    return example ? [example.of] : [];
  });

/** Moves the examples of classes to the operations that take them. */
export function showBodyExamples(document: OpenAPIObject): void {
  const schemas = (document.components?.schemas ?? {}) as Schemas;
  for (const media of bodiesOf(document)) {
    const name = media.schema?.$ref?.split('/').at(-1) ?? '';
    const example = schemas[name]?.[EXTENSION] as NamedExample | undefined;
    if (example) media.examples = { [example.name]: { value: example.value } };
  }
  for (const schema of Object.values(schemas)) delete schema[EXTENSION];
}

function bodiesOf({ paths }: OpenAPIObject): Media[] {
  return Object.values(paths)
    .flatMap((path) => [path.post, path.put, path.patch, path.delete])
    .flatMap((operation) => {
      const body = operation?.requestBody;
      return body && !('$ref' in body) ? (Object.values(body.content) as Media[]) : [];
    });
}
