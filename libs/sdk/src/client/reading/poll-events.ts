import type { CursorStore } from './cursor-ledger.js';
import { CursorLedger } from './cursor-ledger.js';
import type { Door } from '../door.js';
import { Reconnects, isFinal } from './reconnects.js';
import type { ReadingOptions } from './reconnects.js';
import { rest } from '../http/waiting.js';

/** An event of the bot's queue (docs/polling.md). */
export interface PolledEvent<Payload = unknown> {
  readonly id: string;
  /** Occurs once in a bot's queue, whichever way it comes. */
  readonly event_id: string;
  readonly event_type: string;
  /** `payload_json`, parsed. */
  readonly payload: Payload;
  readonly created_at: string;
  /**
   * Says that it is dealt with. In any order: the cursor moves past what is done from the oldest
   * on. Never rejects; resolves when the cursor is saved as far as it can be.
   */
  ack(): Promise<void>;
}

export interface EventsOptions extends ReadingOptions {
  /** Default: none, and each reading begins with the oldest record that is kept. */
  readonly cursors?: CursorStore;
  /** Records a page. Default: 100. */
  readonly limit?: number;
  /** How long the server may wait for a record, in seconds. Default: 25. */
  readonly wait?: number;
  /** Nothing more is read while so many records are not acknowledged. Default: 500. */
  readonly maxOpen?: number;
}

interface Page {
  events: { id: string; event_id: string; event_type: string; payload_json: string; created_at: string }[];
}

/**
 * The least time from one request to the next: so that a busy queue comes in pages, and an empty
 * one is not asked all the time.
 */
const PAUSE_MS = 200;
const IDLE_PAUSE_MS = 1000;
const PATIENCE_MS = 15_000;

/**
 * The bot's events, oldest first, without an end. What fails for a moment is tried again for ever.
 * @throws TielineError when trying again can't help: a revoked token, another delivery mode
 */
export async function* pollEvents<Payload>(
  door: Door,
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
      const page = await readPage(door, { cursor, limit, wait }, signal).catch((error: unknown) => {
        if (signal?.aborted || isFinal(error)) throw error;
        onTrouble(error);
        return error as Error;
      });
      if (!('events' in page)) {
        await rest(reconnects.next(page), signal);
        continue;
      }
      reconnects.succeeded();
      for (const { payload_json: payload, ...record } of page.events) {
        cursor = record.id;
        yield { ...record, payload: JSON.parse(payload) as Payload, ack: ledger.take(record.id) };
        if (signal?.aborted) return;
      }
      const pause = page.events.length > 0 ? PAUSE_MS : IDLE_PAUSE_MS;
      await rest(Math.max(0, begun + pause - Date.now()), signal);
    }
  } catch (error) {
    if (!signal?.aborted) throw error;
  } finally {
    await ledger.flush();
  }
}

function readPage(
  door: Door,
  query: { cursor: string; limit: number; wait: number },
  signal: AbortSignal | undefined,
): Promise<Page> {
  const timeoutMs = query.wait * 1000 + PATIENCE_MS;
  return door.call<Page>('GET', '/api/v1/bot/events', { query, timeoutMs, ...(signal && { signal }) });
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
