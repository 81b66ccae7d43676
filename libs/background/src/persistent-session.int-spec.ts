import pg from 'pg';
import { createTestDatabase, eventually } from '@tieline/testing';
import type { TestDatabase } from '@tieline/testing';
import { PersistentSession } from './persistent-session.js';
import { ping } from './ping.js';

let database: TestDatabase;
let other: pg.Client;
beforeAll(async () => {
  database = await createTestDatabase();
  other = new pg.Client({ connectionString: database.url });
  await other.connect();
});
afterAll(async () => {
  await other?.end();
  await database?.drop();
});

const pidOf = async (session: PersistentSession): Promise<number> => {
  const { rows } = await (await session.ready()).query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  return rows[0]?.pid ?? 0;
};

test('opens and prepares a broken session again, and reports the loss', async () => {
  const told: string[] = [];
  const session = new PersistentSession({
    databaseUrl: database.url,
    name: 'tieline-kept',
    prepare: async (client) => {
      await client.query('SELECT 1');
      told.push('prepared');
    },
    onReady: () => told.push('ready'),
    onLost: () => told.push('lost'),
  });
  const pid = await pidOf(session);
  await other.query('SELECT pg_terminate_backend($1)', [pid]);
  await eventually(async () => expect(told).toEqual(['prepared', 'ready', 'lost', 'prepared', 'ready']));
  expect(await pidOf(session)).not.toBe(pid);
  const { rows } = await other.query(
    "SELECT 1 FROM pg_stat_activity WHERE application_name = 'tieline-kept' AND datname = current_database()",
  );
  expect(rows).toHaveLength(1);
  await session.close();
  expect(session.client).toBeUndefined();
});

test('a heartbeat without an answer replaces the session', async () => {
  const session = new PersistentSession({
    databaseUrl: database.url,
    name: 'tieline-mute',
    queryTimeoutMs: 300,
  });
  const client = await eventually(() => session.ready());
  void client
    .query({ text: 'SELECT pg_sleep(60)', query_timeout: 60_000 } as pg.QueryConfig)
    .catch(() => undefined);
  await eventually(() => expect(session.client).not.toBe(client));
  await session.close();
});

test('statements and heartbeats are sent while an earlier one waits, without a warning of the driver', async () => {
  const warnings: string[] = [];
  const note = ({ name, message }: Error): void => void warnings.push(`${name}: ${message}`);
  process.on('warning', note);
  const session = new PersistentSession({ databaseUrl: database.url, name: 'tieline-several' });
  try {
    const client = await eventually(() => session.ready());
    const [, , { rows }] = await Promise.all([
      client.query('SELECT pg_sleep(0.2)'),
      ping(client),
      client.query('SELECT 7 AS n'),
    ]);
    expect(rows).toEqual([{ n: 7 }]);
    expect(session.client).toBe(client);
    // Warnings are emitted in a later turn.
    await new Promise((resolve) => setImmediate(resolve));
    expect(warnings).toEqual([]);
  } finally {
    process.off('warning', note);
    await session.close();
  }
});

test('replaces a session that does not answer in time', async () => {
  const session = new PersistentSession({
    databaseUrl: database.url,
    name: 'tieline-slow',
    queryTimeoutMs: 500,
  });
  // On a busy machine, opening it may take too long as well.
  const ready = (): Promise<pg.Client> => eventually(() => session.ready());
  const client = await ready();
  await client.query('SELECT pg_sleep(60)').catch((error: Error) => session.abandon(client, error));
  expect(await ready()).not.toBe(client);
  await session.close();
});

test('reports and throws why it cannot be opened, and keeps trying', async () => {
  let refuse = true;
  const failures: string[] = [];
  const session = new PersistentSession({
    databaseUrl: database.url,
    name: 'tieline-refused',
    prepare: async () => {
      if (refuse) throw new Error('not yet');
    },
    onFailed: (error) => failures.push(error.message),
  });
  await expect(session.ready()).rejects.toThrow('not yet');
  refuse = false;
  await eventually(async () => expect(session.client).toBeDefined());
  expect(failures[0]).toBe('not yet');
  await session.close();
  await expect(session.ready()).rejects.toThrow('the session tieline-refused is closed');
});

test('the server ends a silent session within seconds, unless a heartbeat comes, which is no statement', async () => {
  const session = new PersistentSession({
    databaseUrl: database.url,
    name: 'tieline-beating',
    settings: { synchronous_commit: 'off' },
  });
  const client = await session.ready();
  const { rows } = await client.query(
    `SELECT name, setting FROM pg_settings WHERE name IN ('idle_session_timeout', 'synchronous_commit', 'tcp_user_timeout') ORDER BY name`,
  );
  expect(rows).toEqual([
    { name: 'idle_session_timeout', setting: '6000' },
    { name: 'synchronous_commit', setting: 'off' },
    { name: 'tcp_user_timeout', setting: '6000' },
  ]);
  const activity = async (): Promise<{ heard?: string; statement?: string }> => {
    const answer = await other.query<{ heard: string; statement: string }>(
      `SELECT state_change::text AS heard, query_start::text AS statement
         FROM pg_stat_activity WHERE application_name = 'tieline-beating' AND datname = current_database()`,
    );
    return answer.rows[0] ?? {};
  };
  const { statement } = await activity();
  for (let beats = 0; beats < 2; beats += 1) {
    const { heard } = await activity();
    await eventually(async () => expect((await activity()).heard).not.toBe(heard));
  }
  expect((await activity()).statement).toBe(statement);
  expect(session.client).toBe(client);
  await session.close();
});
