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

/**
 * What a command takes (decisions, section 11.5), as it is stored; what does not apply is absent.
 */
export interface CommandOption {
  name: string;
  description: string;
  type: OptionType;
  required: boolean;
  /** Of integer and number, inclusive. */
  min?: number;
  max?: number;
  /** Of string, in characters, inclusive. */
  minLength?: number;
  maxLength?: number;
  /** Of choice. */
  choices?: Choice[];
  /** The bot is asked for values while somebody types. */
  autocomplete: boolean;
}

/** A value as the bot gets it. */
export type OptionValue = string | number | boolean;
export type OptionValues = Readonly<Record<string, OptionValue>>;

/** A text has at most so many characters where the option does not say. */
export const MAX_OPTION_TEXT = 4000;
