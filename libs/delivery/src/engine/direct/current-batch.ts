import type { Tx } from '@tieline/platform/database';
import type { DirectBatch } from './direct-batch.js';

const BATCHES = new WeakMap<Tx, DirectBatch>();

/** Lets `planDeliveries` lease deliveries of this transaction to this worker. */
export function planDirectly(tx: Tx, batch: DirectBatch): void {
  BATCHES.set(tx, batch);
}

/** Returns the batch of the relay's transaction, undefined in other transactions. */
export function directBatchOf(tx: Tx): DirectBatch | undefined {
  return BATCHES.get(tx);
}
