import { buildMessage, ValidateBy, ValidateIf } from 'class-validator';
import type { ApiError } from '../api-error.js';

/**
 * A DTO field that must be given: neither null nor "". Stands below the rules for what it holds,
 * because the last is checked first.
 */
export function IsRequired(): PropertyDecorator {
  return ValidateBy({
    name: 'isRequired',
    validator: {
      validate: (value) => !isEmpty(value),
      defaultMessage: buildMessage((prefix) => `${prefix}$property is required`),
    },
  });
}

/** How `ValidateIf` of {@link MayBeEmpty} is recognized. */
export const MAY_BE_EMPTY = { mayBeEmpty: true };

/** A DTO field that may be left out, also by null or "". */
export function MayBeEmpty(): PropertyDecorator {
  return ValidateIf((_, value: unknown) => !isEmpty(value), { context: MAY_BE_EMPTY });
}

/**
 * A DTO field with a rule of its own, which sees the whole body and answers the error, if there is
 * one.
 */
export function Check<Body extends object>(
  rule: (value: unknown, body: Body) => ApiError | undefined,
): PropertyDecorator {
  return ValidateBy({
    name: 'check',
    validator: {
      validate: (value, given) => rule(value, given?.object as Body) === undefined,
      defaultMessage: (given) => rule(given?.value, given?.object as Body)?.text ?? '',
    },
  });
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || value === '';
}
