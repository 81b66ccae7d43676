import type { ModalDto, ModalFieldDto } from '../api/types.gen.js';
import { optionsOf } from './elements.js';
import type { Options } from './elements.js';
import { checkModal } from './modal-rules.js';

type Field = ModalFieldDto;

/** What every field takes. */
export interface FieldOptions {
  readonly required?: boolean;
  readonly placeholder?: string;
}

interface TextOptions extends FieldOptions {
  readonly initial?: string;
  readonly min_length?: number;
  readonly max_length?: number;
  /** A regular expression of RE2 for the whole text. */
  readonly pattern?: string;
}

interface Bounds<Value> extends FieldOptions {
  readonly initial?: Value;
  readonly min?: Value;
  readonly max?: Value;
}

interface ManyOptions extends FieldOptions {
  readonly initial?: readonly string[];
  /** How many at least. */
  readonly min?: number;
  readonly max?: number;
}

type One = FieldOptions & { readonly initial?: string };

function field(type: Field['type'], id: string, label: string, more: object): Field {
  const all: [string, unknown][] = Object.entries({ id, type, label, ...more });
  return Object.fromEntries(all.filter(([, value]) => value !== undefined)) as unknown as Field;
}

/** `'bot'`: the bot is asked while somebody types (`bot.options`). */
const from = (options: Options | 'bot') =>
  options === 'bot' ? { options_from: 'bot' } : { options: optionsOf(options) };

/** What a form is made of. */
export const fields = {
  /** One line. */
  text: (id: string, label: string, more: TextOptions = {}) => field('text', id, label, more),
  /** Several lines. */
  textarea: (id: string, label: string, more: TextOptions = {}) => field('textarea', id, label, more),
  email: (id: string, label: string, more: TextOptions = {}) => field('email', id, label, more),
  /** An http or https address. */
  url: (id: string, label: string, more: TextOptions = {}) => field('url', id, label, more),
  /** One of 1 to 100 options. */
  select: (id: string, label: string, options: Options | 'bot', more: One = {}) =>
    field('select', id, label, { ...from(options), ...more }),
  radio: (id: string, label: string, options: Options | 'bot', more: One = {}) =>
    field('radio', id, label, { ...from(options), ...more }),
  /** Several of 1 to 100 options. */
  multiSelect: (id: string, label: string, options: Options | 'bot', more: ManyOptions = {}) =>
    field('multi_select', id, label, { ...from(options), ...more }),
  checkboxes: (id: string, label: string, options: Options | 'bot', more: ManyOptions = {}) =>
    field('checkboxes', id, label, { ...from(options), ...more }),
  /** Yes or no; a required one has to be ticked. */
  checkbox: (id: string, label: string, more: FieldOptions & { readonly initial?: boolean } = {}) =>
    field('checkbox', id, label, more),
  number: (id: string, label: string, more: Bounds<number> = {}) => field('number', id, label, more),
  /** A day: `2026-12-01`. */
  date: (id: string, label: string, more: Bounds<string> = {}) => field('date', id, label, more),
  /** A time of 24 hours: `09:30`. */
  time: (id: string, label: string, more: Bounds<string> = {}) => field('time', id, label, more),
  /** An active person of the space. */
  user: (id: string, label: string, more: One = {}) => field('user', id, label, more),
  /** A conversation that the person can read. */
  conversation: (id: string, label: string, more: One = {}) => field('conversation', id, label, more),
  /** A file that the person has uploaded. */
  file: (id: string, label: string, more: FieldOptions = {}) => field('file', id, label, more),
};

export interface ModalOptions {
  /** The words on the button that submits. */
  readonly submit?: string;
  readonly close?: string;
  /** Up to 3000 characters that come back with the submission; people never get them. */
  readonly private_metadata?: string;
  /** The bot gets `modal.closed`. */
  readonly notify_on_close?: boolean;
}

/**
 * A form of 1 to 30 fields that the server holds people to before the bot is asked.
 * @throws LimitError with the place of what breaks a rule: `fields[0].options[1].value`
 */
export function modal(title: string, fields: readonly Field[], options: ModalOptions = {}): ModalDto {
  const { submit: submit_label, close: close_label, ...more } = options;
  const all = Object.entries({ validate: true, title, submit_label, close_label, ...more, fields });
  const made = Object.fromEntries(all.filter(([, value]) => value !== undefined)) as ModalDto;
  checkModal(made);
  return made;
}
