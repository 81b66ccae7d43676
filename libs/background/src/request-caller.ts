import { AsyncLocalStorage } from 'node:async_hooks';

interface RequestCaller {
  /** The bot or person, once authenticated. */
  key: string | undefined;
}

const REQUESTS = new AsyncLocalStorage<RequestCaller | undefined>();

/**
 * Runs the work of one HTTP request, so that {@link currentCaller} returns its caller in everything
 * that the work calls.
 */
export function inRequest(work: () => void): void {
  REQUESTS.run({ key: undefined }, work);
}

/** Sets the caller of the current request, once it is authenticated. */
export function nameCaller(key: string): void {
  const request = REQUESTS.getStore();
  if (request) request.key = key;
}

/**
 * Returns the caller of the current request; undefined in background work and before
 * authentication.
 */
export function currentCaller(): string | undefined {
  return REQUESTS.getStore()?.key;
}

/** Runs work that several callers share, such as a batch, without a caller. */
export function outsideRequests<T>(work: () => T): T {
  return REQUESTS.getStore() ? REQUESTS.run(undefined, work) : work();
}
