/** Every event once, on disk before it is acknowledged: a file of lines, read back at the start. */
import { open, readFile } from 'node:fs/promises';

export class Events {
  #file;
  #entries;
  #seen;
  /** Events being stored, by event_id. Two deliveries of one event may arrive concurrently. */
  #pending = new Map();

  static async open(path) {
    const events = new Events();
    const lines = await readFile(path, 'utf8').catch(() => '');
    // Records cut off by a crash were never acknowledged and are delivered again.
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
   * Stores what `make` resolves to, unless the event is there already: redeliveries and recoveries
   * bring the same `event_id` under another delivery id.
   * @returns whether it is new. Rejects as `make` does, and then nothing is stored
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

  /** Messages by conversation, in the order of arrival. Notices belong to no conversation. */
  get overview() {
    const conversations = {};
    for (const entry of this.#entries) {
      const { conversation_id: id } = entry;
      if (id) (conversations[id] ??= []).push(entry);
    }
    return { conversations, notices: this.#entries.filter(({ conversation_id: id }) => !id) };
  }
}
