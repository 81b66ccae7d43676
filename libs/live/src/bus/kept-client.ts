import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';

const HEARTBEAT_MS = 10_000;
const FIRST_RETRY_MS = 50;
const LAST_RETRY_MS = 1_000;

/** What a {@link KeptClient} reports. */
export interface KeptClientEvents {
  /** A new session is open; what it rejects with counts as a failed attempt. */
  opened(client: pg.Client): Promise<void>;
  lost(): void;
  failed(error: Error): void;
}

/** One Postgres session for background work that is opened again whenever it breaks, within a second. */
export class KeptClient {
  private current: pg.Client | undefined;
  private readonly closing = new AbortController();
  private heartbeat: NodeJS.Timeout | undefined;
  private running: Promise<void> | undefined;

  constructor(
    private readonly databaseUrl: string,
    private readonly name: string,
    private readonly events: KeptClientEvents,
  ) {}

  /** The open session, if there is one. */
  get client(): pg.Client | undefined {
    return this.current;
  }

  /** Begins to connect. */
  start(): void {
    this.running = this.connect();
    this.heartbeat = setInterval(() => void this.beat(), HEARTBEAT_MS);
    this.heartbeat.unref();
  }

  /** Gives the session up: it does not answer as it should. A new one is opened. */
  abandon(client: pg.Client, error: Error): void {
    if (client !== this.current) return;
    this.current = undefined;
    discard(client);
    this.events.lost();
    this.events.failed(error);
    if (!this.closing.signal.aborted) this.running = this.connect();
  }

  async close(): Promise<void> {
    this.closing.abort();
    clearInterval(this.heartbeat);
    await this.running;
    const client = this.current;
    this.current = undefined;
    await client?.end().catch(() => undefined);
  }

  private async connect(): Promise<void> {
    for (
      let delay = FIRST_RETRY_MS;
      !this.closing.signal.aborted;
      delay = Math.min(delay * 2, LAST_RETRY_MS)
    ) {
      const client = this.newClient();
      try {
        await client.connect();
        await this.events.opened(client);
        this.current = client;
        return;
      } catch (error) {
        discard(client);
        this.events.failed(error as Error);
      }
      await sleep(delay, undefined, { signal: this.closing.signal }).catch(() => undefined);
    }
  }

  private newClient(): pg.Client {
    const client = new pg.Client({
      connectionString: this.databaseUrl,
      application_name: this.name,
      keepAlive: true,
      connectionTimeoutMillis: 2_000,
      query_timeout: 2_000,
      // Nothing here outlives a crash anyway: a commit need not wait for the disk.
      options: '-c synchronous_commit=off',
    });
    client.on('error', (error) => this.abandon(client, error));
    client.on('end', () => this.abandon(client, new Error('the connection ended')));
    return client;
  }

  /** A connection that broke without a word is found out here. */
  private async beat(): Promise<void> {
    const client = this.current;
    if (client === undefined) return;
    await client.query('SELECT 1').catch((error: Error) => this.abandon(client, error));
  }
}

/** Ends a broken session without waiting for it; whatever it still says is of no interest. */
function discard(client: pg.Client): void {
  client.removeAllListeners();
  client.on('error', () => undefined);
  void client.end().catch(() => undefined);
}
