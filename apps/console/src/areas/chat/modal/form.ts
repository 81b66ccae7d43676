import { asFields, objects, options, text, texts } from '../blocks/metadata.js';
import type { Fields } from '../blocks/metadata.js';

/** A field of a bot's form. */
export interface ModalField {
  id: string;
  type: string;
  label: string;
  isRequired: boolean;
  placeholder: string;
  initial: unknown;
  options: { id: string; label: string }[];
  /** Whether the bot suggests options while the user types. */
  isFromBot: boolean;
  min?: number | string;
  max?: number | string;
  minLength?: number;
  maxLength?: number;
}

/** A bot's form. */
interface ModalForm {
  title: string;
  submitLabel: string;
  closeLabel: string;
  fields: ModalField[];
}

export type Values = Readonly<Record<string, unknown>>;

const bound = (value: unknown): number | string | undefined =>
  typeof value === 'number' || typeof value === 'string' ? value : undefined;
const count = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined);

/**
 * Parses a form, including forms that Tieline did not validate. Unknown fields become text inputs.
 */
export function readForm(modal: unknown): ModalForm {
  const fields = asFields(modal);
  return {
    title: text(fields.title),
    submitLabel: text(fields.submit_label),
    closeLabel: text(fields.close_label),
    fields: objects(fields.fields)
      .map(readField)
      .filter(({ id }) => id !== ''),
  };
}

function readField(field: Fields): ModalField {
  const limits = {
    min: bound(field.min),
    max: bound(field.max),
    minLength: count(field.min_length),
    maxLength: count(field.max_length),
  };
  return {
    id: text(field.id),
    type: text(field.type),
    label: text(field.label) || text(field.id),
    isRequired: field.required === true,
    placeholder: text(field.placeholder),
    initial: field.initial,
    options: options(field.options),
    isFromBot: field.options_from === 'bot',
    ...(Object.fromEntries(
      Object.entries(limits).filter(([, limit]) => limit !== undefined),
    ) as Partial<ModalField>),
  };
}

const MANY = new Set(['multi_select', 'checkboxes']);

/** Whether the value of a field is a list. */
export const isMany = ({ type }: ModalField): boolean => MANY.has(type);

/** Returns the initial values. */
export const firstValues = ({ fields }: ModalForm): Values =>
  Object.fromEntries(
    fields.map((field) => {
      if (isMany(field)) return [field.id, texts(field.initial)];
      if (field.type === 'checkbox') return [field.id, field.initial === true];
      return [field.id, field.initial ?? ''];
    }),
  );

/** Converts values for submission: numbers as numbers, without empty values. */
export function sentValues({ fields }: ModalForm, values: Values): Values {
  return Object.fromEntries(
    fields
      .map((field) => {
        const value = values[field.id];
        if (field.type === 'number' && value !== '') return [field.id, Number(value)] as const;
        return [field.id, value] as const;
      })
      .filter(([, value]) => value !== '' && !(Array.isArray(value) && value.length === 0)),
  );
}
