import type { OpenAPIObject } from '@nestjs/swagger';
import { nameAlternatives } from './alternatives.js';
import { orNull } from './nullable-fields.js';
import type { JsonSchema } from './schemas.js';

const reworked = (schemas: object): object => {
  const document = { components: { schemas } } as unknown as OpenAPIObject;
  nameAlternatives(document);
  return document.components?.schemas as object;
};
const ref = (name: string): JsonSchema => ({ $ref: `#/components/schemas/${name}` });

test('texts, numbers and lists become one schema of several types, with the limits of each', () => {
  const oneOf = [
    { type: 'string', maxLength: 5 },
    { type: 'array', items: { type: 'string' } },
  ];
  expect(reworked({ A: { description: 'd', oneOf } })).toEqual({
    A: { description: 'd', type: ['string', 'array'], maxLength: 5, items: { type: 'string' } },
  });
});

test('an alternative with a title gets its name, and alternatives within alternatives become one list', () => {
  const given = { title: 'Given', type: 'object', additionalProperties: true };
  const anyOf = [{ anyOf: [ref('B'), given] }, { type: 'null' }];
  expect(reworked({ A: { anyOf }, C: { anyOf: [ref('B'), given] } })).toEqual({
    A: { anyOf: [ref('B'), ref('Given'), { type: 'null' }] },
    C: { anyOf: [ref('B'), ref('Given')] },
    Given: { type: 'object', additionalProperties: true },
  });
});

test('two different alternatives of one title are refused', () => {
  const one = { title: 'T', type: 'object' };
  const schemas = { A: { anyOf: [one, ref('X')] }, B: { anyOf: [{ ...one, required: ['a'] }, ref('X')] } };
  expect(() => reworked(schemas)).toThrow('two schemas are called T');
});

test.each<[string, JsonSchema, JsonSchema]>([
  ['a type', { type: 'string', minLength: 1 }, { type: ['string', 'null'], minLength: 1 }],
  ['a type that is already nullable', { type: ['string', 'null'] }, { type: ['string', 'null'] }],
  [
    'a reference',
    { allOf: [ref('A')], description: 'd' },
    { description: 'd', anyOf: [ref('A'), { type: 'null' }] },
  ],
  ['alternatives', { oneOf: [ref('A'), ref('B')] }, { oneOf: [ref('A'), ref('B'), { type: 'null' }] }],
  [
    'values with a default',
    { type: 'string', enum: ['a', 'b'], default: 'a', description: 'd' },
    { type: ['string', 'null'], enum: ['a', 'b', null], description: 'd; default: a' },
  ],
])('or null: %s', (_, schema, expected) => {
  expect(orNull(schema)).toEqual(expected);
});
