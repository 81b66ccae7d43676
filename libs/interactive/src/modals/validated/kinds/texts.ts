import { isEmail } from 'class-validator';
import { characters } from '@tieline/platform/http';
import type { ModalField } from '../modal-field.js';
import type { FormPatterns } from '../form-patterns.js';
import type { Attribute, FieldKind, Reading } from './field-kind.js';

const ATTRIBUTES: readonly Attribute[] = ['min_length', 'max_length', 'pattern'];
const MAX_URL = 2048;
const ERRORS = {
  differs: 'Does not match the required format.',
  unchecked: 'Is too long to check.',
} as const;

/** Any text, single-line or multi-line. */
export const text: FieldKind = { attributes: ATTRIBUTES, read: readText };

export const email: FieldKind = {
  attributes: ATTRIBUTES,
  read: (given, field, patterns) =>
    isEmail(given)
      ? readText(given, field, patterns)
      : { error: 'Must be an email address such as ann@example.com.' },
};

/** An http or https address. */
export const url: FieldKind = {
  attributes: ATTRIBUTES,
  read: (given, field, patterns) =>
    isWebAddress(given)
      ? readText(given, field, patterns)
      : { error: 'Must be a web address such as https://example.com/.' },
};

function readText(given: unknown, field: ModalField, patterns: FormPatterns): Reading {
  if (typeof given !== 'string') return { error: 'Must be text.' };
  const { minLength = 0, maxLength = Infinity, pattern } = field;
  const length = characters(given);
  if (length < minLength) return { error: `Must have at least ${counted(minLength)}.` };
  if (length > maxLength) return { error: `Must have at most ${counted(maxLength)}.` };
  const verdict = pattern === undefined ? 'matches' : patterns.match(pattern, given);
  return verdict === 'matches' ? { value: given } : { error: ERRORS[verdict] };
}

function isWebAddress(given: unknown): boolean {
  if (typeof given !== 'string' || given.length > MAX_URL || !URL.canParse(given)) return false;
  return /^https?:\/\//i.test(given) && !/\s/.test(given);
}

function counted(length: number): string {
  return length === 1 ? '1 character' : `${length} characters`;
}
