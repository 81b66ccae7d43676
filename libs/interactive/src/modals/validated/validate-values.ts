import { FormPatterns } from './form-patterns.js';
import { isFilledIn } from './modal-field.js';
import type { ModalField } from './modal-field.js';
import { KINDS } from './kinds/kinds.js';

type Values = Readonly<Record<string, unknown>>;

/** The valid values of a submission, keyed by field id, and the errors. */
export interface ValidatedValues {
  values: Values;
  /** Messages for the person, keyed by field id. */
  errors: Readonly<Record<string, string>>;
}

/**
 * Validates a submission against the fields of the modal. Values of unknown ids and of empty fields
 * are dropped. `checkReferences` checks that people, conversations and files exist.
 */
export function validateValues(fields: readonly ModalField[], given: Values): ValidatedValues {
  const patterns = new FormPatterns();
  const values = new Map<string, unknown>();
  const errors = new Map<string, string>();
  for (const field of fields) {
    const filledIn = Object.hasOwn(given, field.id) ? given[field.id] : undefined;
    if (!isFilledIn(filledIn)) {
      if (field.required) errors.set(field.id, 'Required.');
      continue;
    }
    const reading = KINDS[field.type].read(filledIn, field, patterns);
    if ('error' in reading) errors.set(field.id, reading.error);
    else values.set(field.id, reading.value);
  }
  return { values: Object.fromEntries(values), errors: Object.fromEntries(errors) };
}
