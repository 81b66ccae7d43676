import type { FieldType } from '../modal-field.js';
import { checkbox, singleChoice, multipleChoice } from './choices.js';
import type { FieldKind } from './field-kind.js';
import { date, number, time } from './measures.js';
import { reference } from './references.js';
import { email, text, url } from './texts.js';

/** The rules of every type of field. */
export const KINDS: Readonly<Record<FieldType, FieldKind>> = {
  text,
  textarea: text,
  select: singleChoice,
  multi_select: multipleChoice,
  checkbox,
  checkboxes: multipleChoice,
  radio: singleChoice,
  date,
  time,
  number,
  email,
  url,
  user: reference,
  conversation: reference,
  file: reference,
};
