import pg from 'pg';
import { Loop } from './loop.js';
import { ping } from './ping.js';
import { applySettings, SHORT_SESSION_TIMEOUTS } from './session-settings.js';
import type { SessionSettings } from './session-settings.js';
import { retryUntilSuccess } from './retry-until-success.js';

/** Well below the server's timeout for a silent session. */
const HEARTBEAT_MS = 2_000;
const FIRST_RETRY_MS = 50;
const LAST_RETRY_MS = 1_000;
const ANSWER_MS = 2_000;

/** Describes what a {@link PersistentSession} is for. */
export interface SessionPurpose {
  databaseUrl: string;
  /** Shown in pg_stat_activity. */
  name: string;
  /**
   * Statement timeout in milliseconds, 2,000 by default. A session that does not answer in time is
   * discarded.
   */
  queryTimeoutMs?: number;
  /** Server settings for this session. */
  settings?: SessionSettings;
  /** Prepares a new session before it is handed out. A rejection counts as a failed attempt. */
  prepare?: (client: pg.Client) => Promise<void>;
  /** Called when a session is ready. */
  onReady?: () => void;
  /** Called when the ready session is lost; another one is being opened. */
  onLost?: () => void;
  /** Called with the reason why a session was lost or could not be opened. */
  onFailed?: (error: Error) => void;
}

/**
 * Keeps one Postgres session open for a purpose such as a lock or a channel. Reopens it within a
 * second when it breaks. The server ends the session after six seconds of silence, so a frozen or
 * disconnected process holds nothing.
 */
export class PersistentSession {
  private current: pg.Client | undefined;
  private attempt: Promise<pg.Client> | undefined;
  private opening: Promise<unknown> | undefined;
  private readonly closing = new AbortController();
  private readonly heartbeat = new Loop(() => this.beat(), { everyMs: HEARTBEAT_MS });

  constructor(private readonly purpose: SessionPurpose) {}

  /** The session, or undefined while there is none. */
  get client(): pg.Client | undefined {
    return this.current;
  }

  /** Starts connecting. Call it once. */
  start(): void {
    if (this.opening || this.closing.signal.aborted) return;
    this.heartbeat.start();
    this.reopen();
  }

  /**
   * Returns the session, or the one that is being opened.
   * @throws Error when it could not be opened; the retries continue
   */
  async ready(): Promise<pg.Client> {
    this.start();
    const client = this.current ?? (await this.attempt);
    if (!client) throw new Error(`the session ${this.purpose.name} is closed`);
    return client;
  }

  /** Discards a session that does not answer as expected, and opens a new one. */
  abandon(client: pg.Client, error: Error): void {
    if (client !== this.current) return;
    this.current = undefined;
    discard(client);
    this.purpose.onLost?.();
    this.purpose.onFailed?.(error);
    this.reopen();
  }

  async close(): Promise<void> {
    this.closing.abort();
    await this.heartbeat.stop();
    await this.opening;
    const client = this.current;
    this.current = undefined;
    this.attempt = undefined;
    await client?.end().catch(() => undefined);
  }

  private reopen(): void {
    const attempt = (): Promise<pg.Client> => {
      this.attempt = this.open();
      return this.attempt;
    };
    this.opening = retryUntilSuccess(attempt, {
      firstMs: FIRST_RETRY_MS,
      lastMs: LAST_RETRY_MS,
      signal: this.closing.signal,
      failed: (error) => this.purpose.onFailed?.(error),
    });
  }

  private async open(): Promise<pg.Client> {
    const client = this.newClient();
    try {
      await client.connect();
      await applySettings(client, { ...SHORT_SESSION_TIMEOUTS, ...this.purpose.settings });
      await this.purpose.prepare?.(client);
    } catch (error) {
      discard(client);
      throw error;
    }
    this.current = client;
    this.purpose.onReady?.();
    return client;
  }

  private newClient(): pg.Client {
    const { databaseUrl, name, queryTimeoutMs = ANSWER_MS } = this.purpose;
    const client = new pg.Client({
      connectionString: databaseUrl,
      application_name: name,
      keepAlive: true,
      connectionTimeoutMillis: ANSWER_MS,
      query_timeout: queryTimeoutMs,
      // Otherwise a statement sent while another one waits is queued, which the driver deprecates.
      pipeline: true,
    });
    client.on('error', (error) => this.abandon(client, error));
    client.on('end', () => this.abandon(client, new Error('the connection ended')));
    return client;
  }

  /** Detects a connection that broke silently. */
  private async beat(): Promise<void> {
    const client = this.current;
    if (client) await ping(client).catch((error: Error) => this.abandon(client, error));
  }
}

/** Ends a broken session without waiting for it, and ignores its further output. */
function discard(client: pg.Client): void {
  client.removeAllListeners();
  client.on('error', () => undefined);
  void client.end().catch(() => undefined);
}
