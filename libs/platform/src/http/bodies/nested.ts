import { Allow } from 'class-validator';

const NESTED = 'tieline:nested';

type ClassOf = (value: object) => new () => object;

/** What {@link Nested} and {@link NestedList} say of a field. */
export interface NestedField {
  classOf: ClassOf;
  isList: boolean;
  /** Fields that no two items of the list may share. */
  unique?: readonly string[];
}

/**
 * A DTO field that holds an object of a class of its own; for a `bodyReader`, which checks it after
 * the field's other rules.
 */
export const Nested = (classOf: ClassOf): PropertyDecorator => nested({ classOf, isList: false });

/**
 * The same for a list of objects. `classOf` may choose an item's class by its value; `unique` names
 * fields that no two items may share. That it is a list at all, and how long, is for another rule
 * of the field.
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
