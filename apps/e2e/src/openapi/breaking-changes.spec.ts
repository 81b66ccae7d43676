import { breakingChanges } from './breaking-changes.js';
import type { Contract } from './breaking-changes.js';
import { committed } from './committed.js';

type Json = Record<string, any>;

const NOTE = {
  type: 'object',
  required: ['id', 'kind'],
  properties: {
    id: { type: 'string' },
    kind: { type: 'string', enum: ['a', 'b'] },
    more: { type: 'string' },
    next: { $ref: '#/components/schemas/Note' },
  },
};
const BODY = {
  type: 'object',
  required: ['text'],
  properties: {
    text: { type: 'string', maxLength: 100 },
    kind: { type: ['string', 'null'], enum: ['a', 'b', null] },
    place: { anyOf: [{ type: 'object', properties: { x: { type: 'number' } } }, { type: 'null' }] },
  },
};
const json = (schema: object): Json => ({ content: { 'application/json': { schema } } });

function contract(): Json {
  return structuredClone({
    paths: {
      '/notes': {
        post: {
          operationId: 'createNote',
          security: [{ token: ['bot'] }, { cookieAuth: [] }],
          parameters: [{ name: 'limit', in: 'query', schema: { type: 'integer', maximum: 100 } }],
          requestBody: json(BODY),
          responses: { 200: json({ $ref: '#/components/schemas/Note' }), 400: {} },
        },
      },
    },
    webhooks: {
      'note.created': {
        post: {
          operationId: 'onNote',
          requestBody: json({ $ref: '#/components/schemas/Note' }),
          responses: { 200: json(BODY) },
        },
      },
    },
    components: { schemas: { Note: NOTE } },
  });
}

/** Returns what a change of the document breaks. */
function breaks(change: (document: Json) => void): string[] {
  const after = contract();
  change(after);
  return breakingChanges(contract() as Contract, after as Contract);
}
const post = (document: Json): Json => document.paths['/notes'].post;
const body = (document: Json): Json => post(document).requestBody.content['application/json'].schema;
const note = (document: Json): Json => document.components.schemas.Note;

test('an unchanged document breaks nothing, including the real one', () => {
  expect(breaks(() => undefined)).toEqual([]);
  expect(breakingChanges(committed().api, committed().api)).toEqual([]);
});

test.each<[string, (document: Json) => void]>([
  ['another operation', (one) => (one.paths['/more'] = { get: { responses: {} } })],
  ['an optional parameter', (one) => post(one).parameters.push({ name: 'more', in: 'query' })],
  ['an optional field of a body', (one) => (body(one).properties.more = { type: 'string' })],
  ['a field that is no longer required', (one) => (body(one).required = [])],
  ['a looser limit', (one) => (body(one).properties.text.maxLength = 200)],
  ['no limit', (one) => delete body(one).properties.text.maxLength],
  ['another accepted value', (one) => body(one).properties.kind.enum.push('c')],
  ['another field of a response', (one) => (note(one).properties.extra = { type: 'string' })],
  ['another value in a response', (one) => note(one).properties.kind.enum.push('c')],
  ['a field of a response that is now always present', (one) => note(one).required.push('more')],
  ['another error', (one) => (post(one).responses[409] = {})],
  ['a removed error', (one) => delete post(one).responses[400]],
  ['another caller', (one) => post(one).security.push({ token: ['person'] })],
])('more is fine: %s', (_, change) => {
  expect(breaks(change)).toEqual([]);
});

test.each<[string, (document: Json) => void, string]>([
  ['an operation is gone', (one) => delete one.paths['/notes'], 'no such operation'],
  ['an operation has another name', (one) => (post(one).operationId = 'makeNote'), 'is called makeNote'],
  ['a caller is turned away', (one) => post(one).security.shift(), 'does not take {"token":["bot"]}'],
  ['a parameter is gone', (one) => (post(one).parameters = []), 'does not read query limit'],
  ['a parameter is demanded', (one) => (post(one).parameters[0].required = true), 'demands query limit'],
  ['a limit is tighter', (one) => (post(one).parameters[0].schema.maximum = 50), 'tighter maximum'],
  ['a body is demanded', (one) => (post(one).requestBody.required = true), 'demands a body'],
  ['a field is demanded', (one) => body(one).required.push('kind'), 'body.kind is demanded'],
  [
    'a new field is demanded',
    (one) => {
      body(one).properties.more = { type: 'string' };
      body(one).required.push('more');
    },
    'body.more is demanded',
  ],
  ['a field is not read any more', (one) => delete body(one).properties.kind, 'body.kind is gone'],
  [
    'a field of an alternative is gone',
    (one) => (body(one).properties.place.anyOf[0].properties = { y: {} }),
    'body.place.x is gone',
  ],
  ['a value is not taken any more', (one) => (body(one).properties.kind.enum = ['a', null]), 'takes no "b"'],
  ['null is not taken any more', (one) => (body(one).properties.kind.type = 'string'), 'takes no null'],
  ['a shorter text', (one) => (body(one).properties.text.maxLength = 99), 'tighter maxLength'],
  ['a form of a text', (one) => (body(one).properties.text.pattern = '^a'), 'tighter pattern'],
  ['a success is gone', (one) => delete post(one).responses[200], 'does not answer 200'],
  ['a field of an answer is gone', (one) => delete note(one).properties.more, 'answer 200.more is gone'],
  [
    'a field of an answer may be absent',
    (one) => (note(one).required = ['id']),
    'answer 200.kind may be absent',
  ],
  [
    'a field of an answer may be null',
    (one) => (note(one).properties.id.type = ['string', 'null']),
    'answer 200.id may be null',
  ],
  [
    'a field of an answer is of another kind',
    (one) => (note(one).properties.id.type = 'integer'),
    'answer 200.id may be integer',
  ],
  [
    'a field of an event is gone',
    (one) => delete note(one).properties.more,
    'POST note.created: body.more is gone',
  ],
  [
    'an answer to an event is not taken any more',
    (one) => {
      one.webhooks['note.created'].post.responses[200] = json({
        ...BODY,
        properties: { text: { type: 'string', maxLength: 100 } },
      });
    },
    'POST note.created: answer 200.kind is gone',
  ],
])('%s', (_, change, expected) => {
  expect(breaks(change).join('\n')).toContain(expected);
});
