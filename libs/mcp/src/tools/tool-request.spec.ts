import type { Operation } from '../rest/operations.js';
import type { Call, Tool } from './tool.js';
import { toolRequest } from './tool-request.js';

const ID = '0198f3a2-7c1b-7000-8000-00000000ffff';
const text = { type: 'string' };
const OPERATION: Operation = {
  method: 'PUT',
  path: '/things/{id}/reactions/{emoji}',
  scope: 'messages:write',
  fields: new Map([
    ['id', { place: 'path', schema: { type: 'string', format: 'uuid' } }],
    ['emoji', { place: 'path', schema: text }],
    ['limit', { place: 'query', schema: { type: 'integer' } }],
    ['Idempotency-Key', { place: 'header', schema: text }],
    ['content', { place: 'body', schema: text }],
  ]),
  answer: {},
};
const CALL: Call = {
  operation: 'react',
  fields: {
    thing: 'id',
    emoji: 'emoji',
    limit: 'limit',
    key: 'Idempotency-Key',
    text: 'content',
  },
};
const TOOL: Tool = {
  name: 'react',
  title: 'React',
  description: '',
  effect: 'adds',
  required: ['thing', 'emoji'],
  calls: { bot: CALL },
  option: { name: 'remove', description: '', operations: {} },
  values: { text: ['a', 'b'] },
};
const given = { thing: ID, emoji: '👍', text: 'a' };

test('arguments fill the path, query, headers and body', () => {
  expect(toolRequest(TOOL, CALL, OPERATION, { ...given, limit: 5, key: 'k', remove: null })).toEqual({
    method: 'PUT',
    path: `/things/${ID}/reactions/${encodeURIComponent('👍')}`,
    query: { limit: '5' },
    headers: { 'Idempotency-Key': 'k' },
    body: { content: 'a' },
  });
});

test.each([
  [{ more: 1 }, 'unknown_argument', 'more'],
  [{ thing: undefined }, 'invalid_field', 'thing'],
  [{ thing: '' }, 'invalid_field', 'thing'],
  [{ thing: '..' }, 'invalid_field', 'thing'],
  [{ thing: `${ID}/../../me` }, 'invalid_field', 'thing'],
  [{ thing: [ID] }, 'invalid_field', 'thing'],
  [{ emoji: '.' }, 'invalid_field', 'emoji'],
  [{ emoji: '..' }, 'invalid_field', 'emoji'],
  [{ emoji: {} }, 'invalid_field', 'emoji'],
  [{ limit: [5] }, 'invalid_field', 'limit'],
  [{ key: {} }, 'invalid_field', 'key'],
  [{ key: 'a\r\nX-A: b' }, 'invalid_field', 'key'],
  [{ remove: 'yes' }, 'invalid_field', 'remove'],
  [{ text: 'c' }, 'invalid_field', 'text'],
])('%j is refused', (wrong, code, field) => {
  expect(() => toolRequest(TOOL, CALL, OPERATION, { ...given, ...wrong })).toThrow(
    expect.objectContaining({ status: 400, code, field }),
  );
});

test.each(['a/b', '%2e%2e', '?x=1', '#', '../..', '\\', 'a b'])('%s stays one part of the path', (emoji) => {
  const { path } = toolRequest(TOOL, CALL, OPERATION, { ...given, emoji });
  const parts = new URL(path, 'http://localhost').pathname.split('/');
  expect(parts.slice(0, 4)).toEqual(['', 'things', ID, 'reactions']);
  expect(parts.slice(4).map(decodeURIComponent)).toEqual([emoji]);
});
