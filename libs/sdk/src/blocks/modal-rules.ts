import {
  flag,
  isDate,
  isMissing,
  isTime,
  list,
  object,
  oneOf,
  optional,
  throwIfProblem,
  text,
  satisfying,
  integer,
} from './rules.js';
import type { Fields, Problem } from './rules.js';
import { checkInitial } from './initial-rules.js';

/**
 * Rules of validated modals (docs/modals.md#validated-modals). Only the server checks the cost of a
 * `pattern` and whether RE2 supports it.
 */

type Attribute = 'min' | 'max' | 'min_length' | 'max_length' | 'pattern' | 'options';

interface FieldKind {
  readonly attributes: readonly Attribute[];
  readonly isBound?: (value: unknown) => boolean;
}

const TEXT: FieldKind = { attributes: ['min_length', 'max_length', 'pattern'] };
const ONE: FieldKind = { attributes: ['options'] };
const MANY: FieldKind = {
  attributes: ['options', 'min', 'max'],
  isBound: (value) => Number.isInteger(value) && (value as number) >= 0,
};
const NONE: FieldKind = { attributes: [] };
const bounded = (isBound: (value: unknown) => boolean): FieldKind => ({
  attributes: ['min', 'max'],
  isBound,
});

const KINDS: Readonly<Record<string, FieldKind>> = {
  text: TEXT,
  textarea: TEXT,
  select: ONE,
  multi_select: MANY,
  checkbox: NONE,
  checkboxes: MANY,
  radio: ONE,
  date: bounded(isDate),
  time: bounded(isTime),
  number: bounded(Number.isFinite),
  email: TEXT,
  url: TEXT,
  user: NONE,
  conversation: NONE,
  file: NONE,
};

const NAMES: readonly Attribute[] = ['min', 'max', 'min_length', 'max_length', 'pattern', 'options'];
const option = object({ label: text({ min: 1, max: 150 }), value: text({ min: 1, max: 150 }) });

const form = object({
  title: text({ min: 1, max: 100 }),
  submit_label: optional(text({ min: 1, max: 75 })),
  close_label: optional(text({ min: 1, max: 75 })),
  private_metadata: optional(text({ max: 3000 })),
  notify_on_close: optional(flag),
  fields: list(
    { min: 1, max: 30 },
    object({
      id: text({ min: 1, max: 64 }),
      type: oneOf(...Object.keys(KINDS)),
      label: text({ min: 1, max: 150 }),
      required: optional(flag),
      placeholder: optional(text({ max: 150 })),
      min_length: optional(integer(0, 65_536)),
      max_length: optional(integer(0, 65_536)),
      pattern: optional(text({ min: 1, max: 200 })),
      options: optional(list({ min: 1, max: 100 }, option, 'value')),
      options_from: optional(oneOf('bot')),
    }),
    'id',
  ),
});

/** Returns the first problem of a form with `validate`, if any. */
function modalProblem(modal: Fields, place: string): Problem | undefined {
  const problem = form(modal, place, {});
  if (problem) return problem;
  const at = place === '' ? '' : `${place}.`;
  for (const [index, field] of (modal.fields as Fields[]).entries()) {
    const found = fieldProblem(field, KINDS[String(field.type)]!);
    if (found) return { place: `${at}fields[${index}].${found.place}`, rule: found.rule };
  }
  return undefined;
}

function fieldProblem(field: Fields, kind: FieldKind): Problem | undefined {
  return (
    unsupportedAttribute(field, kind) ??
    optionsProblem(field, kind) ??
    boundsProblem(field, kind) ??
    patternProblem(field) ??
    initial(field)
  );
}

function unsupportedAttribute(field: Fields, { attributes }: FieldKind): Problem | undefined {
  const rule = `is not supported for ${String(field.type)}`;
  const name = NAMES.find((each) => !isMissing(field[each]) && !attributes.includes(each));
  if (name !== undefined) return { place: name, rule };
  if (field.options_from === 'bot' && !attributes.includes('options')) return { place: 'options_from', rule };
  return field.type === 'file' && !isMissing(field.initial) ? { place: 'initial', rule } : undefined;
}

function optionsProblem(
  { options, options_from: from }: Fields,
  { attributes }: FieldKind,
): Problem | undefined {
  if (!attributes.includes('options')) return undefined;
  if (!isMissing(options) && from === 'bot')
    return { place: 'options_from', rule: 'cannot be combined with options' };
  return isMissing(options) && from !== 'bot' ? { place: 'options', rule: 'is required' } : undefined;
}

function boundsProblem(field: Fields, { isBound }: FieldKind): Problem | undefined {
  const { min, max, min_length: shortest, max_length: longest, type } = field;
  for (const name of ['min', 'max'])
    if (!isMissing(field[name]) && !isBound?.(field[name]))
      return { place: name, rule: `is not a valid bound for ${String(type)}` };
  if (!isMissing(min) && !isMissing(max) && (min as number) > (max as number))
    return { place: 'min', rule: 'must not be greater than max' };
  const isTwisted = !isMissing(shortest) && !isMissing(longest) && (shortest as number) > (longest as number);
  return isTwisted ? { place: 'min_length', rule: 'must not be greater than max_length' } : undefined;
}

const LOOKAROUND = /\(\?(?:=|!|<=|<!)|\\[1-9]|\\k</;
const isOfRe2 = satisfying(
  (value) => !LOOKAROUND.test(String(value).replace(/\\\\/g, '')),
  'must be a regular expression supported by RE2 (no back references, no look-around)',
);

function patternProblem({ pattern }: Fields): Problem | undefined {
  return isMissing(pattern) ? undefined : isOfRe2(pattern, 'pattern', {});
}

function initial(field: Fields): Problem | undefined {
  const problemText = checkInitial(field);
  return problemText === undefined
    ? undefined
    : { place: 'initial', rule: `is not valid for the field: ${problemText}` };
}

/**
 * Checks a hand-written form against the server's limits, if it has `validate`.
 * @param place start of the place in errors, such as `open_modal`
 * @throws LimitError with the place of the broken rule: `fields[0].options[1].value`
 */
export function checkModal(modal: object, place = ''): void {
  if ((modal as Fields).validate === true) throwIfProblem(modalProblem(modal as Fields, place));
}
