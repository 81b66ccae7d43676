import { ADVISORY_LOCKS, PersistentSession, ping, Loop } from '@tieline/background';

/**
 * Interval at which a standby tries to lead. It takes over well within two seconds of a leader's
 * death.
 */
const ASK_MS = 500;

/**
 * Elects the relay: the process whose dedicated session holds an advisory lock leads. The server
 * releases the lock immediately when the holder dies, and within seconds when it is frozen or
 * disconnected. Two leaders at a time do no harm, because each planning transaction also takes a
 * lock.
 */
export class RelayLeadership {
  private readonly session: PersistentSession;
  private readonly asking = new Loop(() => this.ask(), { everyMs: ASK_MS });
  private won: () => void = () => undefined;
  private held = false;

  constructor(databaseUrl: string) {
    this.session = new PersistentSession({
      databaseUrl,
      name: 'tieline-relay',
      queryTimeoutMs: 5000,
      onReady: () => this.asking.wake(),
      onLost: () => (this.held = false),
    });
  }

  get leading(): boolean {
    return this.held;
  }

  /** Starts trying to lead. `won` is called each time the leadership is gained. */
  start(won: () => void): void {
    this.won = won;
    this.session.start();
    this.asking.start();
  }

  async stop(): Promise<void> {
    this.held = false;
    await this.asking.stop();
    this.held = false;
    await this.session.close();
  }

  private async ask(): Promise<void> {
    const { client } = this.session;
    if (!client) return;
    try {
      if (this.held) return await ping(client);
      const answer = await client.query<{ won: boolean }>('SELECT pg_try_advisory_lock($1) AS won', [
        ADVISORY_LOCKS.relayLeader,
      ]);
      if (answer.rows[0]?.won === true && client === this.session.client && !this.asking.stopped) this.lead();
    } catch (error) {
      this.session.abandon(client, error as Error);
    }
  }

  private lead(): void {
    this.held = true;
    this.won();
  }
}
