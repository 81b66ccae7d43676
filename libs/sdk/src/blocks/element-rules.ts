import {
  anyText,
  date,
  httpsUrl,
  isObject,
  list,
  matching,
  object,
  oneOf,
  optional,
  rule,
  text,
  time,
  uuid,
  integer,
} from './rules.js';
import type { Check, Fields } from './rules.js';

/**
 * Rules of interactive elements (docs/buttons-and-menus.md#elements). An element's own fields
 * are checked before the shared ones.
 */

const actionId = matching(/^[a-z0-9_-]{1,64}$/);
const SHARED = {
  action_id: actionId,
  visibility_user_ids: optional(list({ max: 100 }, uuid)),
  confirm: optional(
    object({
      title: optional(text({ max: 75 })),
      text: optional(text({ max: 300 })),
      confirm_label: optional(anyText),
      cancel_label: optional(anyText),
    }),
  ),
};

const option = object({ value: text({ min: 1, max: 150 }), label: text({ min: 1, max: 75 }) });
const options = list({ min: 1, max: 25 }, option, 'value');
const placeholder = optional(text({ max: 100 }));
const valuesOf = (element: Fields) => (element.options as { value: string }[]).map(({ value }) => value);
const mostOf = (element: Fields) =>
  (element.max_selected as number | null | undefined) ?? valuesOf(element).length;

const oneInitial = optional(
  rule((value, element) =>
    valuesOf(element).includes(value as string) ? undefined : 'must be the value of an option',
  ),
);

const minSelected = optional(
  rule((value, element) => {
    if (!Number.isInteger(value) || (value as number) < 0) return 'must be a whole number from 0';
    if ((value as number) > valuesOf(element).length) return 'must not exceed the number of options';
    return (value as number) > mostOf(element) ? 'must not be greater than max_selected' : undefined;
  }),
);

const manyInitial = optional(
  rule((value, element) => {
    if (!Array.isArray(value)) return 'must be a list';
    const values = valuesOf(element);
    if (!value.every((one) => values.includes(one as string))) return 'must be values of options';
    if (new Set(value).size < value.length) return 'contains a value twice';
    return value.length > mostOf(element) ? `at most ${mostOf(element)}` : undefined;
  }),
);

const ofOne = { options, initial: oneInitial };
const ofMany = {
  options,
  max_selected: optional(integer(1, 25)),
  min_selected: minSelected,
  initial: manyInitial,
};

const OWN: Readonly<Record<string, Readonly<Record<string, Check>>>> = {
  button: {
    text: text({ min: 1, max: 75 }),
    style: optional(oneOf('primary', 'danger', 'default', '')),
    data: optional(text({ max: 2000 })),
    url: optional(httpsUrl(2048)),
  },
  select: { placeholder, ...ofOne },
  multi_select: { placeholder, ...ofMany },
  user_select: { initial: optional(uuid), placeholder },
  conversation_select: { initial: optional(uuid), placeholder },
  date_picker: { initial: optional(date), placeholder },
  time_picker: { initial: optional(time), placeholder },
  overflow: ofOne,
  checkboxes: ofMany,
  radio: ofOne,
};

const label = text({ min: 1, max: 75 });
const data = optional(text({ max: 2000 }));
const feedbackButton = optional(object({ text: optional(label), data }));
const ICONS = 'copy refresh delete edit share download bookmark flag info settings'.split(' ');

/** Elements of blocks of type `context_actions`. */
const OF_CONTEXT: Readonly<Record<string, Check>> = {
  feedback_buttons: object({ action_id: actionId, positive: feedbackButton, negative: feedbackButton }),
  icon_button: object({
    action_id: actionId,
    icon: oneOf(...ICONS),
    text: label,
    data,
    visible_to: optional(list({ max: 100 }, uuid)),
  }),
};

const OF_ACTIONS = Object.fromEntries(
  Object.entries(OWN).map(([type, own]) => [type, object({ ...own, ...SHARED })]),
);

/** Creates a check of an element that has one of these types. */
function anyOf(checksByType: Readonly<Record<string, Check>>): Check {
  const unknown = object({ type: oneOf(...Object.keys(checksByType)) });
  return (value, place, owner) => {
    const type = isObject(value) ? String(value.type) : '';
    const check = Object.hasOwn(checksByType, type) ? checksByType[type] : undefined;
    return (check ?? unknown)(value, place, owner);
  };
}

/** Checks an element of a block of type `actions`. */
export const element = anyOf(OF_ACTIONS);
/** Checks an element of a block of type `context_actions`. */
export const contextElement = anyOf(OF_CONTEXT);
