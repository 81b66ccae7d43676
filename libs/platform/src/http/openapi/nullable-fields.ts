import type { Type } from '@nestjs/common';
import type { OpenAPIObject } from '@nestjs/swagger';
import { getMetadataStorage } from 'class-validator';
import { MAY_BE_EMPTY } from '../bodies/field-rules.js';
import { EMPTY_OR_UUID } from '../page-query.js';
import type { JsonSchema, NamedSchemas } from './schemas.js';

/** Where @nestjs/swagger stores the declarations of a class. */
const FIELDS = 'swagger/apiModelPropertiesArray';
const FIELD = 'swagger/apiModelProperties';
const MODELS = 'swagger/apiExtraModels';

/**
 * Marks optional fields of bodies that accept null as absent. `@IsOptional()` of class-validator
 * and `@MayBeEmpty()` accept null, whatever `@ApiProperty` declares; the second also accepts the
 * empty string.
 */
export function describeNullableFields(document: OpenAPIObject, classes: readonly Type[]): void {
  const schemas = (document.components?.schemas ?? {}) as NamedSchemas;
  const bodies = new Set<Type>();
  for (const one of classes) addWithFields(one, bodies);
  for (const body of bodies) {
    const properties = schemas[body.name]?.properties ?? {};
    for (const { propertyName: name, context, name: rule } of rulesOf(body)) {
      const property = properties[name];
      if (!property) continue;
      if (context === MAY_BE_EMPTY) properties[name] = orNull(orEmpty(property));
      else if (rule === 'isOptional') properties[name] = orNull(property);
    }
  }
}

const rulesOf = (body: Type): { propertyName: string; name?: string; context?: unknown }[] =>
  getMetadataStorage().getTargetValidationMetadatas(body, '', false, false);

/** Returns the schema, or null, as a schema. */
export function orNull(schema: JsonSchema): JsonSchema {
  const { type, $ref, allOf, anyOf, oneOf, ...rest } = schema;
  const nothing = { type: 'null' };
  const [only] = allOf ?? [];
  if ($ref !== undefined) return { ...rest, anyOf: [{ $ref }, nothing] };
  if (only) return { ...rest, anyOf: [only, nothing] };
  const alternatives = anyOf ?? oneOf;
  if (alternatives) {
    const isNullable = alternatives.some((one) => one.type === 'null');
    const all = isNullable ? alternatives : [...alternatives, nothing];
    return { ...rest, ...(anyOf ? { anyOf: all } : { oneOf: all }) };
  }
  if (type === undefined) return schema;
  return { ...withNull(rest), type: [...new Set([type, 'null'].flat())] };
}

/**
 * With a default beside values that include null, generators for Go write code that doesn't
 * compile. The default goes to the description.
 */
function withNull({ enum: values, default: value, ...rest }: JsonSchema): JsonSchema {
  if (!values) return { ...rest, ...(value !== undefined && { default: value }) };
  const words = [rest.description, ...(value === undefined ? [] : [`default: ${String(value)}`])];
  const description = words.filter(Boolean).join('; ');
  return {
    ...rest,
    ...(description && { description }),
    enum: values.includes(null) ? values : [...values, null],
  };
}

function orEmpty({ format, minLength: _, ...rest }: JsonSchema): JsonSchema {
  if (format !== 'uuid') return { ...rest, ...(format !== undefined && { format }) };
  return { ...rest, pattern: EMPTY_OR_UUID };
}

/** Adds a class and the classes of its fields, at any depth. */
function addWithFields(one: Type, found: Set<Type>): void {
  if (typeof one !== 'function' || !one.prototype || found.has(one)) return;
  const prototype = one.prototype as object;
  const fields = Reflect.getMetadata(FIELDS, prototype) as string[] | undefined;
  if (!fields) return;
  found.add(one);
  for (const field of fields) {
    const { type } = Reflect.getMetadata(FIELD, prototype, field.slice(1)) as { type?: unknown };
    for (const nested of [type].flat()) addWithFields(classOf(nested), found);
  }
  for (const model of (Reflect.getMetadata(MODELS, one) as Type[] | undefined) ?? [])
    addWithFields(model, found);
}

/** Unwraps a class, a function that returns it, or a list of it. */
function classOf(type: unknown): Type {
  const isClass = typeof type !== 'function' || type.prototype !== undefined;
  return (isClass ? type : [(type as () => unknown)()].flat()[0]) as Type;
}
