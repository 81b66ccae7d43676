import { AnswerCheck } from './answer-check.js';
import type { SeenAnswer } from './answer-check.js';

const check = new AnswerCheck({
  paths: {
    '/things/{id}': {
      get: { responses: { ...answering('ThingAnswer'), ...answering('StandardError', '404') } },
      post: {
        responses: {
          '200': { content: { 'application/json': { schema: { type: 'object' } } } },
          '204': { description: 'done' },
        },
      },
    },
    '/oks': { get: { responses: { ...answering('Ok'), ...answering('Ok', '409') } } },
    '/things/mine': { get: { responses: answering('NoAnswer') } },
    '/files/{path}': {
      get: { responses: { '200': { content: { '*/*': { schema: { type: 'string', format: 'binary' } } } } } },
    },
    '/hooks/{token}': {
      post: { responses: { '200': { content: { 'text/plain': { schema: { type: 'string' } } } } } },
    },
  },
  components: {
    schemas: {
      StandardError: {
        type: 'object',
        required: ['ok', 'error'],
        properties: { ok: { type: 'boolean', enum: [false] }, error: { type: 'string' } },
      },
      Ok: { type: 'object', required: ['ok'], properties: { ok: { type: 'boolean' } } },
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
          example: { type: ['string', 'null'], example: 'a' },
          next: { anyOf: [{ $ref: '#/components/schemas/NoAnswer' }, { type: 'null' }] },
          facts: { type: 'object', additionalProperties: true },
        },
      },
    },
  },
});

function answering(name: string, status = '200'): object {
  return {
    [status]: { content: { 'application/json': { schema: { $ref: `#/components/schemas/${name}` } } } },
  };
}

const thing = { id: '1', example: null };
const fault = (body: unknown, more: Partial<SeenAnswer> = {}): string | undefined =>
  check.fault({
    method: 'GET',
    route: '/things/:id',
    status: 200,
    type: 'application/json',
    text: body === undefined ? undefined : JSON.stringify(body),
    ...more,
  });

test('a documented answer passes on every route', () => {
  expect(fault({ ok: true, thing })).toBeUndefined();
  expect(
    fault({ ok: true, thing: { ...thing, facts: { any: { thing: 1 } } }, others: [thing] }),
  ).toBeUndefined();
  expect(fault({ no: true }, { route: '/things/mine' })).toBeUndefined();
  expect(fault({ ok: false, error: 'not found' }, { status: 404 })).toBeUndefined();
  expect(fault(undefined, { method: 'POST', status: 204, type: undefined })).toBeUndefined();
  expect(fault(undefined, { method: 'HEAD' })).toBeUndefined();
});

test('an undocumented field fails at any depth', () => {
  expect(fault({ ok: true, thing, more: 1 })).toContain('"additionalProperty":"more"');
  expect(fault({ ok: true, thing: { ...thing, more: 1 } })).toContain(
    '/thing must NOT have additional properties',
  );
  expect(fault({ ok: true, thing, others: [{ ...thing, more: 1 }] })).toContain('/others/0');
});

test('nullable objects are closed too', () => {
  expect(fault({ ok: true, thing: { ...thing, next: null } })).toBeUndefined();
  expect(fault({ ok: true, thing: { ...thing, next: { no: true } } })).toBeUndefined();
  expect(fault({ ok: true, thing: { ...thing, next: { no: true, more: 1 } } })).toContain('"more"');
});

test('a missing field, a wrong type and a wrong value fail', () => {
  expect(fault({ ok: true })).toContain('"missingProperty":"thing"');
  expect(fault({ ok: true, thing: { ...thing, id: null } })).toContain('/thing/id must be string');
  expect(fault({ ok: false, thing })).toContain('/ok');
});

test('`ok` that contradicts the status fails', () => {
  const plain = { route: '/oks', status: 200 };
  expect(fault({ ok: true }, plain)).toBeUndefined();
  expect(fault({ ok: false }, plain)).toContain('"ok" is false beside the status 200');
  expect(fault({ ok: true }, { ...plain, status: 409 })).toContain('"ok" is true beside the status 409');
});

test('an undocumented status fails', () => {
  expect(fault({ ok: false, error: 'gone' }, { status: 410 })).toContain('no such status');
});

test('an error in another shape fails, also without an operation', () => {
  expect(fault({ error: 'not found' }, { status: 404 })).toContain('"missingProperty":"ok"');
  const nowhere = { route: undefined, status: 404 };
  expect(fault({ ok: false, error: 'not found' }, nowhere)).toBeUndefined();
  expect(fault({ ok: false, error: 'method not allowed' }, { method: 'HEAD', status: 405 })).toBeUndefined();
  expect(fault({ message: 'Not Found', statusCode: 404 }, nowhere)).toContain('GET (no route) answered 404');
});

test('an answer without a schema, of an unknown operation or of another type fails', () => {
  expect(fault({}, { method: 'POST' })).toContain('names no class');
  expect(fault({}, { method: 'DELETE' })).toContain('no such operation');
  const hook = { method: 'POST', route: '/hooks/:token' };
  expect(fault('ok', { ...hook, type: 'text/plain' })).toBeUndefined();
  expect(fault('ok', { ...hook, type: 'text/html' })).toContain('knows text/plain, not text/html');
  const file = { route: '/files/*', text: '{}' };
  expect(fault(undefined, file)).toBeUndefined();
  expect(fault(undefined, { ...file, method: 'HEAD', type: 'image/png' })).toBeUndefined();
  expect(fault('ok', { ...hook, type: undefined })).toContain('without a type');
});
