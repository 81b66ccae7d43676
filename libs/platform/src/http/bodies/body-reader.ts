import { getMetadataStorage } from 'class-validator';
import type { ValidationArguments, ValidatorConstraintInterface } from 'class-validator';
import { invalidField, invalidJson } from '../api-error.js';
import { typeProblem } from './declared-type.js';
import { CONVERT } from './conversions.js';
import { nestedOf } from './nested.js';
import type { NestedField } from './nested.js';

type Metadata = ReturnType<ReturnType<typeof getMetadataStorage>['getTargetValidationMetadatas']>[number];
type Body = Readonly<Record<string, unknown>>;

interface Rule {
  name: string;
  validator: ValidatorConstraintInterface;
  message: Metadata['message'] | undefined;
  /** The arguments of the decorator, which built-in rules such as `IsIn` read from here. */
  constraints: unknown[];
  /** Whether the rule applies to each item of a list. */
  each: boolean;
}

interface Field {
  name: string;
  /** From `@ValidateIf` and `@IsOptional`: the rules apply only if all of these return true. */
  conditions: ((body: unknown, value: unknown) => boolean)[];
  /** From {@link Convert}. */
  conversions: ((value: unknown) => unknown)[];
  rules: Rule[];
  nested: NestedField | undefined;
}

type Reader<T> = (given: unknown, place?: string) => T;

const SUPPORTED = ['customValidation', 'conditionalValidation', 'whitelistValidation'];

/**
 * Creates a reader of one DTO class. It keeps the class's class-validator rules at hand, which
 * `validate()` looks up and groups again for every body, at 20 µs each. Fields are checked in the
 * order of the class, the rules of a field from the lowest decorator up, then nested objects. The
 * first broken rule is the answer. Fields without a decorator are dropped.
 * @returns a function that throws 400 with the text of the broken rule, or `invalid JSON` if there
 * is no object. In texts `$property` is the path of the field: `blocks[1].elements[0].text`;
 * `place` is the path of the body itself, if it has one
 * @throws Error for decorators that it does not support: `@ValidateNested` (see {@link Nested}) and
 * asynchronous ones
 */
export function bodyReader<T extends object>(Dto: new () => T): Reader<T> {
  const readers = new Map<new () => object, Reader<object>>();
  const readerOf = (Class: new () => object): Reader<object> => {
    const reader = readers.get(Class) ?? makeReader(Class, readerOf);
    readers.set(Class, reader);
    return reader;
  };
  return readerOf(Dto) as Reader<T>;
}

/** Whether class-validator knows rules for a class. */
export function hasRules(Class: new (...args: never[]) => unknown): boolean {
  return rulesFor(Class).length > 0;
}

function rulesFor(Class: new (...args: never[]) => unknown): Metadata[] {
  return getMetadataStorage().getTargetValidationMetadatas(Class, '', false, false);
}

function makeReader(
  Dto: new () => object,
  readerOf: (Class: new () => object) => Reader<object>,
): Reader<object> {
  const fields = fieldsOf(Dto);
  return (given, place) => {
    if (typeof given !== 'object' || given === null) throw invalidJson();
    const body = new Dto() as Record<string, unknown>;
    for (const { name, conversions } of fields)
      if (Object.hasOwn(given, name))
        body[name] = conversions.reduce((value, convert) => convert(value), (given as Body)[name]);
    for (const field of fields) {
      const at = place === undefined ? field.name : `${place}.${field.name}`;
      if (!keepsRules(Dto.name, field, body, at) || !field.nested) continue;
      body[field.name] = readNested(field.nested, readerOf, body[field.name], at);
    }
    return body;
  };
}

/** @returns whether the rules apply to the field: there may be conditions */
function keepsRules(
  targetName: string,
  { name: property, conditions, rules }: Field,
  body: Body,
  at: string,
): boolean {
  const value = body[property];
  if (!conditions.every((holds) => holds(body, value))) return false;
  const args: ValidationArguments = { targetName, property, object: body, value, constraints: [] };
  for (const { name, validator, message, constraints, each } of rules) {
    args.constraints = constraints;
    const holds = (one: unknown): boolean => validator.validate(one, args) as boolean;
    if (each ? Array.isArray(value) && value.every(holds) : holds(value)) continue;
    throw invalidField(
      at,
      typeProblem(body, property, value, name, at) ?? textOf(validator, message, args, at),
    );
  }
  return true;
}

function readNested(
  nested: NestedField,
  readerOf: (Class: new () => object) => Reader<object>,
  value: unknown,
  at: string,
): unknown {
  const readOne = (one: unknown, place: string): object => {
    if (typeof one !== 'object' || one === null || Array.isArray(one))
      throw invalidField(place, `${place}: must be an object`);
    return readerOf(nested.classOf(one))(one, place);
  };
  if (!nested.isList) return readOne(value, at);
  const items = (value as unknown[]).map((one, index) => readOne(one, `${at}[${index}]`));
  for (const field of nested.unique ?? []) requireDistinct(items as Body[], field, at);
  return items;
}

function requireDistinct(items: readonly Body[], field: string, at: string): void {
  const seen = new Set<unknown>();
  items.forEach((item, index) => {
    if (seen.has(item[field]))
      throw invalidField(`${at}[${index}].${field}`, `${at}[${index}].${field}: appears twice`);
    seen.add(item[field]);
  });
}

function textOf(
  { defaultMessage }: ValidatorConstraintInterface,
  message: Rule['message'],
  args: ValidationArguments,
  at: string,
): string {
  const text =
    typeof message === 'function' ? message(args) : (message ?? defaultMessage?.(args) ?? 'invalid request');
  return text
    .replaceAll('$property', () => at)
    .replaceAll(/\$constraint(\d+)/g, (placeholder, number: string) => {
      const constraint: unknown = args.constraints[Number(number) - 1];
      return constraint === undefined ? placeholder : [constraint].flat().join(', ');
    });
}

function fieldsOf(Dto: new () => object): Field[] {
  const fields = new Map<string, Field>();
  for (const metadata of rulesFor(Dto)) {
    if (!SUPPORTED.includes(metadata.type) || metadata.validateIf)
      throw new Error(`${Dto.name}.${metadata.propertyName}: the body reader does not know ${metadata.type}`);
    const name = metadata.propertyName;
    const field = fields.get(name) ?? {
      name,
      conditions: [],
      conversions: [],
      rules: [],
      nested: nestedOf(Dto, name),
    };
    fields.set(name, field);
    if (metadata.type === 'conditionalValidation') field.conditions.push(metadata.constraints[0]);
    else if (metadata.name === CONVERT) field.conversions.push(metadata.constraints[0]);
    else if (metadata.type === 'customValidation') field.rules.push(...rulesOf(metadata));
  }
  return [...fields.values()];
}

function rulesOf({ name = '', constraintCls, message, propertyName, constraints, each }: Metadata): Rule[] {
  return getMetadataStorage()
    .getTargetValidatorConstraints(constraintCls)
    .map(({ async: isAsync, instance: validator }) => {
      if (isAsync) throw new Error(`${propertyName}: the body reader knows no asynchronous rule`);
      return { name, validator, message, each, constraints: (constraints as unknown[] | undefined) ?? [] };
    });
}
