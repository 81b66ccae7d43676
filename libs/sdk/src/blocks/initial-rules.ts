import { characters, isDate, isMissing, isTime, isUuid } from './rules.js';
import type { Fields } from './rules.js';

/** Maximum number of selected options if the bot provides the options while the person types. */
const MAX_CHOSEN = 100;

type InitialCheck = (value: unknown, field: Fields) => string | undefined;

/**
 * Checks that an initial value could be submitted. Only the server checks patterns and e-mail
 * addresses.
 */
export function checkInitial(field: Fields): string | undefined {
  const { initial } = field;
  const isEmpty =
    typeof initial === 'string' ? initial.trim() === '' : Array.isArray(initial) && initial.length === 0;
  return isMissing(initial) || isEmpty ? undefined : CHECKS_BY_TYPE[String(field.type)]?.(initial, field);
}

const lengths: InitialCheck = (value, { min_length: min, max_length: max }) => {
  if (typeof value !== 'string') return 'Must be text.';
  const length = characters(value);
  if (!isMissing(min) && length < (min as number)) return `Must have at least ${counted(min as number)}.`;
  return !isMissing(max) && length > (max as number)
    ? `Must have at most ${counted(max as number)}.`
    : undefined;
};

const one: InitialCheck = (value, field) =>
  isOption(value, field) ? undefined : 'Must be one of the options.';

const several: InitialCheck = (value, field) => {
  if (!Array.isArray(value)) return 'Must be a list of options.';
  if (value.length > (Array.isArray(field.options) ? field.options.length : MAX_CHOSEN))
    return 'Too many options are selected.';
  if (!value.every((each) => isOption(each, field))) return 'Must be a list of options.';
  if (new Set(value).size < value.length) return 'Each option can be selected only once.';
  const problemText = within(value.length, field);
  return problemText === undefined ? undefined : `Number of selected options: ${problemText}`;
};

const measure =
  (is: (value: unknown) => boolean, text: string): InitialCheck =>
  (value, field) =>
    is(value) ? within(value as string | number, field) : text;

const reference: InitialCheck = (value) => (isUuid(value) ? undefined : 'Must be an id.');

const address: InitialCheck = (value, field) =>
  typeof value === 'string' && value.length <= 2048 && URL.canParse(value) && /^https?:\/\/\S*$/i.test(value)
    ? lengths(value, field)
    : 'Must be a web address such as https://example.com/.';

const CHECKS_BY_TYPE: Readonly<Record<string, InitialCheck>> = {
  text: lengths,
  textarea: lengths,
  email: lengths,
  url: address,
  select: one,
  radio: one,
  multi_select: several,
  checkboxes: several,
  checkbox: (value) => (typeof value === 'boolean' ? undefined : 'Must be true or false.'),
  number: measure(Number.isFinite, 'Must be a number.'),
  date: measure(isDate, 'Must be a date such as 2026-12-01.'),
  time: measure(isTime, 'Must be a time such as 09:30.'),
  user: reference,
  conversation: reference,
};

function within(value: number | string, { min, max }: Fields): string | undefined {
  if (!isMissing(min) && value < (min as typeof value)) return `Must be at least ${String(min)}.`;
  return !isMissing(max) && value > (max as typeof value) ? `Must be at most ${String(max)}.` : undefined;
}

function isOption(value: unknown, { options }: Fields): boolean {
  if (typeof value !== 'string') return false;
  if (Array.isArray(options)) return options.some((each: { value?: unknown }) => each.value === value);
  return value !== '' && characters(value) <= 150;
}

function counted(length: number): string {
  return length === 1 ? '1 character' : `${length} characters`;
}
