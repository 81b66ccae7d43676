import type { Choice } from '@tieline/interactive';

export const OPTION_TYPES = [
  'string',
  'integer',
  'number',
  'boolean',
  'user',
  'conversation',
  'choice',
] as const;
export type OptionType = (typeof OPTION_TYPES)[number];

/** An option of a command as stored. Fields that do not apply are absent. */
export interface CommandOption {
  name: string;
  description: string;
  type: OptionType;
  required: boolean;
  /** For integer and number, inclusive. */
  min?: number;
  max?: number;
  /** For string, in characters, inclusive. */
  minLength?: number;
  maxLength?: number;
  /** For choice. */
  choices?: Choice[];
  /** Whether the bot suggests values while a person types. */
  autocomplete: boolean;
}

/** A value as the bot receives it. */
export type OptionValue = string | number | boolean;
export type OptionValues = Readonly<Record<string, OptionValue>>;

/** Maximum length of a text if the option sets none. */
export const MAX_OPTION_TEXT = 4000;
