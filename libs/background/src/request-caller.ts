import { AsyncLocalStorage } from 'node:async_hooks';

interface RequestCaller {
  /** The bot or person, as soon as it is known. */
  key: string | undefined;
}

const REQUESTS = new AsyncLocalStorage<RequestCaller | undefined>();

/**
 * Does the work of one HTTP request, so that {@link currentCaller} finds its caller in everything
 * that the work calls.
 */
export function inRequest(work: () => void): void {
  REQUESTS.run({ key: undefined }, work);
}

/** Names the caller of the request that this runs in, once it is authenticated. */
export function nameCaller(key: string): void {
  const request = REQUESTS.getStore();
  if (request) request.key = key;
}

/**
 * The caller of the request that this runs in; undefined in background work and before
 * authentication.
 */
export function currentCaller(): string | undefined {
  return REQUESTS.getStore()?.key;
}

/** Does work that many callers share, such as a batch, so that it counts as no caller's. */
export function outsideRequests<T>(work: () => T): T {
  return REQUESTS.run(undefined, work);
}
