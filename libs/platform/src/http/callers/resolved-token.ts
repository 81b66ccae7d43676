import { AsyncLocalStorage } from 'node:async_hooks';
import type { Principal } from './principals.js';

/** Longest time that a call inside the process may use the lookup of its request. */
const FRESH_MS = 1_000;

/** A token that was looked up. */
export interface ResolvedToken {
  readonly token: string;
  readonly principal: Principal;
  /** As `performance.now()`. */
  readonly at: number;
}

const CALLS = new AsyncLocalStorage<ResolvedToken | undefined>();

/** Runs a call to this process whose caller may already have been looked up. */
export function callWith<T>(resolved: ResolvedToken | undefined, call: () => T): T {
  return CALLS.run(resolved, call);
}

/**
 * Returns the principal of this token if the current call was made by a request with the same token
 * that was looked up within the last second.
 */
export function principalOfCall(token: string): Principal | undefined {
  const resolved = CALLS.getStore();
  if (resolved?.token !== token || performance.now() - resolved.at > FRESH_MS) return undefined;
  return resolved.principal;
}
