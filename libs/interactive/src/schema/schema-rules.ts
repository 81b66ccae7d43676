import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { IsOptional, ValidateBy } from 'class-validator';
import { characters, isBlankText, isUuid } from '@tieline/platform/http';
import { isCalendarDate, isTimeOfDay } from './calendar.js';

/*
 * Validation rules for fields of interactive blocks. `$property` is the place, such as
 * `blocks[1].elements[0].text`. Each rule also describes its field in OpenAPI.
 */

/** Allows absent and null; any other value must pass the field's other rules. */
export const Optional = (): PropertyDecorator =>
  applyDecorators(IsOptional(), ApiProperty({ required: false, nullable: true })) as PropertyDecorator;

/** A text of this many characters (code points). With `min: 1` it must not be blank. */
export function TextOf({ min = 0, max }: { min?: 0 | 1; max: number }): PropertyDecorator {
  const range = min === 0 ? `up to ${max}` : `${min} to ${max}`;
  const problem = (value: unknown): string | undefined => {
    if (typeof value !== 'string') return 'must be a string';
    const fits = characters(value) <= max && (min === 0 || !isBlankText(value));
    return fits ? undefined : `must be a text of ${range} characters`;
  };
  return applyDecorators(
    ApiProperty({ type: String, minLength: min, maxLength: max }),
    rule(problem),
  ) as PropertyDecorator;
}

/** A text of any length. */
export const AnyText = (): PropertyDecorator =>
  field({ type: String }, (value) => typeof value === 'string', 'must be a text');

/** A text that matches the pattern. */
export function Matching(form: RegExp): PropertyDecorator {
  const matches = (value: unknown): boolean => typeof value === 'string' && form.test(value);
  return field({ type: String, pattern: form.source }, matches, `must match ${form.source}`);
}

/** An `https://` URL of at most `max` characters. */
export function HttpsUrl(max: number): PropertyDecorator {
  const fits = (value: unknown): boolean =>
    typeof value === 'string' && value.length <= max && /^https:\/\//i.test(value) && URL.canParse(value);
  return field({ type: String, format: 'uri', maxLength: max }, fits, 'must be an HTTPS URL');
}

/** A uuid in any letter case. */
export const Uuid = (): PropertyDecorator =>
  field({ type: String, format: 'uuid' }, isUuid, 'must be a uuid');

export const CalendarDate = (): PropertyDecorator =>
  field(
    { type: String, format: 'date' },
    (value) => typeof value === 'string' && isCalendarDate(value),
    'must be a valid date, as YYYY-MM-DD',
  );

export const TimeOfDay = (): PropertyDecorator =>
  field(
    { type: String, pattern: '^([01]\\d|2[0-3]):[0-5]\\d$' },
    (value) => typeof value === 'string' && isTimeOfDay(value),
    'must be a time of day, as HH:MM',
  );

/**
 * One of these texts. The error does not mention "", and a missing value gives the same error as a
 * wrong one.
 */
export function OneOf(...allowed: readonly string[]): PropertyDecorator {
  const named = allowed.filter((one) => one !== '').join(' or ');
  return applyDecorators(
    ApiProperty({ type: String, enum: [...allowed] }),
    ValidateBy({
      name: 'oneOf',
      validator: {
        validate: (value) => allowed.includes(value as string),
        defaultMessage: () => `$property: must be ${named}`,
      },
    }),
  ) as PropertyDecorator;
}

/** A list of this many items. */
export function ListOf({ min = 0, max }: { min?: 0 | 1; max: number }): PropertyDecorator {
  const size = min === 0 ? `at most ${max}` : `must have ${min} to ${max} items`;
  return rule((value) => {
    if (!Array.isArray(value)) return 'must be a list';
    return value.length < min || value.length > max ? size : undefined;
  });
}

/** A list of up to `max` uuids in any letter case. */
export const UuidList = (max: number): PropertyDecorator =>
  applyDecorators(
    ApiProperty({ type: [String], format: 'uuid', maxItems: max }),
    ListOf({ max }),
    ValidateBy({
      name: 'uuids',
      validator: {
        validate: (value) => (value as unknown[]).every(isUuid),
        defaultMessage: (given) => {
          const index = (given?.value as unknown[]).findIndex((item) => !isUuid(item));
          return `$property[${index}]: must be a uuid`;
        },
      },
    }),
  ) as PropertyDecorator;

function field(
  schema: Parameters<typeof ApiProperty>[0],
  isValid: (value: unknown) => boolean,
  text: string,
): PropertyDecorator {
  return applyDecorators(
    ApiProperty(schema),
    rule((value) => (isValid(value) ? undefined : text)),
  ) as PropertyDecorator;
}

/**
 * A rule that returns what is wrong with a value of an element. A missing value is reported as `is
 * required`.
 */
export function rule(problem: (value: unknown, element: object) => string | undefined): PropertyDecorator {
  const problemOf = (value: unknown, element: object): string | undefined =>
    value === undefined || value === null ? 'is required' : problem(value, element);
  return ValidateBy({
    name: 'check',
    validator: {
      validate: (value, given) => problemOf(value, given?.object ?? {}) === undefined,
      defaultMessage: (given) => `$property: ${problemOf(given?.value, given?.object ?? {})}`,
    },
  });
}
