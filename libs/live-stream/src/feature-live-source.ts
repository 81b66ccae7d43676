import type { OutboxRecord } from '@tieline/delivery';
import type { LiveMessage } from './live-events.js';

/**
 * Selects events of other features for people's streams. Provided by the execution-tasks lib, in
 * workers.
 */
export abstract class FeatureLiveSource {
  /** Returns the stream message for a committed event, or undefined if streams do not carry it. */
  abstract toLive(record: OutboxRecord): LiveMessage | undefined;
}
