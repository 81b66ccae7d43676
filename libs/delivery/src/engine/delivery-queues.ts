import { DUTY_OPTIONS } from '@tieline/queue';
import { LANES } from './claims/claim-deliveries.js';
import type { Lane } from './claims/claim-deliveries.js';

/** First attempts and test sends are due. The deliveries themselves are in the database. */
export const DELIVERIES_QUEUE = 'deliveries';
/** Retries are due. */
export const RETRIES_QUEUE = 'retries';

/**
 * One run keeps the lanes, for as long as traffic lasts; a timer that fires meanwhile comes beside
 * it, tells it, and is gone.
 */
export const LANE_OPTIONS = { ...DUTY_OPTIONS, concurrency: 2 };

/** The queue whose processor keeps a lane. */
export const queueOf = (lane: Lane): string => (lane === LANES.retry ? RETRIES_QUEUE : DELIVERIES_QUEUE);
