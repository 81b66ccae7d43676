import { plainSchema, withoutNull } from './plain-schema.js';

const NAMED = {
  Page: {
    type: 'object',
    example: {},
    properties: { items: { type: 'array', items: { $ref: '#/components/schemas/Item' } } },
  },
  Item: { type: 'object', properties: { example: { type: 'string', example: 'a', description: 'of what' } } },
};

test('references are replaced, and examples dropped', () => {
  expect(plainSchema({ $ref: '#/components/schemas/Page' }, NAMED)).toEqual({
    type: 'object',
    properties: {
      items: {
        type: 'array',
        items: { type: 'object', properties: { example: { type: 'string', description: 'of what' } } },
      },
    },
  });
});

test('an argument is not null', () => {
  expect(withoutNull({ type: ['string', 'null'], enum: ['a', null], maxLength: 1 })).toEqual({
    type: 'string',
    enum: ['a'],
    maxLength: 1,
  });
  expect(withoutNull({ description: 'anything' })).toEqual({ description: 'anything' });
});
