import { isBlankText } from '@tieline/platform/http';
/** The types of fields. */
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

/** A bound: a number, a number of choices, or a date or time whose text sorts in its order. */
export type Bound = number | string;

/** A field of a validated modal. */
export interface ModalField {
  id: string;
  type: FieldType;
  required: boolean;
  /** Initial value; undefined if there is none. */
  initial: unknown;
  min: Bound | undefined;
  max: Bound | undefined;
  /** In characters. */
  minLength: number | undefined;
  maxLength: number | undefined;
  pattern: string | undefined;
  options: readonly FieldOption[] | undefined;
  /** Whether the bot suggests the options while a person types (`options_from: "bot"`). */
  hasBotOptions: boolean;
}

export interface FieldOption {
  label: string;
  value: string;
}

/** Returns whether a value is filled in. Whitespace and empty lists count as empty. */
export function isFilledIn(given: unknown): boolean {
  if (typeof given === 'string') return !isBlankText(given);
  return given !== undefined && given !== null && !(Array.isArray(given) && given.length === 0);
}
