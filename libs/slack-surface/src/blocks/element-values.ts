import { isCalendarDate, isTimeOfDay } from '@tieline/interactive';
import { characters, invalidField, isUuid } from '@tieline/platform/http';
import { CONVERSATION_KINDS, uuidOf } from '../ids/slack-ids.js';
import type { IdKind } from '../ids/slack-ids.js';
import { MAX_FILES, MAX_INPUT, OPTION, optionsOf } from './element-rules.js';
import { isObject, objectsIn, Place } from './rules.js';
import type { Json } from './rules.js';

/** The most values of an element. */
const MAX_VALUES = 100;
/** The largest rich text, in bytes of JSON. */
const MAX_RICH_TEXT = 16 * 1024;

/** The value of an element: the fields of Slack besides `type`. Ids are uuids. */
export type ElementValue = Json;

/** Reads what a person sent for an element. @throws ApiError 400 */
type ValueReader = (element: Json, given: Json, field: string) => ElementValue;

const fail = (field: string, rule: string): never => {
  throw invalidField(field, `${field}: ${rule}`);
};

/** Reads the value of one field; absent and null mean that nothing is chosen. */
const one =
  (
    name: string,
    read: (element: Json, value: unknown, field: string) => unknown,
    initial?: string,
  ): ValueReader =>
  (element, given, field) => {
    const value = Object.hasOwn(given, name) ? given[name] : initial && element[initial];
    return { [name]: value === undefined || value === null ? null : read(element, value, field) };
  };

/** Reads a list. */
const many =
  (
    name: string,
    read: (element: Json, value: unknown, field: string) => unknown,
    { initial, max }: { initial?: string; max?: number } = {},
  ): ValueReader =>
  (element, given, field) => {
    const value = Object.hasOwn(given, name) ? given[name] : initial && element[initial];
    if (value === undefined || value === null) return { [name]: [] };
    if (!Array.isArray(value)) return fail(field, `${name} must be a list`);
    const most = Math.min(Number(element['max_selected_items'] ?? MAX_VALUES), max ?? MAX_VALUES);
    if (value.length > most) return fail(field, `${name} must have at most ${most} values`);
    return { [name]: value.map((entry) => read(element, entry, field)) };
  };

/** Returns the option of the element itself, found by its value. */
function knownOption(element: Json, given: unknown, field: string): Json {
  const value = isObject(given) ? given['value'] : undefined;
  const found = optionsOf(element).find((option) => option['value'] === value);
  return found ?? fail(field, 'is not an option');
}

/** Returns an option that the app suggested. It is not known here whether it did. */
function suggestedOption(_element: Json, given: unknown, field: string): Json {
  OPTION(given, new Failing(field));
  const { text, value, description } = given as Json;
  const plain = ({ type, text: words }: Json): Json => ({ type, text: words });
  return {
    text: plain(text as Json),
    value,
    ...(isObject(description) && { description: plain(description) }),
  };
}

/** Turns the error of a rule into one for the person. */
class Failing extends Place {
  constructor(private readonly field: string) {
    super('', '', () => undefined);
  }

  override at(): Place {
    return this;
  }

  override fail(rule: string): never {
    return fail(this.field, rule);
  }
}

const id =
  (...kinds: readonly IdKind[]) =>
  (_element: Json, given: unknown, field: string): string => {
    if (typeof given === 'string' && isUuid(given)) return given.toLowerCase();
    return (typeof given === 'string' ? uuidOf(given, ...kinds) : undefined) ?? fail(field, 'must be an id');
  };
const [userId, placeId, fileId] = [id('user'), id(...CONVERSATION_KINDS), id('file')];

const text =
  (fits: (value: string, element: Json) => string | undefined) =>
  (element: Json, given: unknown, field: string): string => {
    if (typeof given !== 'string' || given.includes('\0')) return fail(field, 'must be a text');
    if (characters(given) > MAX_INPUT) return fail(field, `must have at most ${MAX_INPUT} characters`);
    const problem = given === '' ? undefined : fits(given, element);
    return problem === undefined ? given : fail(field, problem);
  };

const anyText = text((value, { min_length: min, max_length: max }) => {
  const length = characters(value);
  if (typeof min === 'number' && length < min) return `must have at least ${min} characters`;
  return typeof max === 'number' && length > max ? `must have at most ${max} characters` : undefined;
});

const number = text((value, { is_decimal_allowed: decimals, min_value: min, max_value: max }) => {
  if (!/^-?\d{1,20}(?:\.\d{1,10})?$/.test(value)) return 'must be a number';
  if (decimals !== true && value.includes('.')) return 'must be a whole number';
  if (typeof min === 'string' && Number(value) < Number(min)) return `must be at least ${min}`;
  return typeof max === 'string' && Number(value) > Number(max) ? `must be at most ${max}` : undefined;
});
const email = text((value) =>
  /^[^\s@]{1,64}@[^\s@]{1,255}$/.test(value) ? undefined : 'must be an email address',
);
const url = text((value) =>
  /^https?:\/\//i.test(value) && URL.canParse(value) ? undefined : 'must be an address with http or https',
);
const formatted = (fits: (value: string) => boolean, rule: string) =>
  text((value) => (fits(value) ? undefined : rule));

function moment(_element: Json, given: unknown, field: string): number {
  const isMoment =
    Number.isSafeInteger(given) && (given as number) >= 0 && (given as number) <= 9_999_999_999;
  return isMoment ? (given as number) : fail(field, 'must be a time in seconds since 1970');
}

function richText(_element: Json, given: unknown, field: string): Json {
  if (!isObject(given) || given['type'] !== 'rich_text' || !Array.isArray(given['elements']))
    return fail(field, 'must be a rich_text block');
  const json = JSON.stringify(given);
  if (Buffer.byteLength(json) > MAX_RICH_TEXT || json.includes('\\u0000')) return fail(field, 'is too long');
  return { type: 'rich_text', elements: objectsIn(given['elements']) };
}

const feedback = (element: Json, given: unknown, field: string): string => {
  const values = ['positive_button', 'negative_button'].map((name) => (element[name] as Json)['value']);
  return typeof given === 'string' && values.includes(given)
    ? given
    : fail(field, 'is not one of the buttons');
};

/** Chosen by pressing it, so there is nothing to read. */
const pressed: ValueReader = () => ({});
const input = (read: Parameters<typeof one>[1]): ValueReader => one('value', read, 'initial_value');

const READERS: Readonly<Record<string, ValueReader>> = {
  button: pressed,
  icon_button: pressed,
  feedback_buttons: one('value', feedback),
  overflow: one('selected_option', knownOption),
  static_select: one('selected_option', knownOption, 'initial_option'),
  radio_buttons: one('selected_option', knownOption, 'initial_option'),
  external_select: one('selected_option', suggestedOption, 'initial_option'),
  multi_static_select: many('selected_options', knownOption, { initial: 'initial_options' }),
  checkboxes: many('selected_options', knownOption, { initial: 'initial_options' }),
  multi_external_select: many('selected_options', suggestedOption, { initial: 'initial_options' }),
  users_select: one('selected_user', userId, 'initial_user'),
  multi_users_select: many('selected_users', userId, { initial: 'initial_users' }),
  conversations_select: one('selected_conversation', placeId, 'initial_conversation'),
  multi_conversations_select: many('selected_conversations', placeId, { initial: 'initial_conversations' }),
  channels_select: one('selected_channel', placeId, 'initial_channel'),
  multi_channels_select: many('selected_channels', placeId, { initial: 'initial_channels' }),
  datepicker: one(
    'selected_date',
    formatted(isCalendarDate, 'must be a date, as YYYY-MM-DD'),
    'initial_date',
  ),
  timepicker: one('selected_time', formatted(isTimeOfDay, 'must be a time, as HH:mm'), 'initial_time'),
  datetimepicker: one('selected_date_time', moment, 'initial_date_time'),
  plain_text_input: input(anyText),
  number_input: input(number),
  email_text_input: input(email),
  url_text_input: input(url),
  rich_text_input: one('rich_text_value', richText, 'initial_value'),
  file_input: (element, given, field) =>
    many('files', fileId, { max: Number(element['max_files'] ?? MAX_FILES) })(element, given, field),
};

/** Elements that have no state: they only send actions. */
const STATELESS = new Set(['button', 'icon_button', 'feedback_buttons', 'overflow']);

/** Returns whether an element is part of the state of its message or view. */
export const hasState = ({ type }: Json): boolean => !STATELESS.has(String(type));

/**
 * Reads what a person chose or typed in an element. Options come from the element, so that only
 * those of `external_select` are taken as sent. Without a value, it is the initial one.
 * @param given an object with the field of the element, such as `selected_option`
 * @param field named by errors
 * @throws ApiError 400 for a value that the element does not offer
 */
export function readValue(element: Json, given: unknown, field: string): ElementValue {
  const fields = given === undefined || given === null ? {} : given;
  if (!isObject(fields)) return fail(field, 'must be an object');
  const read = READERS[String(element['type'])];
  return read ? read(element, fields, field) : fail(field, 'is not a value of this element');
}
