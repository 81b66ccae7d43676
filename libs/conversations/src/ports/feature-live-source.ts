import type { OutboxRecord } from '@tieline/delivery';
import type { LiveMessage } from '../live/live-events.js';

/**
 * What people's streams show of events that are not chat; the execution-tasks lib supplies it, in
 * workers.
 */
export abstract class FeatureLiveSource {
  /** What of a committed event goes to the streams; undefined when it concerns none. */
  abstract toLive(record: OutboxRecord): LiveMessage | undefined;
}
