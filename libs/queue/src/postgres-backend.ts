import { createPostgresBackend, Queue as BullQueue, runMigrations } from 'bullmq';
import type { QueueOptions, WorkerOptions } from 'bullmq';
import pg from 'pg';
import { QUEUE_NAME, QUEUE_OPTIONS, ready, workerOptions } from './bull-backend.js';
import type { BullBackend, OpenQueue, OpenWorker, Processor } from './bull-backend.js';
import { AbandonableWorker, RunTracker } from './run-tracker.js';

const SCHEMA = 'bullmq';

/** BullMQ's PostgreSQL backend, in a schema of its own that it creates itself. `failed` hears of lost connections. */
export function postgresBackend(databaseUrl: string, failed: (error: Error) => void): BullBackend {
  return {
    openQueue: async (): Promise<OpenQueue> => {
      await migrate(databaseUrl);
      const connection = connectionTo(databaseUrl, 'tieline-queue', {
        max: 2,
        query_timeout: 1_500,
        connectionTimeoutMillis: 1_000,
      });
      const queue = new BullQueue(
        QUEUE_NAME,
        { ...QUEUE_OPTIONS, connection } as unknown as QueueOptions,
        createPostgresBackend as never,
      );
      queue.on('error', failed);
      return ready({ queue, close: () => queue.close() }, queue);
    },
    openWorker: async (processor: Processor, concurrency: number): Promise<OpenWorker> => {
      await migrate(databaseUrl);
      const connection = connectionTo(databaseUrl, 'tieline-worker', {
        max: 3,
        query_timeout: 5_000,
        connectionTimeoutMillis: 2_000,
      });
      const options = { ...workerOptions(concurrency), connection } as unknown as WorkerOptions;
      const runs = new RunTracker(processor);
      const worker = new AbandonableWorker(QUEUE_NAME, runs.process, options, createPostgresBackend as never);
      worker.on('error', failed);
      const opened = await ready({ worker, close: () => runs.close(worker) }, worker);
      worker.run().catch(failed);
      return opened;
    },
  };
}

function connectionTo(
  databaseUrl: string,
  name: string,
  limits: pg.PoolConfig,
): pg.PoolConfig & { schema: string } {
  return {
    connectionString: databaseUrl,
    schema: SCHEMA,
    application_name: name,
    keepAlive: true,
    // Wake-ups are made up for when they get lost in a crash: their commits need not wait for the disk.
    options: '-c synchronous_commit=off',
    ...limits,
  };
}

/** Creates or updates BullMQ's tables; several processes may do so at once. */
async function migrate(databaseUrl: string): Promise<void> {
  const client = new pg.Client({
    connectionString: databaseUrl,
    application_name: 'tieline-queue',
    connectionTimeoutMillis: 2_000,
  });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await runMigrations(client, SCHEMA);
  } finally {
    await client.end().catch(() => undefined);
  }
}
