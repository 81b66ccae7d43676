import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { jest } from '@jest/globals';
import type { Principal } from '@tieline/platform/http';
import { TokenResolvers } from '@tieline/platform/http';
import { SseStream } from './sse-stream.js';
import { StreamAccess } from './stream-access.js';

const HOUR_MS = 3_600_000;
const CALLER = {
  kind: 'bot',
  botId: 'bot',
  spaceId: 'space',
  channelIds: [],
  scopes: 'all',
} as const satisfies Principal;
const nothingChanges = { watch: () => () => undefined };

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

/** An open stream of `caller`, with a token resolved by `look`. */
function watched(look: () => Promise<Principal>, caller: Principal = CALLER): SseStream {
  const resolvers = new TokenResolvers();
  resolvers.register('tlb_', look);
  const stream = new SseStream(new ServerResponse(new IncomingMessage(new Socket())), 1024);
  new StreamAccess(resolvers, nothingChanges).watch(stream, 'tlb_x', caller);
  return stream;
}

const away = (): Promise<Principal> => Promise.reject(new Error('the store is away'));

test('a stream that cannot be verified is closed after half a minute', async () => {
  const stream = watched(away);
  await jest.advanceTimersByTimeAsync(29_000);
  expect(stream.closed).toBeUndefined();
  await jest.advanceTimersByTimeAsync(2_000);
  expect(stream.closed).toBe('unverified');
});

test('the same applies when the clock is set back by an hour', async () => {
  const stream = watched(away);
  jest.setSystemTime(Date.now() - HOUR_MS);
  await jest.advanceTimersByTimeAsync(31_000);
  expect(stream.closed).toBe('unverified');
});

test('setting the clock forward closes no stream', async () => {
  const stream = watched(away);
  jest.setSystemTime(Date.now() + HOUR_MS);
  await jest.advanceTimersByTimeAsync(29_000);
  expect(stream.closed).toBeUndefined();
});

test('a store that recovers in time keeps it open', async () => {
  let isAway = true;
  const stream = watched(() => (isAway ? away() : Promise.resolve(CALLER)));
  await jest.advanceTimersByTimeAsync(29_000);
  isAway = false;
  await jest.advanceTimersByTimeAsync(5_000);
  isAway = true;
  await jest.advanceTimersByTimeAsync(20_000);
  expect(stream.closed).toBeUndefined();
});

test('a stream is closed when the scopes of its token change', async () => {
  const scopes = new Set(['events', 'messages:read'] as const);
  let found: Principal = { ...CALLER, scopes };
  const stream = watched(() => Promise.resolve(found), found);
  await jest.advanceTimersByTimeAsync(11_000);
  found = { ...found, scopes: new Set(scopes) };
  await jest.advanceTimersByTimeAsync(11_000);
  expect(stream.closed).toBeUndefined();
  found = { ...found, scopes: new Set(['messages:read'] as const) };
  await jest.advanceTimersByTimeAsync(11_000);
  expect(stream.closed).toBe('revoked');
});
