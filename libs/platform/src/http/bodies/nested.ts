import { Allow } from 'class-validator';

const NESTED = 'tieline:nested';

type ClassOf = (value: object) => new () => object;

/** Describes the field for {@link Nested} and {@link NestedList}. */
export interface NestedField {
  classOf: ClassOf;
  isList: boolean;
  /** Fields that must be unique within the list. */
  unique?: readonly string[];
}

/**
 * A DTO field with an object of another class, for a `bodyReader`, which checks it after the other
 * rules of the field.
 */
export const Nested = (classOf: ClassOf): PropertyDecorator => nested({ classOf, isList: false });

/**
 * Like {@link Nested}, for a list of objects. `classOf` may choose the class of an item by its
 * value; `unique` names fields that must be unique within the list. Another rule has to check that
 * it is a list, and its length.
 */
export const NestedList = (
  classOf: ClassOf,
  { unique }: { unique?: string | readonly string[] } = {},
): PropertyDecorator =>
  nested({ classOf, isList: true, ...(unique !== undefined && { unique: [unique].flat() }) });

function nested(field: NestedField): PropertyDecorator {
  return (target, key) => {
    Allow()(target, key as string);
    Reflect.defineMetadata(NESTED, field, target, key);
  };
}

/** @internal */
export function nestedOf(Dto: new () => object, field: string): NestedField | undefined {
  return Reflect.getMetadata(NESTED, Dto.prototype as object, field) as NestedField | undefined;
}
