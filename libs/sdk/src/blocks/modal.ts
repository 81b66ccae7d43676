import type { ModalDto, ModalFieldDto } from '../api/types.gen.js';
import { optionsOf } from './elements.js';
import type { Options } from './elements.js';
import { checkModal } from './modal-rules.js';

type Field = ModalFieldDto;

/** Options of every field. */
export interface FieldOptions {
  readonly required?: boolean;
  readonly placeholder?: string;
}

interface TextOptions extends FieldOptions {
  readonly initial?: string;
  readonly min_length?: number;
  readonly max_length?: number;
  /** An RE2 regular expression for the whole text. */
  readonly pattern?: string;
}

interface Bounds<Value> extends FieldOptions {
  readonly initial?: Value;
  readonly min?: Value;
  readonly max?: Value;
}

interface ManyOptions extends FieldOptions {
  readonly initial?: readonly string[];
  /** Minimum number of selected options. */
  readonly min?: number;
  readonly max?: number;
}

type One = FieldOptions & { readonly initial?: string };

function field(type: Field['type'], id: string, label: string, more: object): Field {
  const all: [string, unknown][] = Object.entries({ id, type, label, ...more });
  return Object.fromEntries(all.filter(([, value]) => value !== undefined)) as unknown as Field;
}

/** `'bot'`: the bot provides the options while the person types (`bot.options`). */
const from = (options: Options | 'bot') =>
  options === 'bot' ? { options_from: 'bot' } : { options: optionsOf(options) };

/** Builders of form fields. */
export const fields = {
  /** A single-line text. */
  text: (id: string, label: string, more: TextOptions = {}) => field('text', id, label, more),
  /** A multi-line text. */
  textarea: (id: string, label: string, more: TextOptions = {}) => field('textarea', id, label, more),
  email: (id: string, label: string, more: TextOptions = {}) => field('email', id, label, more),
  /** An http or https address. */
  url: (id: string, label: string, more: TextOptions = {}) => field('url', id, label, more),
  /** Selects one of 1 to 100 options. */
  select: (id: string, label: string, options: Options | 'bot', more: One = {}) =>
    field('select', id, label, { ...from(options), ...more }),
  radio: (id: string, label: string, options: Options | 'bot', more: One = {}) =>
    field('radio', id, label, { ...from(options), ...more }),
  /** Selects several of 1 to 100 options. */
  multiSelect: (id: string, label: string, options: Options | 'bot', more: ManyOptions = {}) =>
    field('multi_select', id, label, { ...from(options), ...more }),
  checkboxes: (id: string, label: string, options: Options | 'bot', more: ManyOptions = {}) =>
    field('checkboxes', id, label, { ...from(options), ...more }),
  /** A checkbox. A required one must be ticked. */
  checkbox: (id: string, label: string, more: FieldOptions & { readonly initial?: boolean } = {}) =>
    field('checkbox', id, label, more),
  number: (id: string, label: string, more: Bounds<number> = {}) => field('number', id, label, more),
  /** A date: `2026-12-01`. */
  date: (id: string, label: string, more: Bounds<string> = {}) => field('date', id, label, more),
  /** A time: `09:30`. */
  time: (id: string, label: string, more: Bounds<string> = {}) => field('time', id, label, more),
  /** An active person of the space. */
  user: (id: string, label: string, more: One = {}) => field('user', id, label, more),
  /** A conversation that the person can read. */
  conversation: (id: string, label: string, more: One = {}) => field('conversation', id, label, more),
  /** A file that the person uploads. */
  file: (id: string, label: string, more: FieldOptions = {}) => field('file', id, label, more),
};

export interface ModalOptions {
  /** Label of the submit button. */
  readonly submit?: string;
  readonly close?: string;
  /** Up to 3000 characters returned with the submission. People never see them. */
  readonly private_metadata?: string;
  /** Sends `modal.closed` to the bot when the person closes the form. */
  readonly notify_on_close?: boolean;
}

/**
 * Builds a form of 1 to 30 fields, which the server validates before the bot gets the submission.
 * @throws LimitError with the place of the broken rule: `fields[0].options[1].value`
 */
export function modal(title: string, fields: readonly Field[], options: ModalOptions = {}): ModalDto {
  const { submit: submit_label, close: close_label, ...more } = options;
  const all = Object.entries({ validate: true, title, submit_label, close_label, ...more, fields });
  const dto = Object.fromEntries(all.filter(([, value]) => value !== undefined)) as ModalDto;
  checkModal(dto);
  return dto;
}
