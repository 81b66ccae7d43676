/*
 * The server's rules, repeated here to check them before a request is sent. A test compares them,
 * including their texts, with the server's.
 */

/** A broken rule and its place: `elements[0].text`. */
export interface Problem {
  readonly place: string;
  readonly rule: string;
}

const REQUIRED = 'is required';

export type Fields = Readonly<Record<string, unknown>>;
/** Checks a value, which may be missing. `owner` is the object that contains it. */
export type Check = (value: unknown, place: string, owner: Fields) => Problem | undefined;

/**
 * Error of the builders. Its text names place and rule, like the server: `elements[0].action_id:
 * must match …`.
 */
export class LimitError extends RangeError {
  override readonly name = 'LimitError';

  constructor(
    readonly place: string,
    readonly rule: string,
  ) {
    super(`${place}: ${rule}`);
  }
}

/** @throws LimitError when there is a problem */
export function throwIfProblem(problem: Problem | undefined): void {
  if (problem) throw new LimitError(problem.place, problem.rule);
}

/**
 * Creates a check of a required value. `problem` returns the text of the broken rule, or undefined.
 */
export function rule(problem: (value: unknown, owner: Fields) => string | undefined): Check {
  return (value, place, owner) => {
    const text = isMissing(value) ? REQUIRED : problem(value, owner);
    return text === undefined ? undefined : { place, rule: text };
  };
}

/** Makes a check accept absent values and null. */
export function optional(check: Check): Check {
  return (value, place, owner) => (isMissing(value) ? undefined : check(value, place, owner));
}

/** Checks the fields of an object in this order. Ignores unknown fields. */
export function object(shape: Readonly<Record<string, Check>>): Check {
  return (value, place) => {
    if (isMissing(value)) return { place, rule: REQUIRED };
    if (!isObject(value)) return { place, rule: 'must be an object' };
    for (const [name, check] of Object.entries(shape)) {
      const at = place === '' ? name : `${place}.${name}`;
      const problem = check(value[name], at, value);
      if (problem) return problem;
    }
    return undefined;
  };
}

/** Checks the length and the items of a list, and that the values of the field `unique` differ. */
export function list({ min = 0, max }: { min?: 0 | 1; max: number }, item?: Check, unique?: string): Check {
  return (value, place) => {
    if (isMissing(value)) return { place, rule: REQUIRED };
    if (!Array.isArray(value)) return { place, rule: 'must be a list' };
    if (value.length < min || value.length > max)
      return { place, rule: min === 0 ? `at most ${max}` : `must have ${min} to ${max} items` };
    const seen = new Set<unknown>();
    for (const [index, one] of value.entries()) {
      const problem = item?.(one ?? '', `${place}[${index}]`, {}); // an item can't be missing: null is a wrong one
      if (problem) return problem;
      if (unique === undefined) continue;
      const key = (one as Fields)[unique];
      if (seen.has(key)) return { place: `${place}[${index}].${unique}`, rule: 'appears twice' };
      seen.add(key);
    }
    return undefined;
  };
}

/** Checks the length of a text in code points. With a minimum, it must not be blank. */
export function text({ min = 0, max }: { min?: 0 | 1; max: number }): Check {
  const range = min === 0 ? `up to ${max}` : `${min} to ${max}`;
  const fits = satisfying(
    (value) => characters(value as string) <= max && (min === 0 || (value as string).trim() !== ''),
    `must be a text of ${range} characters`,
  );
  const isString = satisfying((value) => typeof value === 'string', 'must be a string');
  return (value, place, element) => isString(value, place, element) ?? fits(value, place, element);
}

export function matching(form: RegExp): Check {
  return satisfying((value) => typeof value === 'string' && form.test(value), `must match ${form.source}`);
}

/** Checks that a text is one of those allowed. A missing one gives the same error. */
export function oneOf(...allowed: readonly string[]): Check {
  const text = `must be ${allowed.filter((one) => one !== '').join(' or ')}`;
  return (value, place) => (allowed.includes(value as string) ? undefined : { place, rule: text });
}

export function integer(min: number, max: number): Check {
  return satisfying(
    (value) => Number.isInteger(value) && (value as number) >= min && (value as number) <= max,
    `must be a whole number from ${min} to ${max}`,
  );
}

export const anyText = satisfying((value) => typeof value === 'string', 'must be a text');
export const flag = satisfying((value) => typeof value === 'boolean', 'must be true or false');
export const uuid = satisfying(isUuid, 'must be a uuid');
export const date = satisfying(isDate, 'must be a valid date, as YYYY-MM-DD');
export const time = satisfying(isTime, 'must be a time of day, as HH:MM');

export function httpsUrl(max: number): Check {
  return satisfying(
    (value) =>
      typeof value === 'string' && value.length <= max && /^https:\/\//i.test(value) && URL.canParse(value),
    'must be an HTTPS URL',
  );
}

export function satisfying(keeps: (value: unknown) => boolean, text: string): Check {
  return rule((value) => (keeps(value) ? undefined : text));
}

export function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function isMissing(value: unknown): value is undefined | null {
  return value === undefined || value === null;
}

export function isUuid(value: unknown): value is string {
  return typeof value === 'string' && /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(value);
}

export function isDate(value: unknown): value is string {
  if (typeof value !== 'string' || !/^\d{4}-\d\d-\d\d$/.test(value)) return false;
  const midnight = new Date(`${value}T00:00:00Z`);
  return !Number.isNaN(midnight.getTime()) && midnight.toISOString().startsWith(value);
}

export function isTime(value: unknown): value is string {
  return typeof value === 'string' && /^([01]\d|2[0-3]):[0-5]\d$/.test(value);
}

export function characters(value: string): number {
  let count = 0;
  for (const _ of value) count++;
  return count;
}
