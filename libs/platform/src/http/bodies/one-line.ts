import { ValidateBy } from 'class-validator';
import type { ValidationArguments } from 'class-validator';

/**
 * Unicode's White_Space, and characters that draw nothing: zero-width ones, the Hangul filler, the
 * blank Braille pattern.
 */
const BLANK = /^[\p{White_Space}\u200B\u200C\u200D\u2060\uFEFF\u3164\u2800\u180E]*$/u;
/** Control characters, line breaks, and characters that change the direction of what follows. */
const NOT_IN_ONE_LINE = /[\p{Cc}\u2028\u2029\u202A-\u202E\u2066-\u2069]/u;
const ALL_NOT_IN_ONE_LINE = new RegExp(NOT_IN_ONE_LINE, 'gu');

/**
 * Whether a text is empty for its reader: it has no characters, or only white space and invisible
 * ones.
 */
export function isBlankText(text: string): boolean {
  return BLANK.test(text);
}

/**
 * Whether a text fits on one line: no control characters, line breaks or bidirectional overrides.
 */
function isOneLine(text: string): boolean {
  return !NOT_IN_ONE_LINE.test(text);
}

/**
 * Removes control characters, line breaks and bidirectional overrides. For senders that must not be
 * refused.
 */
export function toOneLine(text: string): string {
  return text.replace(ALL_NOT_IN_ONE_LINE, '');
}

/**
 * A DTO field with a text of one line that is not blank, such as a name: 1 to `max` characters
 * (code points). Every field that names a person, bot, app, channel or sender has this decorator.
 */
export function IsOneLine(max: number): PropertyDecorator {
  return ValidateBy({
    name: 'isOneLine',
    validator: {
      validate: (value) => oneLineProblem(value, max) === undefined,
      defaultMessage: (given?: ValidationArguments) => `$property ${oneLineProblem(given?.value, max)}`,
    },
  });
}

/**
 * Returns the problem of a text that must be one line of 1 to `max` characters, or undefined if it
 * is valid.
 */
export function oneLineProblem(value: unknown, max: number): string | undefined {
  if (typeof value !== 'string' || isBlankText(value) || [...value].length > max)
    return `must be a text of 1 to ${max} characters`;
  return isOneLine(value)
    ? undefined
    : 'must not contain control characters, line breaks or bidirectional overrides';
}
