import pg from 'pg';

const LEADER_LOCK = 7_130_005;
/** A standby asks this often, so that it takes over well within two seconds of a leader's death. */
const ASK_MS = 500;

/**
 * Who relays: the process whose dedicated connection holds an advisory lock. It is freed by the server the moment the
 * holder dies. Losing it only costs the leadership: what must not happen twice is guarded by a lock inside each planning
 * transaction as well.
 */
export class RelayLeadership {
  private client: pg.Client | undefined;
  private timer: NodeJS.Timeout | undefined;
  private asking = false;
  private stopped = false;
  private won: () => void = () => undefined;
  private held = false;

  constructor(private readonly databaseUrl: string) {}

  get leading(): boolean {
    return this.held;
  }

  /** Begins to ask. `won` is called each time the leadership is gained. */
  start(won: () => void): void {
    this.won = won;
    this.timer = setInterval(() => void this.ask(), ASK_MS);
    void this.ask();
  }

  async stop(): Promise<void> {
    this.stopped = true;
    clearInterval(this.timer);
    this.held = false;
    await this.client?.end().catch(() => undefined);
  }

  private async ask(): Promise<void> {
    if (this.asking || this.stopped) return;
    this.asking = true;
    try {
      const client = await this.connected();
      if (this.held) return void (await client.query('SELECT 1'));
      const answer = await client.query<{ won: boolean }>('SELECT pg_try_advisory_lock($1) AS won', [
        LEADER_LOCK,
      ]);
      if (answer.rows[0]?.won === true && !this.stopped) {
        this.held = true;
        this.won();
      }
    } catch {
      this.lose();
    } finally {
      this.asking = false;
    }
  }

  private async connected(): Promise<pg.Client> {
    if (this.client) return this.client;
    const client = new pg.Client({
      connectionString: this.databaseUrl,
      application_name: 'tieline-relay',
      keepAlive: true,
      query_timeout: 5000,
    });
    const lost = (): void => {
      if (this.client === client) this.lose();
    };
    client.on('error', lost).on('end', lost);
    await client.connect();
    if (this.stopped) await client.end();
    this.client = client;
    return client;
  }

  private lose(): void {
    const { client } = this;
    this.client = undefined;
    this.held = false;
    void client?.end().catch(() => undefined);
  }
}
