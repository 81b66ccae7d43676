import { ValidateBy } from 'class-validator';

/** Name of the rule of {@link Convert}, which has no text. */
export const CONVERT = 'convert';

/** Converts a DTO field before any of its rules. Of several, the lowest decorator is first. */
export function Convert(convert: (value: unknown) => unknown): PropertyDecorator {
  // A rule, because `PartialType` passes rules on.
  return ValidateBy({ name: CONVERT, constraints: [convert], validator: () => true });
}

/**
 * Converts a query parameter to a whole number; anything else becomes NaN, which `IsInt` rejects.
 */
export const toInt = (value: unknown): unknown =>
  typeof value === 'string' ? (/^-?\d{1,15}$/.test(value) ? Number(value) : Number.NaN) : value;

/** Converts a query parameter to a boolean. Other values stay. */
export const toBoolean = (value: unknown): unknown =>
  value === 'true' ? true : value === 'false' ? false : value;

/** Trims the text of a DTO field before its rules are checked. */
export function Trimmed(): PropertyDecorator {
  return Convert((value) => (typeof value === 'string' ? value.trim() : value));
}

/** Makes null and "" count as absent. */
export const emptyAsAbsent = (value: unknown): unknown =>
  value === '' || value === null ? undefined : value;
