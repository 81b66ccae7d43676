/**
 * Events received by one reader: for each message the ids of its events and how often each came.
 */
export class Told {
  messages = new Map();
  count = 0;

  add(messageId, eventId) {
    this.count += 1;
    const events = this.messages.get(messageId) ?? new Set();
    this.messages.set(messageId, events.add(eventId));
  }
}
