import { buildMessage, ValidateBy, ValidateIf } from 'class-validator';
import type { ApiError } from '../api-error.js';

/**
 * Marks a DTO field as required: neither null nor "". Place it below the rules for the content,
 * because the lowest is checked first.
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

/** Identifies the `ValidateIf` of {@link MayBeEmpty}. */
export const MAY_BE_EMPTY = { mayBeEmpty: true };

/** Marks a DTO field as optional; null and "" count as absent. */
export function MayBeEmpty(): PropertyDecorator {
  return ValidateIf((_, value: unknown) => !isEmpty(value), { context: MAY_BE_EMPTY });
}

/**
 * Validates a DTO field with a custom rule, which gets the whole body and returns the error, if
 * there is one.
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
