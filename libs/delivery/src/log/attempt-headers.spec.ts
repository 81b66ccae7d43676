import { readAttemptHeaders, storedAttemptHeaders } from './attempt-headers.js';

const deliveryId = '01a21e36-e9d3-7667-a955-8cb14c168cb2';
const at = new Date(1_795_803_245_999);
const ATTEMPT = { at, statusCode: 200, durationMs: 24, error: null, response: 'ok' };
const SIGNED = {
  'X-Service-Attempt': '1',
  'webhook-id': deliveryId,
  'webhook-timestamp': '1795803245',
  'webhook-signature': 'v1,l7ZdpGS74c+vynC7hK59rXgTu7h28nwDq7GJmJanvag=',
};

test('the id and the timestamp of Standard Webhooks are read without being stored', () => {
  const stored = storedAttemptHeaders(deliveryId, { ...ATTEMPT, headers: SIGNED });
  expect(stored).not.toMatch(/webhook-id|webhook-timestamp/);
  expect(readAttemptHeaders({ deliveryId, at }, stored)).toEqual(SIGNED);
});

test.each([
  ['another id', { ...SIGNED, 'webhook-id': 'another' }],
  ['another timestamp', { ...SIGNED, 'webhook-timestamp': '1' }],
  ['no signature', { 'webhook-id': deliveryId }],
  ['no headers of Standard Webhooks', { 'X-Service-Attempt': '1' }],
])('headers with %s are read as they were sent', (_, headers) => {
  const stored = storedAttemptHeaders(deliveryId, { ...ATTEMPT, headers });
  expect(readAttemptHeaders({ deliveryId, at }, stored)).toEqual(headers);
});

test('headers that earlier versions stored whole are read unchanged', () => {
  expect(readAttemptHeaders({ deliveryId, at }, JSON.stringify(SIGNED))).toEqual(SIGNED);
});

test('an attempt without headers of its own has none', () => {
  expect(storedAttemptHeaders(deliveryId, ATTEMPT)).toBeNull();
  expect(readAttemptHeaders({ deliveryId, at }, null)).toEqual({});
});
