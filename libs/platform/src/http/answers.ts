import { applyDecorators } from '@nestjs/common';
import type { Type } from '@nestjs/common';
import { ApiProperty, ApiResponse } from '@nestjs/swagger';

/** Describes a field of an answer for {@link Field}. */
export interface FieldOptions {
  /**
   * Example in the document. Determines the type of texts, numbers, booleans, plain objects and
   * lists of those.
   */
  example?: unknown;
  description?: string;
  /** The field may be absent. */
  optional?: boolean;
  /** The field may be null. */
  nullable?: boolean;
  /** Not for booleans: client generators read a constant as a text. */
  enum?: readonly (string | number)[];
  /** An object of texts with arbitrary keys. */
  ofTexts?: true;
  /** The class of a nested view, or `() => View` if it is declared further down. */
  type?: Type | (() => Type);
  /** With `type` or `enum`: a list of those. */
  isArray?: boolean;
}

const EXAMPLES = 'tieline:answer-examples';

/**
 * Declares a field of a class that a handler returns. The OpenAPI document is generated from these,
 * and the tests check every answer against it. An answer must not have other fields.
 */
export function Field(options: FieldOptions): PropertyDecorator {
  if (options.example === null && options.type === undefined && options.enum === undefined)
    throw new Error('null tells no type: give an example of what the field holds otherwise');
  return (target, key) => {
    const { optional = false, nullable, description } = options;
    const stated = description === undefined ? {} : { description };
    const property = {
      required: !optional,
      ...stated,
      ...(nullable ? { nullable } : {}),
      ...schemaOf(options),
    };
    ApiProperty(property as Parameters<typeof ApiProperty>[0])(target, key);
    const known = Reflect.getMetadata(EXAMPLES, target) as Record<string, FieldOptions> | undefined;
    Reflect.defineMetadata(EXAMPLES, { ...known, [key]: options }, target);
  };
}

function schemaOf({ example, type, isArray, enum: values, ofTexts }: FieldOptions): object {
  if (ofTexts) return { type: 'object', additionalProperties: { type: 'string' }, example };
  if (type !== undefined) return { type, isArray: isArray ?? false };
  if (values !== undefined && isArray)
    return { type: 'array', items: { type: 'string', enum: values }, example: example ?? [values[0]] };
  if (values !== undefined) return { enum: values, ...ofExample(example ?? values[0]) };
  return ofExample(example);
}

function ofExample(example: unknown): object {
  if (Array.isArray(example)) return { type: 'array', items: ofExample(example[0]), example };
  switch (typeof example) {
    case 'string':
    case 'boolean':
      return { type: typeof example, example };
    case 'number':
      return { type: Number.isInteger(example) ? 'integer' : 'number', example };
    default:
      // An object with arbitrary keys.
      return { type: 'object', additionalProperties: true, example };
  }
}

/** Returns an answer of this class with the examples of its fields. */
export function exampleOf(answer: Type): Record<string, unknown> {
  const fields = Reflect.getMetadata(EXAMPLES, answer.prototype as object) as
    Record<string, FieldOptions> | undefined;
  return Object.fromEntries(Object.entries(fields ?? {}).map(([key, field]) => [key, exampleField(field)]));
}

function exampleField({ example, type, isArray, enum: values }: FieldOptions): unknown {
  if (example !== undefined || type === undefined) return example ?? (isArray ? [values?.[0]] : values?.[0]);
  const nested = exampleOf(isClass(type) ? type : type());
  return isArray ? [nested] : nested;
}

const isClass = (type: Type | (() => Type)): type is Type => type.prototype !== undefined;

/** Declares the success answer of a route: the class that its handler returns. */
export function Answers(
  answer: Type,
  { status = 200, description = 'success' }: { status?: number; description?: string } = {},
): MethodDecorator {
  return applyDecorators(ApiResponse({ status, description, type: answer, example: exampleOf(answer) }));
}

/** The answer of a route that returns nothing else. */
export class OkAnswer {
  @Field({ example: true })
  ok: true;
}

/** The answer of a paged list. */
export class PageAnswer extends OkAnswer {
  @Field({ example: '', description: '`cursor` of the next page; empty on the last one' })
  next_cursor: string;
}
