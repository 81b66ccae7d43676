/**
 * Stores every event once, on disk before it is acknowledged: in a file of JSON lines, read at the
 * start.
 */
import { open, readFile } from 'node:fs/promises';

export class Events {
  #file;
  #entries;
  #seen;
  /** Events being stored, by event_id: two deliveries of one event may arrive concurrently. */
  #pending = new Map();

  static async open(path) {
    const events = new Events();
    const lines = await readFile(path, 'utf8').catch(() => '');
    // A line cut off by a crash was not acknowledged, so its event is sent again.
    const whole = lines.slice(0, lines.lastIndexOf('\n') + 1);
    events.#entries = whole
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line));
    events.#seen = new Set(events.#entries.map(({ event_id: id }) => id));
    events.#file = await open(path, 'a');
    await events.#file.truncate(Buffer.byteLength(whole));
    return events;
  }

  /**
   * Stores the result of `make`, unless the event is already stored: redeliveries and recoveries
   * have the same `event_id` with another delivery id.
   * @returns whether the event is new. Rejects like `make`, and then stores nothing
   */
  async once(eventId, make) {
    while (this.#pending.has(eventId)) await this.#pending.get(eventId).catch(() => undefined);
    if (this.#seen.has(eventId)) return false;
    const storing = this.#store(eventId, make);
    this.#pending.set(eventId, storing);
    await storing.finally(() => this.#pending.delete(eventId));
    return true;
  }

  async #store(eventId, make) {
    const entry = { event_id: eventId, ...(await make()) };
    await this.#file.appendFile(`${JSON.stringify(entry)}\n`);
    await this.#file.datasync();
    this.#entries.push(entry);
    this.#seen.add(eventId);
  }

  /** The stored events by conversation, in order of arrival. Notices belong to none. */
  get overview() {
    const conversations = {};
    for (const entry of this.#entries) {
      const { conversation_id: id } = entry;
      if (id) (conversations[id] ??= []).push(entry);
    }
    return { conversations, notices: this.#entries.filter(({ conversation_id: id }) => !id) };
  }
}
