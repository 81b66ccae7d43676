import { isCalendarDate, isTimeOfDay } from '@tieline/interactive';
import { isObject, objectsIn } from './rules.js';
import type { Json, Place, Rule } from './rules.js';
import {
  address,
  boolean,
  integer,
  list,
  oneOf,
  optional,
  plainText,
  shape,
  string,
  textObject,
} from './rules.js';

/** Limits of Slack. */
const MAX_OPTIONS = 100;
const MAX_BOXES = 10;
const MAX_OVERFLOW = 5;
const MAX_VALUE = 2000;
const MAX_OPTION_VALUE = 150;
const MAX_TEXT = 75;
export const MAX_INPUT = 3000;
export const MAX_FILES = 10;

const CONFIRM = optional(
  shape({
    title: plainText(100),
    text: textObject(300, 'plain_text', 'mrkdwn'),
    confirm: plainText(30),
    deny: plainText(30),
    style: optional(oneOf('primary', 'danger')),
  }),
);

/** Requires one option. */
export const OPTION = shape({
  text: textObject(MAX_TEXT, 'plain_text', 'mrkdwn'),
  value: string(MAX_OPTION_VALUE),
  description: optional(textObject(MAX_TEXT, 'plain_text', 'mrkdwn')),
  url: optional(address),
});
/** Requires options, of which there may be none. */
export const OPTIONS = list(OPTION, { min: 0, max: MAX_OPTIONS });
/** Requires groups of options. */
export const OPTION_GROUPS = list(shape({ label: plainText(MAX_TEXT), options: OPTIONS }), {
  min: 0,
  max: MAX_OPTIONS,
});

const ID = optional(string(255, { min: 1 }));
const COMMON = { action_id: ID, confirm: CONFIRM, focus_on_load: optional(boolean) };
const SELECT = { ...COMMON, placeholder: optional(plainText(150)) };
const PLACE_SELECT = { ...SELECT, response_url_enabled: optional(boolean) };
const MANY = { ...SELECT, max_selected_items: optional(integer(1, MAX_OPTIONS)) };
const options = (max: number): Rule => list(OPTION, { max });

const CHOICES: Rule = (value, at: Place) => {
  const { options: flat, option_groups: groups } = value as Json;
  if ((flat === undefined) === (groups === undefined)) at.fail('must have either options or option_groups');
  optional(options(MAX_OPTIONS))(flat, at.at('options'));
  optional(list(shape({ label: plainText(MAX_TEXT), options: options(MAX_OPTIONS) }), { max: MAX_OPTIONS }))(
    groups,
    at.at('option_groups'),
  );
};
const initial =
  (name: 'initial_option' | 'initial_options'): Rule =>
  (value, at: Place) => {
    const known = optionsOf(value as Json).map((option) => option['value']);
    const given = (value as Json)[name];
    for (const one of name === 'initial_option' ? [given] : Array.isArray(given) ? given : [])
      if (one !== undefined && one !== null && !(isObject(one) && known.includes(one['value'])))
        at.at(name).fail('must be one of the options');
  };
const all =
  (...rules: readonly Rule[]): Rule =>
  (value, at) =>
    rules.forEach((rule) => rule(value, at));
const formatted =
  (fits: (text: string) => boolean, rule: string): Rule =>
  (value, at: Place) => {
    if (typeof value !== 'string' || !fits(value)) at.fail(rule);
  };
const DECIMAL = string(30, { pattern: /^-?\d+(?:\.\d+)?$/ });
const TEXT_INPUT = { ...SELECT, initial_value: optional(string(MAX_INPUT)) };
const IDS = optional(list(string(64), { min: 0, max: MAX_OPTIONS }));
const FEEDBACK_BUTTON = shape({ text: plainText(MAX_TEXT), value: string(MAX_VALUE, { min: 1 }) });

/** The rule of each element that people can use. */
export const ELEMENT_RULES: ReadonlyMap<string, Rule> = new Map<string, Rule>([
  [
    'button',
    shape({
      ...COMMON,
      text: plainText(MAX_TEXT),
      value: optional(string(MAX_VALUE)),
      url: optional(address),
      style: optional(oneOf('primary', 'danger')),
    }),
  ],
  ['static_select', all(shape(SELECT), CHOICES, initial('initial_option'))],
  ['multi_static_select', all(shape(MANY), CHOICES, initial('initial_options'))],
  ['external_select', shape({ ...SELECT, initial_option: optional(OPTION) })],
  ['multi_external_select', shape({ ...MANY, initial_options: optional(OPTIONS) })],
  ['users_select', shape({ ...SELECT, initial_user: optional(string(64)) })],
  ['multi_users_select', shape({ ...MANY, initial_users: IDS })],
  ['conversations_select', shape({ ...PLACE_SELECT, initial_conversation: optional(string(64)) })],
  ['multi_conversations_select', shape({ ...MANY, initial_conversations: IDS })],
  ['channels_select', shape({ ...PLACE_SELECT, initial_channel: optional(string(64)) })],
  ['multi_channels_select', shape({ ...MANY, initial_channels: IDS })],
  ['overflow', shape({ ...COMMON, options: options(MAX_OVERFLOW) })],
  ['checkboxes', all(shape({ ...COMMON, options: options(MAX_BOXES) }), initial('initial_options'))],
  ['radio_buttons', all(shape({ ...COMMON, options: options(MAX_BOXES) }), initial('initial_option'))],
  [
    'datepicker',
    shape({ ...SELECT, initial_date: optional(formatted(isCalendarDate, 'must be a date, as YYYY-MM-DD')) }),
  ],
  [
    'timepicker',
    shape({ ...SELECT, initial_time: optional(formatted(isTimeOfDay, 'must be a time, as HH:mm')) }),
  ],
  ['datetimepicker', shape({ ...COMMON, initial_date_time: optional(integer(0, 9_999_999_999)) })],
  [
    'plain_text_input',
    shape({
      ...TEXT_INPUT,
      multiline: optional(boolean),
      min_length: optional(integer(0, MAX_INPUT)),
      max_length: optional(integer(1, MAX_INPUT)),
    }),
  ],
  [
    'number_input',
    shape({
      ...TEXT_INPUT,
      is_decimal_allowed: boolean,
      initial_value: optional(DECIMAL),
      min_value: optional(DECIMAL),
      max_value: optional(DECIMAL),
    }),
  ],
  ['email_text_input', shape(TEXT_INPUT)],
  ['url_text_input', shape(TEXT_INPUT)],
  ['rich_text_input', shape({ ...SELECT, initial_value: optional(shape({ type: oneOf('rich_text') })) })],
  ['file_input', shape({ action_id: ID, max_files: optional(integer(1, MAX_FILES)) })],
  [
    'feedback_buttons',
    shape({ ...COMMON, positive_button: FEEDBACK_BUTTON, negative_button: FEEDBACK_BUTTON }),
  ],
  [
    'icon_button',
    shape({
      ...COMMON,
      icon: string(50, { min: 1 }),
      text: plainText(MAX_TEXT),
      value: optional(string(MAX_VALUE)),
      visible_to_user_ids: IDS,
    }),
  ],
]);

/** Returns the options of an element, also those in groups. */
export function optionsOf({ options: flat, option_groups: groups }: Json): Json[] {
  return [...objectsIn(flat), ...objectsIn(groups).flatMap((group) => objectsIn(group['options']))];
}
