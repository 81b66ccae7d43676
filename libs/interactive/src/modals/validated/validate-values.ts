import { FormPatterns } from './form-patterns.js';
import { isFilledIn } from './modal-field.js';
import type { ModalField } from './modal-field.js';
import { KINDS } from './kinds/kinds.js';

type Values = Readonly<Record<string, unknown>>;

/** What a person filled in, by the ids of fields, as far as it fits. */
export interface ValidatedValues {
  values: Values;
  /** In words for the person, by the ids of fields. */
  errors: Readonly<Record<string, string>>;
}

/**
 * Holds what somebody filled in to the fields (decisions, section 11.6): values of unknown ids and
 * of fields left empty are dropped. Whether people, conversations and files are there is for
 * `checkReferences`.
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
