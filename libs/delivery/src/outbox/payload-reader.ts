import type { OutboxRecord } from './outbox-event.js';

/**
 * Turns stored payloads into those that subscribers receive. The relay calls it once per event,
 * before it plans. Provided by the lib conversations, which stores messages in a short form.
 */
export abstract class PayloadReader {
  /** @throws if the payload cannot be read. The event is then rejected. */
  abstract read(stored: OutboxRecord): unknown;
}
