import { characters } from '@tieline/platform/http';
import type { ModalField } from '../modal-field.js';
import { outOfBounds } from './field-kind.js';
import type { FieldKind } from './field-kind.js';

/** Of an option that the bot suggested, which nobody remembers. */
const MAX_SUGGESTED = 150;
/** Of options that the bot suggested. */
export const MAX_CHOSEN = 100;

/** One of the options. */
export const singleChoice: FieldKind = {
  attributes: ['options'],
  read: (given, field) =>
    isOption(given, field) ? { value: given } : { error: 'Must be one of the options.' },
};

/** Some of the options, each once; `min` and `max` count them. */
export const multipleChoice: FieldKind = {
  attributes: ['options', 'min', 'max'],
  isCount: true,
  isBound: (given): given is number => Number.isInteger(given) && (given as number) >= 0,
  read: (given, field) => {
    if (!Array.isArray(given)) return { error: 'Must be a list of some of the options.' };
    // Before each item is compared with each option: a bot's list can have a hundred thousand.
    if (given.length > (field.options?.length ?? MAX_CHOSEN)) return { error: 'Has too many options.' };
    if (!given.every((item) => isOption(item, field)))
      return { error: 'Must be a list of some of the options.' };
    if (new Set(given).size < given.length) return { error: 'Each option can be chosen once.' };
    const error = outOfBounds(given.length, field);
    return error === undefined ? { value: given } : { error: `The number of options: ${error}` };
  },
};

export const checkbox: FieldKind = {
  attributes: [],
  read: (given, { required }) => {
    if (typeof given !== 'boolean') return { error: 'Must be true or false.' };
    return required && !given ? { error: 'Must be ticked.' } : { value: given };
  },
};

function isOption(given: unknown, { options }: ModalField): boolean {
  if (typeof given !== 'string') return false;
  if (options) return options.some(({ value }) => value === given);
  return given !== '' && characters(given) <= MAX_SUGGESTED;
}
