import { characters } from '@tieline/platform/http';
import type { ModalField } from '../modal-field.js';
import { outOfBounds } from './field-kind.js';
import type { FieldKind } from './field-kind.js';

/** Maximum length of an option that the bot suggested. Suggestions are not stored. */
const MAX_SUGGESTED = 150;
/** Maximum number of options chosen from the bot's suggestions. */
export const MAX_CHOSEN = 100;

/** Exactly one option. */
export const singleChoice: FieldKind = {
  attributes: ['options'],
  read: (given, field) =>
    isOption(given, field) ? { value: given } : { error: 'Must be one of the options.' },
};

/** Several options, each at most once; `min` and `max` limit their number. */
export const multipleChoice: FieldKind = {
  attributes: ['options', 'min', 'max'],
  isCount: true,
  isBound: (given): given is number => Number.isInteger(given) && (given as number) >= 0,
  read: (given, field) => {
    if (!Array.isArray(given)) return { error: 'Must be a list of options.' };
    // Check the length before comparing each item with each option: the list may have 100,000
    // items.
    if (given.length > (field.options?.length ?? MAX_CHOSEN))
      return { error: 'Too many options are selected.' };
    if (!given.every((item) => isOption(item, field))) return { error: 'Must be a list of options.' };
    if (new Set(given).size < given.length) return { error: 'Each option can be selected only once.' };
    const error = outOfBounds(given.length, field);
    return error === undefined ? { value: given } : { error: `Number of selected options: ${error}` };
  },
};

export const checkbox: FieldKind = {
  attributes: [],
  read: (given, { required }) => {
    if (typeof given !== 'boolean') return { error: 'Must be true or false.' };
    return required && !given ? { error: 'This box must be checked.' } : { value: given };
  },
};

function isOption(given: unknown, { options }: ModalField): boolean {
  if (typeof given !== 'string') return false;
  if (options) return options.some(({ value }) => value === given);
  return given !== '' && characters(given) <= MAX_SUGGESTED;
}
