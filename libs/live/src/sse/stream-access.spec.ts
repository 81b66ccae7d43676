import { jest } from '@jest/globals';
import type { Principal } from '@tieline/platform/http';
import { TokenResolvers } from '@tieline/platform/http';
import type { AccessChanges } from '../access/access-changes.js';
import type { SseStream } from './sse-stream.js';
import { StreamAccess } from './stream-access.js';

const HOUR_MS = 3_600_000;
const CALLER: Principal = { kind: 'bot', botId: 'bot', spaceId: 'space', channelIds: [] };
/** Nothing changes. */
const quiet = { watch: () => () => undefined } as unknown as AccessChanges;

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

/** A stream of a token whose store answers as `look` does. @returns why it was closed, so far */
function watched(look: () => Promise<Principal>): string[] {
  const resolvers = new TokenResolvers();
  resolvers.register('tlb_', look);
  const reasons: string[] = [];
  const stream = {
    close: (reason: string) => void reasons.push(reason),
    onClose: () => undefined,
  } as unknown as SseStream;
  new StreamAccess(resolvers, quiet).watch(stream, 'tlb_x', CALLER);
  return reasons;
}

const away = (): Promise<Principal> => Promise.reject(new Error('the store is away'));

test('a stream that can not be verified is closed after half a minute', async () => {
  const reasons = watched(away);
  await jest.advanceTimersByTimeAsync(29_000);
  expect(reasons).toEqual([]);
  await jest.advanceTimersByTimeAsync(2_000);
  expect(reasons[0]).toBe('unverified');
});

test('so it is when the clock was set back by an hour meanwhile', async () => {
  const reasons = watched(away);
  jest.setSystemTime(Date.now() - HOUR_MS);
  await jest.advanceTimersByTimeAsync(31_000);
  expect(reasons[0]).toBe('unverified');
});

test('a clock that is set forward closes no stream', async () => {
  const reasons = watched(away);
  jest.setSystemTime(Date.now() + HOUR_MS);
  await jest.advanceTimersByTimeAsync(29_000);
  expect(reasons).toEqual([]);
});

test('a store that is back in time keeps it open', async () => {
  let isAway = true;
  const reasons = watched(() => (isAway ? away() : Promise.resolve(CALLER)));
  await jest.advanceTimersByTimeAsync(29_000);
  isAway = false;
  await jest.advanceTimersByTimeAsync(5_000);
  isAway = true;
  await jest.advanceTimersByTimeAsync(20_000);
  expect(reasons).toEqual([]);
});
