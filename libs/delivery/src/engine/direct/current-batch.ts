import { AsyncLocalStorage } from 'node:async_hooks';
import type { DirectBatch } from './direct-batch.js';

const current = new AsyncLocalStorage<DirectBatch>();

/** Runs `plan` so that `planDeliveries` may lease deliveries to this worker. */
export function runDirect<T>(batch: DirectBatch | undefined, plan: () => Promise<T>): Promise<T> {
  return batch ? current.run(batch, plan) : plan();
}

/** Returns the batch of the relay in this process, or undefined outside its planning. */
export function currentDirectBatch(): DirectBatch | undefined {
  return current.getStore();
}
