import type { Socket } from 'node:net';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { Loop } from '@tieline/background';
import { AT_WORK } from './connections.statements.js';
import type { RowOf } from '../statement.js';

const LOOK_MS = 1_000;
/** A busy connection that is silent for this long is checked on the server. */
const SILENCE_MS = 2_000;
const ANSWER_MS = 2_000;
/** Grace period for answers already in flight. */
const GRACE_MS = 250;

/** A connection of the pool. */
interface Watched {
  pid: number;
  socket: Socket;
  /** Whether it is checked out. */
  busy: boolean;
  /** Bytes written when the connection last had no unanswered statement. */
  answered: number;
  /** When it was first seen with an unanswered statement and no incoming data. */
  since: number | undefined;
}

/**
 * Detects connections that a firewall, a failing switch or a dead pooler dropped without closing
 * them. When one has been silent for two seconds, a fresh connection asks the server whether it
 * still works on a statement there. If not, the connection is destroyed, which fails its
 * statements. Idle connections are destroyed too, because they most likely broke as well.
 */
export class DeadConnectionDetector {
  private readonly watched = new Map<pg.ClientBase, Watched>();
  private readonly looking = new Loop(() => this.look(), { everyMs: LOOK_MS }).start();

  /** @param databaseUrl the server to ask */
  constructor(private readonly databaseUrl: string) {}

  /** Watches a new connection until it ends. */
  async admit(client: pg.ClientBase): Promise<void> {
    const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    const { connection } = client as unknown as { connection: { stream: Socket } };
    const socket = connection.stream;
    const one: Watched = {
      pid: rows[0]?.pid ?? 0,
      socket,
      busy: false,
      answered: socket.bytesWritten,
      since: undefined,
    };
    socket.on('data', () => (one.since = undefined));
    client.on('drain', () => (one.answered = socket.bytesWritten));
    socket.once('close', () => this.watched.delete(client));
    this.watched.set(client, one);
  }

  /** Tracks which connections are in use. */
  follow(pool: pg.Pool): void {
    pool.on('acquire', (client) => this.mark(client, true));
    pool.on('release', (_error, client) => this.mark(client, false));
  }

  async close(): Promise<void> {
    await this.looking.stop();
  }

  private async look(): Promise<void> {
    const now = performance.now();
    const connections = [...this.watched.values()];
    for (const one of connections) if (one.socket.bytesWritten > one.answered) one.since ??= now;
    const silent = connections.filter(({ since = now }) => now - since >= SILENCE_MS);
    if (silent.length === 0) return;
    const atWork = await this.atWork(silent.map(({ pid }) => pid)).catch(() => undefined);
    // Unknown: the server may be down.
    if (atWork === undefined) return;
    await sleep(GRACE_MS, undefined, { ref: false });
    const swallowed = silent.filter(({ pid, since }) => since !== undefined && !atWork.has(pid));
    if (swallowed.length > 0) await this.destroy(swallowed);
  }

  /** Destroys idle ones first, so that an immediate retry gets none of them. */
  private async destroy(swallowed: Watched[]): Promise<void> {
    for (const { busy, socket } of this.watched.values()) if (!busy) destroy(socket);
    await nextTurn();
    for (const { socket } of swallowed) destroy(socket);
  }

  private mark(client: pg.ClientBase, busy: boolean): void {
    const one = this.watched.get(client);
    if (one) one.busy = busy;
  }

  private async atWork(pids: number[]): Promise<Set<number>> {
    const client = new pg.Client({
      connectionString: this.databaseUrl,
      application_name: 'tieline-watch',
      connectionTimeoutMillis: ANSWER_MS,
      query_timeout: ANSWER_MS,
    });
    client.on('error', () => undefined);
    try {
      await client.connect();
      const { rows } = await client.query<RowOf<typeof AT_WORK>>(AT_WORK.text, [pids]);
      return new Set(rows.map(({ pid }) => pid));
    } finally {
      void client.end().catch(() => undefined);
    }
  }
}

function destroy(socket: Socket): void {
  socket.destroy(new Error('Connection terminated: the server knows nothing of its statement'));
}
