import { AnswerCheck } from './answer-check.js';

const check = new AnswerCheck({
  paths: {
    '/things/{id}': { get: { responses: answering('ThingAnswer') } },
    '/things/mine': { get: { responses: answering('NoAnswer') } },
  },
  components: {
    schemas: {
      NoAnswer: { type: 'object', required: ['no'], properties: { no: { type: 'boolean' } } },
      ThingAnswer: {
        type: 'object',
        required: ['ok', 'thing'],
        properties: {
          ok: { type: 'boolean', enum: [true] },
          thing: { $ref: '#/components/schemas/Thing' },
          others: { type: 'array', items: { $ref: '#/components/schemas/Thing' } },
        },
      },
      Thing: {
        type: 'object',
        required: ['id', 'example'],
        properties: {
          id: { type: 'string' },
          example: { type: 'string', nullable: true, example: 'a' },
          facts: { type: 'object', additionalProperties: true },
        },
      },
    },
  },
});

function answering(name: string): object {
  return { '200': { content: { 'application/json': { schema: { $ref: `#/components/schemas/${name}` } } } } };
}

const thing = { id: '1', example: null };
const get =
  (body: unknown, url = '/things/1?x=2') =>
  (): void =>
    check.check('GET', url, 200, body);

test('an answer that the document describes passes, on whichever route', () => {
  expect(get({ ok: true, thing })).not.toThrow();
  expect(get({ ok: true, thing: { ...thing, facts: { any: { thing: 1 } } }, others: [thing] })).not.toThrow();
  expect(get({ no: true }, '/things/mine')).not.toThrow();
  expect(get({ anything: true }, '/unknown')).not.toThrow();
});

test('a field that the document does not know fails, at any depth', () => {
  expect(get({ ok: true, thing, more: 1 })).toThrow('"additionalProperty":"more"');
  expect(get({ ok: true, thing: { ...thing, more: 1 } })).toThrow(
    '/thing must NOT have additional properties',
  );
  expect(get({ ok: true, thing, others: [{ ...thing, more: 1 }] })).toThrow('/others/0');
});

test('a missing field, another type and another value fail', () => {
  expect(get({ ok: true })).toThrow('"missingProperty":"thing"');
  expect(get({ ok: true, thing: { ...thing, id: null } })).toThrow('/thing/id must be string');
  expect(get({ ok: false, thing })).toThrow('/ok');
});
