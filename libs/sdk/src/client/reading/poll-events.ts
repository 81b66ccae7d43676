import type { CursorStore } from './cursor-ledger.js';
import { CursorLedger } from './cursor-ledger.js';
import type { Transport } from '../transport.js';
import { Reconnects, isFinal } from './reconnects.js';
import type { ReadingOptions } from './reconnects.js';
import { delay } from '../http/waiting.js';

/** An event of the bot's queue (docs/polling.md). */
export interface PolledEvent<Payload = unknown> {
  readonly id: string;
  /** Unique in a bot's queue. The same with every way of delivery. */
  readonly event_id: string;
  readonly event_type: string;
  /** Parsed `payload_json`. */
  readonly payload: Payload;
  readonly created_at: string;
  /**
   * Marks the event as handled, in any order. The cursor moves past all events handled from the
   * oldest on. Never rejects. Resolves when the cursor is saved as far as possible.
   */
  ack(): Promise<void>;
}

export interface EventsOptions extends ReadingOptions {
  /** Default: none, so that reading starts with the oldest stored record. */
  readonly cursors?: CursorStore;
  /** Records per page. Default: 100. */
  readonly limit?: number;
  /** How long the server waits for a record, in seconds. Default: 25. */
  readonly wait?: number;
  /** Maximum number of unacknowledged records. Default: 500. */
  readonly maxOpen?: number;
}

interface Page {
  events: { id: string; event_id: string; event_type: string; payload_json: string; created_at: string }[];
}

/**
 * Minimum interval between requests, so that a busy queue fills pages and an empty one is not
 * polled constantly.
 */
const PAUSE_MS = 200;
const IDLE_PAUSE_MS = 1000;
const PATIENCE_MS = 15_000;

/**
 * Reads the bot's events without end, oldest first. Retries temporary failures forever.
 * @throws TielineError when retrying does not help: a revoked token, another delivery mode
 */
export async function* pollEvents<Payload>(
  transport: Transport,
  options: EventsOptions = {},
): AsyncGenerator<PolledEvent<Payload>, void, undefined> {
  const { signal, onTrouble = () => undefined, limit = 100, wait = 25, maxOpen = 500 } = options;
  const store = options.cursors ?? { load: () => '', save: () => undefined };
  const ledger = new CursorLedger(store, onTrouble);
  const reconnects = new Reconnects();
  let cursor = await store.load();
  try {
    while (!signal?.aborted) {
      while (ledger.size >= maxOpen) await unlessAborted(ledger.change(), signal);
      const begun = Date.now();
      const page = await readPage(transport, { cursor, limit, wait }, signal).catch((error: unknown) => {
        if (signal?.aborted || isFinal(error)) throw error;
        onTrouble(error);
        return error as Error;
      });
      if (!('events' in page)) {
        await delay(reconnects.next(page), signal);
        continue;
      }
      reconnects.succeeded();
      for (const { payload_json: payload, ...record } of page.events) {
        cursor = record.id;
        yield { ...record, payload: JSON.parse(payload) as Payload, ack: ledger.take(record.id) };
        if (signal?.aborted) return;
      }
      const pause = page.events.length > 0 ? PAUSE_MS : IDLE_PAUSE_MS;
      await delay(Math.max(0, begun + pause - Date.now()), signal);
    }
  } catch (error) {
    if (!signal?.aborted) throw error;
  } finally {
    await ledger.flush();
  }
}

function readPage(
  transport: Transport,
  query: { cursor: string; limit: number; wait: number },
  signal: AbortSignal | undefined,
): Promise<Page> {
  const timeoutMs = query.wait * 1000 + PATIENCE_MS;
  return transport.call<Page>('GET', '/api/v1/bot/events', { query, timeoutMs, ...(signal && { signal }) });
}

function unlessAborted(change: Promise<void>, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = () => reject(signal?.reason);
    if (signal?.aborted) return end();
    signal?.addEventListener('abort', end, { once: true });
    void change.then(() => {
      signal?.removeEventListener('abort', end);
      resolve();
    });
  });
}
