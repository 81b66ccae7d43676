import type {
  ButtonDto,
  CheckboxesDto,
  ConfirmDto,
  ConversationSelectDto,
  DatePickerDto,
  FeedbackButtonDto,
  FeedbackButtonsDto,
  IconButtonDto,
  MultiSelectDto,
  OptionDto,
  OverflowDto,
  RadioDto,
  SelectDto,
  TimePickerDto,
  UserSelectDto,
} from '../api/types.gen.js';
import { contextElement, element } from './element-rules.js';
import { throwIfProblem } from './rules.js';

/** Options: texts used as value and label, `{value: label}`, or the format of the API. */
export type Options = readonly string[] | Readonly<Record<string, string>> | readonly OptionDto[];

/** Options of every element. */
export interface Shared {
  /** Up to 100 ids of people who see the element. Default: everyone. */
  readonly visible_to?: readonly string[];
  /** Confirmation shown before the click is sent. */
  readonly confirm?: ConfirmDto;
}

interface Placeholder {
  readonly placeholder?: string;
}

interface OneInitial {
  /** Initially selected value. */
  readonly initial?: string;
}

interface ManyInitial {
  readonly initial?: readonly string[];
  readonly min_selected?: number;
  readonly max_selected?: number;
}

type Built<Element> = Element & Record<string, unknown>;

function build<Element>(type: string, action_id: string, more: Shared): Built<Element> {
  const { visible_to, ...fields } = more;
  const all = { type, action_id, ...fields, ...(visible_to && { visibility_user_ids: visible_to }) };
  const given = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
  throwIfProblem(element(given, type, {}));
  return given as Built<Element>;
}

function buildSmall<Element>(made: Record<string, unknown> & { type: string }): Built<Element> {
  const given = Object.fromEntries(Object.entries(made).filter(([, value]) => value !== undefined));
  throwIfProblem(contextElement(given, made.type, {}));
  return given as Built<Element>;
}

/** Converts options to the format of the API. */
export function optionsOf(options: Options): OptionDto[] {
  if (!Array.isArray(options))
    return Object.entries(options).map(([value, label]) => ({ value, label: label as string }));
  return (options as readonly (string | OptionDto)[]).map((each) =>
    typeof each === 'string' ? { value: each, label: each } : each,
  );
}

/**
 * Builders of elements for `blocks.actions`. They throw a {@link LimitError} that names the broken
 * rule.
 */
export const elements = {
  /**
   * A button. `data` (up to 2000 characters) is returned with the click. With `url`, clients open
   * the address and the bot gets no click.
   */
  button: (
    action_id: string,
    text: string,
    more: Shared & { style?: 'primary' | 'danger' | 'default'; data?: string; url?: string } = {},
  ) => build<ButtonDto>('button', action_id, { ...{ text }, ...more }),

  /** Selects one of 1 to 25 options from a dropdown. */
  select: (action_id: string, options: Options, more: Shared & Placeholder & OneInitial = {}) =>
    build<SelectDto>('select', action_id, { ...{ options: optionsOf(options) }, ...more }),

  /** Selects one of 1 to 25 visible options. */
  radio: (action_id: string, options: Options, more: Shared & OneInitial = {}) =>
    build<RadioDto>('radio', action_id, { ...{ options: optionsOf(options) }, ...more }),

  /** A menu behind "…". */
  overflow: (action_id: string, options: Options, more: Shared = {}) =>
    build<OverflowDto>('overflow', action_id, { ...{ options: optionsOf(options) }, ...more }),

  /** Selects several of 1 to 25 options from a dropdown. */
  multiSelect: (action_id: string, options: Options, more: Shared & Placeholder & ManyInitial = {}) =>
    build<MultiSelectDto>('multi_select', action_id, { ...{ options: optionsOf(options) }, ...more }),

  /** Selects several of 1 to 25 visible options. */
  checkboxes: (action_id: string, options: Options, more: Shared & ManyInitial = {}) =>
    build<CheckboxesDto>('checkboxes', action_id, { ...{ options: optionsOf(options) }, ...more }),

  /** Selects a person of the space. */
  userSelect: (action_id: string, more: Shared & Placeholder & OneInitial = {}) =>
    build<UserSelectDto>('user_select', action_id, more),

  /** Selects a conversation that the person can read. */
  conversationSelect: (action_id: string, more: Shared & Placeholder & OneInitial = {}) =>
    build<ConversationSelectDto>('conversation_select', action_id, more),

  /** Selects a date: `2026-12-01`. */
  datePicker: (action_id: string, more: Shared & Placeholder & OneInitial = {}) =>
    build<DatePickerDto>('date_picker', action_id, more),

  /** Selects a time: `09:30`. */
  timePicker: (action_id: string, more: Shared & Placeholder & OneInitial = {}) =>
    build<TimePickerDto>('time_picker', action_id, more),

  /**
   * Buttons for people to judge the message, for `blocks.contextActions`. The click has
   * `ctx.feedback`. Without texts, clients use their own words.
   */
  feedback: (action_id: string, more: { positive?: FeedbackButtonDto; negative?: FeedbackButtonDto } = {}) =>
    buildSmall<FeedbackButtonsDto>({ type: 'feedback_buttons', action_id, ...more }),

  /** A small button with an icon, for `blocks.contextActions`. `text` labels it. */
  iconButton: (
    action_id: string,
    icon: IconButtonDto['icon'],
    text: string,
    more: { data?: string; visible_to?: readonly string[] } = {},
  ) => buildSmall<IconButtonDto>({ type: 'icon_button', action_id, icon, text, ...more }),
};
