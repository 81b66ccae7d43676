import type { FormPatterns } from '../form-patterns.js';
import type { Bound, ModalField } from '../modal-field.js';

/** The value as the bot receives it, or an error message for the person. */
export type Reading = { value: unknown } | { error: string };

/** Optional attributes that only some types of fields support. */
export type Attribute = 'min' | 'max' | 'min_length' | 'max_length' | 'pattern' | 'options';

/** The rules of one type of field, or of several similar types. */
export interface FieldKind {
  readonly attributes: readonly Attribute[];
  /** Returns whether the value is valid as `min` or `max`. Absent if the type has no bounds. */
  isBound?(given: unknown): given is Bound;
  /** Whether `min` and `max` limit the number of chosen values. */
  readonly isCount?: boolean;
  /** Validates a submitted value or the bot's `initial`. */
  read(given: unknown, field: ModalField, patterns: FormPatterns): Reading;
}

/** Returns the violated bound; undefined if the value is within bounds. */
export function outOfBounds<T extends Bound>(value: T, { min, max }: ModalField): string | undefined {
  if (min !== undefined && value < min) return `Must be at least ${min}.`;
  return max !== undefined && value > max ? `Must be at most ${max}.` : undefined;
}

export function within<T extends Bound>(value: T, field: ModalField): Reading {
  const error = outOfBounds(value, field);
  return error === undefined ? { value } : { error };
}
