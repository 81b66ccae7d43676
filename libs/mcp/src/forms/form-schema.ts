import type { ElicitRequestFormParams } from '@modelcontextprotocol/server';

type RequestedSchema = ElicitRequestFormParams['requestedSchema'];
type Property = RequestedSchema['properties'][string];
type Attributes = Readonly<Record<string, unknown>>;

/** A field of a form, as a caller sends it: not checked yet. */
interface Field extends Attributes {
  id: string;
  type: string;
}

/** Formats of text fields. */
const FORMATS: Readonly<Record<string, string | undefined>> = {
  text: undefined,
  textarea: undefined,
  time: undefined,
  email: 'email',
  url: 'uri',
  date: 'date',
};

/**
 * Returns the schema with which a client asks its user for the values of a form, in the subset of
 * JSON schema that the protocol allows. Fields whose values only Tieline can offer are left out.
 * Nothing is required, because people fill in the rest.
 * @param form an argument of a tool, which the API checks later
 * @returns undefined if there is nothing to ask
 */
export function requestedSchemaOf(form: unknown): RequestedSchema | undefined {
  const properties = fieldsOf(form).flatMap((field): [string, Property][] => {
    const property = propertyOf(field);
    return property ? [[field.id, property as unknown as Property]] : [];
  });
  if (properties.length === 0) return undefined;
  return { type: 'object', properties: Object.fromEntries(properties) };
}

/** Returns the form with these initial values. Empty values and other fields are ignored. */
export function withInitialValues(form: unknown, values: Attributes): Attributes {
  const asked = requestedSchemaOf(form)?.properties ?? {};
  const filled = (id: unknown): boolean =>
    typeof id === 'string' && Object.hasOwn(asked, id) && Object.hasOwn(values, id) && !isEmpty(values[id]);
  const fields = (form as { fields: unknown[] }).fields.map((field) => {
    const id = (field as Partial<Field> | null)?.id;
    return filled(id) ? { ...(field as Field), initial: values[id as string] } : field;
  });
  return { ...(form as Attributes), fields };
}

const isEmpty = (value: unknown): boolean =>
  value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);

function fieldsOf(form: unknown): Field[] {
  const fields = (form as { fields?: unknown } | null | undefined)?.fields;
  if (!Array.isArray(fields)) return [];
  return fields.filter(
    (field: Partial<Field> | null): field is Field =>
      typeof field?.id === 'string' && typeof field.type === 'string',
  );
}

function propertyOf(field: Field): Attributes | undefined {
  const { label, placeholder, initial } = field;
  const described = defined({ title: label, description: placeholder, default: initial });
  switch (field.type) {
    case 'number':
      return { type: 'number', ...described, ...defined({ minimum: field.min, maximum: field.max }) };
    case 'checkbox':
      return { type: 'boolean', ...described };
    case 'select':
    case 'radio': {
      const choices = choicesOf(field);
      return choices && { type: 'string', ...described, oneOf: choices };
    }
    case 'multi_select':
    case 'checkboxes': {
      const choices = choicesOf(field);
      const size = defined({ minItems: field.min, maxItems: field.max });
      return choices && { type: 'array', ...described, ...size, items: { anyOf: choices } };
    }
    default:
      return Object.hasOwn(FORMATS, field.type) ? textOf(field, described) : undefined;
  }
}

function textOf({ type, min_length, max_length }: Field, described: Attributes): Attributes {
  const rules = defined({ format: FORMATS[type], minLength: min_length, maxLength: max_length });
  return { type: 'string', ...described, ...rules };
}

function choicesOf({ options }: Field): { const: unknown; title: unknown }[] | undefined {
  if (!Array.isArray(options) || options.length === 0) return undefined;
  return options.map((option: Partial<Record<'label' | 'value', unknown>> | null) => ({
    const: option?.value,
    title: option?.label,
  }));
}

/** Returns the attributes that have a value. */
const defined = (attributes: Attributes): Attributes =>
  Object.fromEntries(Object.entries(attributes).filter(([, value]) => value !== undefined));
