import {
  ADVISORY_LOCKS,
  PersistentSession,
  Loop,
  RELAY_LEADER_LOCKS,
  RELAY_PRESENT_LOCKS,
} from '@tieline/background';
import type { Leadership } from './relay-leadership.js';
import { balance } from './balance.js';
import { nodeOf, nodesAbove } from './shard.js';

type Client = NonNullable<PersistentSession['client']>;

/**
 * Interval at which a worker looks for shards without a leader. It takes over well within two
 * seconds of a leader's death.
 */
const ASK_MS = 500;
/** After this time, other workers take a shard that its designated worker has not taken. */
const OVERDUE_MS = 2000;

/** Lists the locks of this product's two classes that sessions of this database hold. */
const LOCKS = `SELECT classid::int8::int AS class, objid::int8::int AS node, pid, pid = pg_backend_pid() AS own, mode = 'ExclusiveLock' AS alone FROM pg_locks
  WHERE locktype = 'advisory' AND database = (SELECT oid FROM pg_database WHERE datname = current_database()) AND classid IN ($1, $2) AND objsubid = 2 AND granted`;

interface HeldLock {
  class: number;
  node: number;
  pid: number;
  own: boolean;
  alone: boolean;
}

/**
 * Elects the leaders of shards. A process leads those whose locks its dedicated session holds. It
 * also holds the locks of all larger shards that contain them, in shared mode. The server releases
 * the locks immediately when the holder dies, and within seconds when it is frozen or disconnected.
 * Candidates hold a lock as well, and shards are distributed evenly among them.
 *
 * A process with another number of shards, or of an older version, never leads an overlapping
 * shard. Two leaders at a time do no harm, because each planning transaction also takes a lock.
 */
export class ShardLeadership {
  private readonly session: PersistentSession;
  private readonly asking = new Loop(() => this.ask(), { everyMs: ASK_MS });
  private readonly led = new Set<number>();
  private readonly won = new Map<number, () => void>();
  private readonly stopped = new Set<number>();
  private readonly freeSince = new Map<number, number>();

  /** @param count number of shards, at least two */
  constructor(
    databaseUrl: string,
    private readonly count: number,
  ) {
    this.session = new PersistentSession({
      databaseUrl,
      name: 'tieline-relay',
      queryTimeoutMs: 5000,
      prepare: async (client) =>
        void (await client.query('SELECT pg_advisory_lock_shared($1, $2)', [RELAY_PRESENT_LOCKS, count])),
      onReady: () => this.asking.wake(),
      onLost: () => this.led.clear(),
    });
  }

  /** Returns the leadership of one shard. The last one that stops ends the session. */
  of(shard: number): Leadership {
    const isLed = (): boolean => this.led.has(shard);
    return {
      get leading() {
        return isLed();
      },
      start: (won) => {
        this.won.set(shard, won);
        this.session.start();
        this.asking.start();
      },
      stop: () => this.stop(shard),
    };
  }

  private async stop(shard: number): Promise<void> {
    this.stopped.add(shard);
    if (this.stopped.size < this.count) return;
    await this.asking.stop();
    this.led.clear();
    await this.session.close();
  }

  private async ask(): Promise<void> {
    const { client } = this.session;
    if (!client || this.stopped.size > 0) return;
    try {
      const { take, upTo, give } = balance(await this.look(client));
      for (const shard of give) await this.giveUp(client, shard);
      let left = upTo;
      for (const shard of take)
        if (left > 0 && (await this.tryFor(client, shard))) {
          left -= 1;
          this.lead(client, shard);
        }
    } catch (error) {
      this.session.abandon(client, error as Error);
    }
  }

  private async look(client: Client): Promise<Parameters<typeof balance>[0]> {
    const { rows } = await client.query<HeldLock>(LOCKS, [RELAY_LEADER_LOCKS, RELAY_PRESENT_LOCKS]);
    const present = rows.filter((lock) => lock.class === RELAY_PRESENT_LOCKS && lock.node === this.count);
    const alone = rows.filter(({ alone: is, node }) => is && node >= this.count && node < 2 * this.count);
    const leaders = new Map(alone.map(({ node, pid }) => [node - this.count, pid]));
    return {
      ...{ count: this.count, leaders, overdue: this.overdue(leaders) },
      own: present.find(({ own }) => own)?.pid ?? 0,
      present: present.map(({ pid }) => pid),
    };
  }

  private overdue(leaders: ReadonlyMap<number, number>, now = performance.now()): Set<number> {
    for (let shard = 0; shard < this.count; shard += 1)
      if (leaders.has(shard)) this.freeSince.delete(shard);
      else if (!this.freeSince.has(shard)) this.freeSince.set(shard, now);
    return new Set([...this.freeSince].flatMap(([shard, since]) => (now - since > OVERDUE_MS ? shard : [])));
  }

  /**
   * Takes the locks from the largest shard to the smallest, and releases them if one is not
   * available.
   */
  private async tryFor(client: Client, shard: number): Promise<boolean> {
    const got: string[] = [];
    for (const { text, back } of this.locksOf(shard)) {
      const answer = await client.query<{ got: boolean }>(`SELECT ${text} AS got`);
      if (answer.rows[0]?.got !== true) {
        if (got.length > 0) await client.query(`SELECT ${got.join(', ')}`);
        return false;
      }
      got.push(back);
    }
    return true;
  }

  private async giveUp(client: Client, shard: number): Promise<void> {
    this.led.delete(shard);
    const backs = this.locksOf(shard).map(({ back }) => back);
    await client.query(`SELECT ${backs.reverse().join(', ')}`);
  }

  private locksOf(number: number): { text: string; back: string }[] {
    const shard = { count: this.count, number };
    const above = nodesAbove(shard).map((node) => `${RELAY_LEADER_LOCKS}, ${node}`);
    const shared = [String(ADVISORY_LOCKS.relayLeader), ...above].map((key) => ({
      text: `pg_try_advisory_lock_shared(${key})`,
      back: `pg_advisory_unlock_shared(${key})`,
    }));
    const key = `${RELAY_LEADER_LOCKS}, ${nodeOf(shard)}`;
    return [...shared, { text: `pg_try_advisory_lock(${key})`, back: `pg_advisory_unlock(${key})` }];
  }

  private lead(client: Client, shard: number): void {
    if (client !== this.session.client || this.stopped.size > 0) return;
    this.led.add(shard);
    this.won.get(shard)?.();
  }
}
