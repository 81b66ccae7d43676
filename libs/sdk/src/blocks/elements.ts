import type {
  ButtonDto,
  CheckboxesDto,
  ConfirmDto,
  ConversationSelectDto,
  DatePickerDto,
  MultiSelectDto,
  OptionDto,
  OverflowDto,
  RadioDto,
  SelectDto,
  TimePickerDto,
  UserSelectDto,
} from '../api/types.gen.js';
import { element } from './element-rules.js';
import { requireNone } from './rules.js';

/** Options as texts that are value and label, as `{value: label}`, or as they travel. */
export type Options = readonly string[] | Readonly<Record<string, string>> | readonly OptionDto[];

/** What every element takes. */
export interface Shared {
  /** Up to 100 ids of people; without it everybody sees the element. */
  readonly visible_to?: readonly string[];
  /** What clients ask before they send the click. */
  readonly confirm?: ConfirmDto;
}

interface Placeholder {
  readonly placeholder?: string;
}

interface OneInitial {
  /** What is chosen at first. */
  readonly initial?: string;
}

interface ManyInitial {
  readonly initial?: readonly string[];
  readonly min_selected?: number;
  readonly max_selected?: number;
}

type Made<Element> = Element & Record<string, unknown>;

function made<Element>(type: string, action_id: string, more: Shared): Made<Element> {
  const { visible_to, ...fields } = more;
  const all = { type, action_id, ...fields, ...(visible_to && { visibility_user_ids: visible_to }) };
  const given = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
  requireNone(element(given, type, {}));
  return given as Made<Element>;
}

/** Options as they travel. */
export function optionsOf(options: Options): OptionDto[] {
  if (!Array.isArray(options))
    return Object.entries(options).map(([value, label]) => ({ value, label: label as string }));
  return (options as readonly (string | OptionDto)[]).map((each) =>
    typeof each === 'string' ? { value: each, label: each } : each,
  );
}

/**
 * What people use in a row of `blocks.actions`. Each throws a {@link LimitError} that names what
 * breaks a rule.
 */
export const elements = {
  /**
   * `data` (up to 2000 characters) comes back with the click; with `url` clients open that and the
   * bot is not told.
   */
  button: (
    action_id: string,
    text: string,
    more: Shared & { style?: 'primary' | 'danger' | 'default'; data?: string; url?: string } = {},
  ) => made<ButtonDto>('button', action_id, { ...{ text }, ...more }),

  /** One of 1 to 25 options, from a list that opens. */
  select: (action_id: string, options: Options, more: Shared & Placeholder & OneInitial = {}) =>
    made<SelectDto>('select', action_id, { ...{ options: optionsOf(options) }, ...more }),

  /** One of 1 to 25 options that are all seen. */
  radio: (action_id: string, options: Options, more: Shared & OneInitial = {}) =>
    made<RadioDto>('radio', action_id, { ...{ options: optionsOf(options) }, ...more }),

  /** A menu behind "…". */
  overflow: (action_id: string, options: Options, more: Shared = {}) =>
    made<OverflowDto>('overflow', action_id, { ...{ options: optionsOf(options) }, ...more }),

  /** Several of 1 to 25 options, from a list that opens. */
  multiSelect: (action_id: string, options: Options, more: Shared & Placeholder & ManyInitial = {}) =>
    made<MultiSelectDto>('multi_select', action_id, { ...{ options: optionsOf(options) }, ...more }),

  /** Several of 1 to 25 options that are all seen. */
  checkboxes: (action_id: string, options: Options, more: Shared & ManyInitial = {}) =>
    made<CheckboxesDto>('checkboxes', action_id, { ...{ options: optionsOf(options) }, ...more }),

  /** A person of the space. */
  userSelect: (action_id: string, more: Shared & Placeholder & OneInitial = {}) =>
    made<UserSelectDto>('user_select', action_id, more),

  /** A conversation that the person can read. */
  conversationSelect: (action_id: string, more: Shared & Placeholder & OneInitial = {}) =>
    made<ConversationSelectDto>('conversation_select', action_id, more),

  /** A day: `2026-12-01`. */
  datePicker: (action_id: string, more: Shared & Placeholder & OneInitial = {}) =>
    made<DatePickerDto>('date_picker', action_id, more),

  /** A time of 24 hours: `09:30`. */
  timePicker: (action_id: string, more: Shared & Placeholder & OneInitial = {}) =>
    made<TimePickerDto>('time_picker', action_id, more),
};
