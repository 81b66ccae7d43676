import { DUTY_OPTIONS } from '@tieline/queue';
import { LANES } from './claims/claim-deliveries.js';
import type { Lane } from './claims/claim-deliveries.js';

/**
 * Queue that runs first attempts and test sends. Its jobs carry no data; deliveries are in the
 * database.
 */
export const DELIVERIES_QUEUE = 'deliveries';
/** Queue that runs retries. */
export const RETRIES_QUEUE = 'retries';

/**
 * One job runs the lanes as long as there is traffic. The second one is for a timer, which wakes
 * the lanes and ends.
 */
export const LANE_OPTIONS = { ...DUTY_OPTIONS, concurrency: 2 };

/** Returns the queue whose processor runs a lane. */
export const queueOf = (lane: Lane): string => (lane === LANES.retry ? RETRIES_QUEUE : DELIVERIES_QUEUE);
