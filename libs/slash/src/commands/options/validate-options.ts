import { characters } from '@tieline/platform/http';
import { MAX_OPTION_TEXT } from './command-option.js';
import type { CommandOption, OptionType, OptionValue, OptionValues } from './command-option.js';
import { OptionError } from './given-options.js';
import type { GivenOptions } from './given-options.js';
import { readId } from './read-id.js';

/** Returns the typed values or the first error. Does not check whether ids exist. */
export function validateOptions(
  options: readonly CommandOption[],
  given: GivenOptions,
): OptionValues | OptionError {
  for (const name of given.keys())
    if (!options.some((option) => option.name === name))
      return new OptionError(`There is no option “${name}”.`);
  const values: [string, OptionValue][] = [];
  for (const option of options) {
    const value = given.get(option.name);
    if (value === undefined || value === null || value === '') {
      if (option.required) return new OptionError(`“${option.name}” is missing.`);
      continue;
    }
    const typed = READERS[option.type](value, option);
    if (typed === undefined) return new OptionError(`“${option.name}” must be ${describeType(option)}.`);
    values.push([option.name, typed]);
  }
  return Object.fromEntries(values);
}

type Reader = (value: unknown, option: CommandOption) => OptionValue | undefined;

const READERS: Readonly<Record<OptionType, Reader>> = {
  string: (value, { minLength = 1, maxLength = MAX_OPTION_TEXT }) => {
    if (typeof value !== 'string') return undefined;
    const length = characters(value);
    return length >= minLength && length <= maxLength ? value : undefined;
  },
  integer: (value, option) => inRange(numberOf(value, /^[+-]?\d{1,16}$/), option, Number.isSafeInteger),
  number: (value, option) =>
    inRange(numberOf(value, /^[+-]?\d{1,300}(\.\d{1,300})?$/), option, Number.isFinite),
  boolean: (value) => {
    if (value === true || value === 'true') return true;
    return value === false || value === 'false' ? false : undefined;
  },
  user: (value) => readId(value),
  conversation: (value) => readId(value),
  choice: (value, { choices = [] }) =>
    choices.find((choice) => choice.value === value || choice.name === value)?.value,
};

function numberOf(value: unknown, pattern: RegExp): number | undefined {
  if (typeof value === 'number') return value;
  return typeof value === 'string' && pattern.test(value) ? Number(value) : undefined;
}

function inRange(
  value: number | undefined,
  { min = -Infinity, max = Infinity }: CommandOption,
  isKind: (value: unknown) => boolean,
): number | undefined {
  if (value === undefined || !isKind(value) || value < min || value > max) return undefined;
  // Normalizes -0 to 0.
  return value === 0 ? 0 : value;
}

/** Describes the valid values for a person. */
function describeType({ type, min, max, minLength, maxLength, choices = [] }: CommandOption): string {
  switch (type) {
    case 'string':
      return `a text of ${minLength ?? 1} to ${maxLength ?? MAX_OPTION_TEXT} characters`;
    case 'integer':
      return `a whole number${range(min, max)}`;
    case 'number':
      return `a number${range(min, max)}`;
    case 'boolean':
      return 'true or false';
    case 'user':
      return 'a person in this space';
    case 'conversation':
      return 'a conversation you can read';
    case 'choice':
      return `one of ${choices.map(({ name }) => name).join(', ')}`;
  }
}

function range(min: number | undefined, max: number | undefined): string {
  if (min === undefined) return max === undefined ? '' : ` up to ${max}`;
  return max === undefined ? ` from ${min}` : ` from ${min} to ${max}`;
}
