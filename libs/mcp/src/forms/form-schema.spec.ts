import { requestedSchemaOf, withInitialValues } from './form-schema.js';

const OPTIONS = [
  { value: 'a', label: 'A' },
  { value: 'b', label: 'B' },
];
const CHOICES = [
  { const: 'a', title: 'A' },
  { const: 'b', title: 'B' },
];

test.each<[object, object]>([
  [
    { type: 'text', label: 'Name', placeholder: 'Ann', min_length: 1, max_length: 9, pattern: '\\w+' },
    { type: 'string', title: 'Name', description: 'Ann', minLength: 1, maxLength: 9 },
  ],
  [
    { type: 'textarea', initial: 'x' },
    { type: 'string', default: 'x' },
  ],
  [{ type: 'email' }, { type: 'string', format: 'email' }],
  [{ type: 'url' }, { type: 'string', format: 'uri' }],
  [
    { type: 'date', min: '2026-12-01' },
    { type: 'string', format: 'date' },
  ],
  [{ type: 'time' }, { type: 'string' }],
  [
    { type: 'number', min: 1, max: 5 },
    { type: 'number', minimum: 1, maximum: 5 },
  ],
  [
    { type: 'checkbox', initial: true },
    { type: 'boolean', default: true },
  ],
  [
    { type: 'select', options: OPTIONS },
    { type: 'string', oneOf: CHOICES },
  ],
  [
    { type: 'radio', options: OPTIONS },
    { type: 'string', oneOf: CHOICES },
  ],
  [
    { type: 'multi_select', options: OPTIONS, max: 2 },
    { type: 'array', maxItems: 2, items: { anyOf: CHOICES } },
  ],
  [
    { type: 'checkboxes', options: OPTIONS },
    { type: 'array', items: { anyOf: CHOICES } },
  ],
])('the field %j is asked for as %j', (field, property) => {
  expect(requestedSchemaOf({ fields: [{ id: 'f', ...field }] })).toEqual({
    type: 'object',
    properties: { f: property },
  });
});

test.each([
  { type: 'user' },
  { type: 'conversation' },
  { type: 'file' },
  { type: 'select', options_from: 'bot' },
  { type: 'select', options: [] },
  { type: 'constructor' },
  { type: 5 },
  {},
])('the field %j is not asked for', (field) => {
  expect(requestedSchemaOf({ fields: [{ id: 'f', ...field }] })).toBeUndefined();
});

test.each([
  undefined,
  null,
  5,
  'x',
  [],
  {},
  { fields: {} },
  { fields: [] },
  { fields: [null, 1, { type: 'text' }] },
])('%j asks for nothing', (form) => {
  expect(requestedSchemaOf(form)).toBeUndefined();
});

test('values become initial values of the fields that were asked for', () => {
  const fields = [
    { id: 'a', type: 'text', initial: 'old' },
    { id: 'b', type: 'text', initial: 'old' },
    { id: 'who', type: 'user' },
    { id: 'toString', type: 'text' },
    null,
  ];
  const values = { a: 'new', b: '', who: 'someone', c: 1 };
  expect(withInitialValues({ title: 'x', fields }, values)).toEqual({
    title: 'x',
    fields: [{ id: 'a', type: 'text', initial: 'new' }, ...fields.slice(1)],
  });
});

test('only values that are not empty count, whatever their type', () => {
  const fields = [
    { id: 'n', type: 'number' },
    { id: 'c', type: 'checkbox' },
    { id: 'm', type: 'checkboxes', options: OPTIONS },
  ];
  const initial = (values: object): unknown[] =>
    (withInitialValues({ fields }, { ...values }).fields as { initial?: unknown }[]).map(
      (field) => field.initial,
    );
  expect(initial({ n: 0, c: false, m: ['a'] })).toEqual([0, false, ['a']]);
  expect(initial({ n: null, c: undefined, m: [] })).toEqual([undefined, undefined, undefined]);
});
