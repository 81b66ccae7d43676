/** What one reader was told: of each message the ids of the events that told it, and how often. */
export class Told {
  messages = new Map();
  count = 0;

  add(messageId, eventId) {
    this.count += 1;
    const events = this.messages.get(messageId) ?? new Set();
    this.messages.set(messageId, events.add(eventId));
  }
}
