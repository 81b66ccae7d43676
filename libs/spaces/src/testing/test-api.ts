import { Module } from '@nestjs/common';
import type { DynamicModule, Type } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { pino } from 'pino';
import { ConfigModule, Environment } from '@tieline/platform/config';
import { DatabaseModule, Db } from '@tieline/platform/database';
import { createHttpApp, HttpModule } from '@tieline/platform/http';
import { createTestDatabase, eventually, mayIdle, serveTestDocument } from '@tieline/testing';
import type { TestDatabase } from '@tieline/testing';
import { resolveLimitedTokens } from './limited-token.js';

/** The operator's token of every {@link TestApi}. */
export const OPERATOR_TOKEN = 'operator-token-of-the-tests';

/** The request of {@link TestApi.call}. */
export interface TestRequest {
  /** Bearer token; absent: no Authorization header. */
  token?: string;
  /** Sent as JSON. */
  body?: unknown;
  headers?: Record<string, string>;
}

/** The response; `body` is the parsed JSON. */
export interface TestAnswer {
  status: number;
  headers: Headers;
  // Tests assert what they read, so they may read anything.
  body: any;
}

const WAITING = `SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`;

/** The key column of each table. */
const KEYS = {
  agent_runs: 'id',
  bots: 'id',
  conversations: 'id',
  execution_tasks: 'id',
  incoming_webhooks: 'id',
  interactions: 'id',
  interactive_configs: 'bot_id',
  messages: 'id',
  notices: 'id',
  outgoing_recoveries: 'id',
  outgoing_webhooks: 'id',
  polls: 'message_id',
  slash_commands: 'id',
  spaces: 'id',
  users: 'id',
} as const;

@Module({})
class TestApiModule {}

/** The outcome of requests that had to wait. */
interface WaitResult<T> {
  answers: T[];
  /** How many of them held a connection while waiting. */
  waited: number;
}

/**
 * The real HTTP application of some modules on a separate database.
 * {@link startTestApi} creates it.
 */
export class TestApi {
  constructor(
    readonly app: NestFastifyApplication,
    private readonly database: TestDatabase,
    readonly url: string,
  ) {}

  get db(): Db {
    return this.app.get(Db);
  }

  /** Sends a request, e.g. `call('POST', '/api/v1/admin/users', { token, body })`. */
  async call(
    method: string,
    path: string,
    { token, body, headers = {} }: TestRequest = {},
  ): Promise<TestAnswer> {
    const authorization: Record<string, string> =
      token === undefined ? {} : { authorization: `Bearer ${token}` };
    const sent = body === undefined ? undefined : JSON.stringify(body);
    const response = await fetch(`${this.url}${path}`, {
      method,
      body: sent,
      headers: { 'content-type': 'application/json', ...authorization, ...headers },
    });
    const text = await response.text();
    const answer = text === '' ? undefined : JSON.parse(text);
    return { status: response.status, headers: response.headers, body: answer };
  }

  /** Does `work` while requests hold every connection of the pool. */
  async whileBusy<T>(work: () => Promise<T>): Promise<T> {
    const { pool } = this.db;
    const held = await Promise.all(Array.from({ length: pool.options.max }, () => pool.connect()));
    return work().finally(() => held.forEach((client) => client.release()));
  }

  /**
   * Sends requests that need the lock for creating a kind of object in a space, while another
   * session holds it.
   *
   * @returns the responses, and how many requests held a connection while waiting
   */
  whileLocked<T>(kind: string, spaceId: string, requests: () => Promise<T>[]): Promise<WaitResult<T>> {
    const lock = 'SELECT pg_advisory_xact_lock(hashtext($1), hashtext($2))';
    return this.whileHeld(lock, [kind, spaceId], requests);
  }

  /** Like {@link whileLocked}, for requests that lock a row. */
  whileRowLocked<T>(
    table: keyof typeof KEYS,
    id: string,
    requests: () => Promise<T>[],
  ): Promise<WaitResult<T>> {
    return this.whileHeld(`SELECT 1 FROM ${table} WHERE ${KEYS[table]} = $1 FOR UPDATE`, [id], requests);
  }

  private async whileHeld<T>(
    lock: string,
    params: readonly unknown[],
    requests: () => Promise<T>[],
  ): Promise<WaitResult<T>> {
    const holder = await this.db.pool.connect();
    try {
      await holder.query('BEGIN');
      await mayIdle(holder);
      await holder.query(lock, [...params]);
      const answers = Promise.all(requests());
      const waiting = async (): Promise<number> => (await this.db.query(WAITING, [])).length;
      await eventually(async () => (await waiting()) >= 2);
      // By now every request that gets a connection has one.
      for (let n = 0; n < 20; n += 1) await this.call('GET', '/api/v1/client/me', { token: 'nobody' });
      const waited = await waiting();
      await holder.query('COMMIT');
      return { answers: await answers, waited };
    } finally {
      // Closed, so that a failure releases the lock.
      holder.release(true);
    }
  }

  /** Stops the application and deletes its database. */
  async close(): Promise<void> {
    await this.app.close();
    await this.database.drop();
  }
}

/**
 * Starts the HTTP application of `imports` (with configuration, database and HTTP edge) on a fresh
 * database. Call it in `beforeAll`, `close()` in `afterAll`.
 *
 * @param env adds to the configuration or replaces parts of it
 */
export async function startTestApi(
  imports: (Type | DynamicModule)[],
  env: Record<string, string> = {},
): Promise<TestApi> {
  const database = await createTestDatabase();
  const environment = new Environment({
    DATABASE_URL: database.url,
    SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
    OPERATOR_TOKEN,
    // One person of a test does a lot.
    RATE_USER_WRITES_PER_SECOND: '1999',
    ...env,
  });
  const root: DynamicModule = {
    module: TestApiModule,
    imports: [ConfigModule.of(environment), DatabaseModule, HttpModule, ...imports],
  };
  try {
    const app = await createHttpApp(root, {
      logger: pino({ level: 'silent' }),
      nestLogger: false,
      mayLackRates: true,
    });
    resolveLimitedTokens(app);
    serveTestDocument(app);
    await app.listen(0, '127.0.0.1');
    return new TestApi(app, database, await app.getUrl());
  } catch (error) {
    await database.drop();
    throw error;
  }
}
