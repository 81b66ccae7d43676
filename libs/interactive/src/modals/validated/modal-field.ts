import { isBlankText } from '@tieline/platform/http';
/** The types of fields (decisions, section 11.6). */
export const FIELD_TYPES = [
  'text',
  'textarea',
  'select',
  'multi_select',
  'checkbox',
  'checkboxes',
  'radio',
  'date',
  'time',
  'number',
  'email',
  'url',
  'user',
  'conversation',
  'file',
] as const;
export type FieldType = (typeof FIELD_TYPES)[number];

/**
 * What `min` and `max` may be: a number, how many are chosen, or a date or time, whose texts are in
 * their order.
 */
export type Bound = number | string;

/** A field of a validated modal. */
export interface ModalField {
  id: string;
  type: FieldType;
  required: boolean;
  /** Undefined where nothing is filled in. */
  initial: unknown;
  min: Bound | undefined;
  max: Bound | undefined;
  /** Characters. */
  minLength: number | undefined;
  maxLength: number | undefined;
  pattern: string | undefined;
  options: readonly FieldOption[] | undefined;
  /** The bot is asked for them while somebody types. */
  hasBotOptions: boolean;
}

export interface FieldOption {
  label: string;
  value: string;
}

/** Whether anything was filled in: no text but white space, and no empty list. */
export function isFilledIn(given: unknown): boolean {
  if (typeof given === 'string') return !isBlankText(given);
  return given !== undefined && given !== null && !(Array.isArray(given) && given.length === 0);
}
