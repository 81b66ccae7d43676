import { PostgresQueueBackend, runMigrations } from 'bullmq';
import type { IQueueBackend, QueueBaseOptions, WorkerOptions } from 'bullmq';
import pg from 'pg';
import { doneWithin, retryUntilSuccess } from '@tieline/background';
import { JobsListener } from './jobs-listener.js';
import { MissedJobs } from './missed-jobs.js';
import { SharedConnection } from './postgres-connection.js';
import { LONGEST_WAIT_S, PostgresWorkerBackend } from './postgres-worker-backend.js';
import { QueueServer, withoutErrors } from './queue-server.js';
import type { BackendUse } from './queue-server.js';

/** BullMQ's name for its schema when it gets a pool. */
const SCHEMA = 'bullmq';
const FIRST_RETRY_MS = 100;
const LAST_RETRY_MS = 1_000;
const CLOSE_MS = 1_000;

const PRODUCERS: pg.PoolConfig = {
  application_name: 'tieline-queue',
  max: 2,
  query_timeout: 1_500,
  connectionTimeoutMillis: 1_000,
};
const WORKERS: pg.PoolConfig = {
  application_name: 'tieline-worker',
  max: 4,
  query_timeout: 5_000,
  connectionTimeoutMillis: 2_000,
};

/** What all workers of a process share. */
interface WorkersConnections {
  pool: pg.Pool;
  listener: JobsListener;
  missed: MissedJobs;
}

/**
 * BullMQ on PostgreSQL, in a separate schema that it creates: one pool for all queues of the
 * process, one for all workers, and one session for the notifications of new jobs.
 */
export class PostgresQueueServer extends QueueServer {
  /**
   * {@link MissedJobs} checks all queues together. Below its interval, so that no check is skipped.
   */
  override readonly workerOptions = {
    drainDelay: LONGEST_WAIT_S,
    skipStalledCheck: true,
    stalledInterval: 4_000,
  } satisfies Partial<WorkerOptions>;
  override readonly reached: Promise<true | undefined>;
  private readonly closing = new AbortController();
  private readonly producers: pg.Pool;
  private workers: WorkersConnections | undefined;

  /** @param failed called for lost connections */
  constructor(
    private readonly databaseUrl: string,
    private readonly failed: (error: Error) => void,
  ) {
    super();
    this.producers = this.pool(PRODUCERS);
    this.reached = retryUntilSuccess(() => this.migrate(), {
      firstMs: FIRST_RETRY_MS,
      lastMs: LAST_RETRY_MS,
      signal: this.closing.signal,
      failed,
    });
  }

  override backend(queue: string, options: QueueBaseOptions, use: BackendUse): IQueueBackend {
    if (use === 'producer') {
      const connection = new SharedConnection(this.producers, this.reached);
      return withoutErrors(new PostgresQueueBackend(connection, queue, options as never));
    }
    const { pool, listener, missed } = this.workersConnections();
    const connection = new SharedConnection(pool, this.reached);
    const backend = new PostgresWorkerBackend(connection, queue, options, listener.of(queue));
    missed.watch(queue, backend);
    return withoutErrors(backend);
  }

  override async check(): Promise<void> {
    await this.producers.query('SELECT 1');
  }

  override async close(): Promise<void> {
    this.closing.abort();
    await this.workers?.missed.stop();
    const pools = [this.producers, this.workers?.pool].map((pool) => pool?.end());
    const closed = Promise.allSettled([...pools, this.workers?.listener.close(), this.reached]);
    await doneWithin(closed, CLOSE_MS);
  }

  private workersConnections(): WorkersConnections {
    if (this.workers) return this.workers;
    const pool = this.pool(WORKERS);
    const listener = new JobsListener(this.databaseUrl, this.failed);
    const missed = new MissedJobs(pool, listener, this.failed);
    this.workers = { pool, listener, missed };
    return this.workers;
  }

  private pool(limits: pg.PoolConfig): pg.Pool {
    const pool = new pg.Pool({
      connectionString: this.databaseUrl,
      keepAlive: true,
      // Set here instead of as startup parameters, which PgBouncer rejects. Wake-ups that a crash
      // loses are compensated by ticks, so their commits do not wait for the disk.
      onConnect: (client) =>
        client.query(`SET search_path TO ${SCHEMA}; SET synchronous_commit TO off`) as unknown as void,
      ...limits,
    });
    // Every backend listens.
    pool.setMaxListeners(0);
    pool.on('error', this.failed);
    return pool;
  }

  /** Creates or updates BullMQ's tables; safe for concurrent processes. */
  private async migrate(): Promise<true> {
    const client = new pg.Client({
      connectionString: this.databaseUrl,
      application_name: 'tieline-queue',
      connectionTimeoutMillis: 2_000,
    });
    client.on('error', () => undefined);
    try {
      await client.connect();
      await runMigrations(client, SCHEMA);
      return true;
    } finally {
      await client.end().catch(() => undefined);
    }
  }
}
