/** The parts of an `@ApiProperty` that are used here. */
interface DeclaredField {
  type?: unknown;
  isArray?: boolean;
  enum?: unknown;
}

/** Where Nest's OpenAPI decorators store the fields of a class. */
const API_PROPERTIES = 'swagger/apiModelProperties';
/** Rules whose text names the type of the field. */
const NAME_THE_TYPE = new Set([
  ...[
    'isArray',
    'isBoolean',
    'isDate',
    'isHttpsUrl',
    'isIn',
    'isInt',
    'isNumber',
    'isObject',
    'isString',
    'isUuid',
  ],
  ...['isInstant', 'isTimeOfDay', 'isTimeZone'],
]);

/**
 * Rules with a custom text that covers missing values and wrong types. All rules with an explicit
 * text do the same.
 */
const HAVE_OWN_TEXT = new Set(['check', 'isRequired', 'oneOf', 'uuids', 'isChoiceValue']);

/**
 * Returns what to answer for a field that broke a rule, if the field is missing or does not have
 * the type of its `@ApiProperty`. Such a field breaks rules about its length or range too, but
 * their texts would mislead.
 *
 * @param target the DTO that has the field
 * @param ruleName the name of the broken rule, as class-validator knows it
 * @param place the name of the field in the text: a path such as `fields[1].label`
 * @returns undefined if the text of the broken rule is right
 */
export function typeProblem(
  target: object,
  field: string,
  value: unknown,
  ruleName: string,
  place: string,
): string | undefined {
  if (hasOwnText(ruleName)) return undefined;
  if (value === undefined || value === null) return `${place} is required`;
  const declared = Reflect.getMetadata(API_PROPERTIES, target, field) as DeclaredField | undefined;
  if (!declared || (NAME_THE_TYPE.has(ruleName) && !isList(declared))) return undefined;
  const expected = expectedType(declared, value);
  return expected && `${place} must be ${expected}`;
}

/**
 * The declared type in words, if the value does not have it; undefined also for types that are not
 * judged here.
 */
function expectedType(declared: DeclaredField, value: unknown): string | undefined {
  if (isList(declared)) return Array.isArray(value) ? undefined : 'a list';
  if (declared.enum !== undefined) return undefined;
  switch (declared.type) {
    case String:
    case 'string':
      return typeof value === 'string' ? undefined : 'a string';
    case Boolean:
    case 'boolean':
      return typeof value === 'boolean' ? undefined : 'a boolean';
    case 'integer':
      return typeof value === 'number' ? undefined : 'a whole number';
    case Number:
    case 'number':
      return typeof value === 'number' ? undefined : 'a number';
    default:
      return undefined;
  }
}

function isList({ type, isArray }: DeclaredField): boolean {
  return isArray === true || Array.isArray(type);
}

/** Whether a rule's text is written for one field and covers a missing value and a wrong type. */
function hasOwnText(ruleName: string): boolean {
  return HAVE_OWN_TEXT.has(ruleName) || /\W/.test(ruleName);
}
