import { characters, isUuid } from '@tieline/platform/http';
import { schemaViolation } from '../interactive.errors.js';

/** Judges the value at one place of a JSON document, named as `blocks[1].elements[0].text`. @throws 400 that names the place */
export type Rule = (value: unknown, place: string) => void;

type Fields = Readonly<Record<string, unknown>>;

/** Whether a value is a JSON object. */
export function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Absent and null are fine; anything else must keep the rule. */
export function optional(rule: Rule): Rule {
  return (value, place) => {
    if (value !== undefined && value !== null) rule(value, place);
  };
}

/** A text of so many characters (code points); one that must not be empty must not be blank either. */
export function text({ min = 0, max }: { min?: 0 | 1; max: number }): Rule {
  const range = min === 0 ? `up to ${max}` : `${min} to ${max}`;
  return (value, place) => {
    demand(value, place);
    const fits = typeof value === 'string' && characters(value) <= max && (min === 0 || value.trim() !== '');
    if (!fits) throw schemaViolation(place, `must be a text of ${range} characters`);
  };
}

/** A text of any length that the document allows. */
export const anyText: Rule = (value, place) => {
  if (typeof value !== 'string') throw schemaViolation(place, 'must be a text');
};

/** A text of this form. */
export function matching(form: RegExp): Rule {
  return (value, place) => {
    demand(value, place);
    if (typeof value !== 'string' || !form.test(value))
      throw schemaViolation(place, `must match ${form.source}`);
  };
}

/** One of these texts. */
export function oneOf(...allowed: readonly string[]): Rule {
  return (value, place) => {
    if (!allowed.includes(value as string))
      throw schemaViolation(place, `must be ${allowed.filter((one) => one !== '').join(' or ')}`);
  };
}

/** A uuid in any letter case. */
export const uuid: Rule = (value, place) => {
  if (!isUuid(value)) throw schemaViolation(place, 'must be a uuid');
};

/** A list of so many items, each of which keeps the rule. `unique` names a field that no two items may share. */
export function list({
  min = 0,
  max,
  of,
  unique,
}: {
  min?: 0 | 1;
  max: number;
  of: Rule;
  unique?: string;
}): Rule {
  return (value, place) => {
    demand(value, place);
    if (!Array.isArray(value)) throw schemaViolation(place, 'must be a list');
    if (value.length < min || value.length > max)
      throw schemaViolation(place, min === 0 ? `at most ${max}` : `must have ${min} to ${max} items`);
    value.forEach((item, index) => of(item, `${place}[${index}]`));
    if (unique !== undefined) requireDistinct(value as Fields[], unique, place);
  };
}

/** An object whose fields keep these rules; other fields are nobody's business. */
export function object(fields: Readonly<Record<string, Rule>>): Rule {
  const rules = Object.entries(fields);
  return (value, place) => {
    if (!isObject(value)) throw schemaViolation(place, 'must be an object');
    for (const [field, rule] of rules) rule(value[field], `${place}.${field}`);
  };
}

/** The items have been judged: each has the field. */
function requireDistinct(items: readonly Fields[], field: string, place: string): void {
  const seen = new Set<unknown>();
  items.forEach((item, index) => {
    if (seen.has(item[field])) throw schemaViolation(`${place}[${index}].${field}`, 'is there twice');
    seen.add(item[field]);
  });
}

function demand(value: unknown, place: string): void {
  if (value === undefined || value === null) throw schemaViolation(place, 'is required');
}
