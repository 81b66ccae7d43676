import { isFilledIn } from './modal-field.js';
import type { ModalField } from './modal-field.js';
import type { FieldKind } from './kinds/field-kind.js';
import { MAX_CHOSEN } from './kinds/choices.js';
import { KINDS } from './kinds/kinds.js';
import type { FormPatterns } from './form-patterns.js';

/** An invalid attribute and the rule it breaks. */
export interface FieldProblem {
  /** Name of the attribute, as the bot wrote it. */
  name: string;
  rule: string;
}

type Given = Readonly<Record<string, unknown>>;

const ATTRIBUTES = ['min', 'max', 'min_length', 'max_length', 'pattern', 'options'] as const;

/**
 * Checks the rules that involve several attributes of a field: attributes that the type does not
 * support, bounds in the wrong order, patterns that cannot be matched in linear time, and initial
 * values that a person could not submit.
 */
export function validateField(
  field: ModalField,
  given: Given,
  patterns: FormPatterns,
): FieldProblem | undefined {
  const kind = KINDS[field.type];
  return (
    unsupportedAttribute(field, given, kind) ??
    optionsProblem(field, kind) ??
    boundsProblem(field, given, kind) ??
    patternOf(field, patterns) ??
    initialProblem(field, kind, patterns)
  );
}

function unsupportedAttribute({ type, hasBotOptions }: ModalField, given: Given, kind: FieldKind) {
  const rule = `is not supported for ${type}`;
  for (const name of ATTRIBUTES)
    if (isPresent(given[name]) && !kind.attributes.includes(name)) return { name, rule };
  if (hasBotOptions && !kind.attributes.includes('options')) return { name: 'options_from', rule };
  return type === 'file' && isPresent(given.initial) ? { name: 'initial', rule } : undefined;
}

function optionsProblem({ options, hasBotOptions }: ModalField, kind: FieldKind): FieldProblem | undefined {
  if (!kind.attributes.includes('options')) return undefined;
  if (options && hasBotOptions) return { name: 'options_from', rule: 'cannot be combined with options' };
  return options || hasBotOptions ? undefined : { name: 'options', rule: 'is required' };
}

function boundsProblem(field: ModalField, given: Given, kind: FieldKind): FieldProblem | undefined {
  for (const name of ['min', 'max'] as const)
    if (isPresent(given[name]) && !kind.isBound?.(given[name]))
      return { name, rule: `is not a valid bound for ${field.type}` };
  const { min, max, minLength, maxLength } = field;
  if (min !== undefined && max !== undefined && min > max)
    return { name: 'min', rule: 'must not be greater than max' };
  if (kind.isCount && Number(min ?? 0) > (field.options?.length ?? MAX_CHOSEN))
    return { name: 'min', rule: 'must not exceed the number of options' };
  if (kind.isCount && field.required && Number(max ?? 1) < 1)
    return { name: 'max', rule: 'must be at least 1 because the field is required' };
  return minLength !== undefined && maxLength !== undefined && minLength > maxLength
    ? { name: 'min_length', rule: 'must not be greater than max_length' }
    : undefined;
}

function patternOf({ pattern }: ModalField, patterns: FormPatterns): FieldProblem | undefined {
  const rule = pattern === undefined ? undefined : patterns.problem(pattern);
  return rule === undefined ? undefined : { name: 'pattern', rule };
}

/** Checks the initial value. A required checkbox may start unticked. */
function initialProblem(
  field: ModalField,
  kind: FieldKind,
  patterns: FormPatterns,
): FieldProblem | undefined {
  if (!isFilledIn(field.initial)) return undefined;
  const reading = kind.read(field.initial, { ...field, required: false }, patterns);
  return 'error' in reading
    ? { name: 'initial', rule: `is not valid for the field: ${reading.error}` }
    : undefined;
}

function isPresent(given: unknown): boolean {
  return given !== undefined && given !== null;
}
