import type { FormPatterns } from '../form-patterns.js';
import type { Bound, ModalField } from '../modal-field.js';

/** A value as the bot gets it, or what is wrong with it, in words for the person. */
export type Reading = { value: unknown } | { error: string };

/** What a field may say besides id, type, label, required, placeholder and initial. */
export type Attribute = 'min' | 'max' | 'min_length' | 'max_length' | 'pattern' | 'options';

/** The rules of one type of field, or of some that are alike. */
export interface FieldKind {
  readonly attributes: readonly Attribute[];
  /** Whether this can be a `min` or `max`; absent where there are none. */
  isBound?(given: unknown): given is Bound;
  /** Whether `min` and `max` count the values that are chosen. */
  readonly isCount?: boolean;
  /** Reads what somebody filled in, or the bot's `initial`. */
  read(given: unknown, field: ModalField, patterns: FormPatterns): Reading;
}

/** Where a value of that order lies; undefined where it is within. */
export function outOfBounds<T extends Bound>(value: T, { min, max }: ModalField): string | undefined {
  if (min !== undefined && value < min) return `Must be at least ${min}.`;
  return max !== undefined && value > max ? `Must be at most ${max}.` : undefined;
}

export function within<T extends Bound>(value: T, field: ModalField): Reading {
  const error = outOfBounds(value, field);
  return error === undefined ? { value } : { error };
}
