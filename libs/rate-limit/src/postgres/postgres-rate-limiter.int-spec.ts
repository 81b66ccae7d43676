import { connect, createServer } from 'node:net';
import type { AddressInfo, Server, Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import pg from 'pg';
import { createTestDatabase, eventually, freePort } from '@tieline/testing';
import type { TestDatabase } from '@tieline/testing';
import { PostgresRateLimiter } from './postgres-rate-limiter.js';
import { DEADLINE_MS } from '../deadline.js';
import { RateLimiterUnavailable } from '../rate-limiter.js';

let database: TestDatabase;
let client: pg.Client;
/** Its deadline is far enough away that a busy machine sees its statements wait. */
let limiter: PostgresRateLimiter;
/** Refuses nothing because the machine is busy. */
let patient: PostgresRateLimiter;

beforeAll(async () => {
  database = await createTestDatabase();
  client = new pg.Client(database.url);
  await client.connect();
  const settings = { databaseUrl: database.url, sweepIntervalMs: 50 };
  limiter = new PostgresRateLimiter({ ...settings, deadlineMs: 5_000 });
  patient = new PostgresRateLimiter({ ...settings, deadlineMs: 60_000 });
});

afterAll(async () => {
  await Promise.all([limiter.close(), patient.close()]);
  await client.end();
  await database.drop();
});

/** Far above the deadlines here, and far below the time that something else would end the calls. */
const SOON_MS = 20_000;

async function refusedWithin(work: Promise<unknown>): Promise<number> {
  const begun = performance.now();
  await expect(work).rejects.toBeInstanceOf(RateLimiterUnavailable);
  return performance.now() - begun;
}

/** Resolves when a statement waits for a lock. */
const isLocked = (by = client): Promise<unknown> =>
  eventually(async () => {
    const waiting =
      "SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()";
    // A transaction sees the activity of its first look.
    await by.query('SELECT pg_stat_clear_snapshot()');
    return (await by.query(waiting)).rowCount === 1;
  });

describe('rate limiter on Postgres', () => {
  it('removes ended windows only once it was used: a program whose start fails leaves nothing running', async () => {
    const elsewhere = await createTestDatabase();
    const unused = new PostgresRateLimiter({ databaseUrl: elsewhere.url, sweepIntervalMs: 5 });
    // Removed by the limiter in use, whose interval is ten times as long.
    await client.query(
      "INSERT INTO rate_counters (key, hits, resets_at, window_ms) VALUES ('ended', 1, 0, 1000)",
    );
    await patient.consume([{ key: 'used', limit: 1, windowMs: 1_000 }]);
    await eventually(async () =>
      expect((await client.query("SELECT 1 FROM rate_counters WHERE key = 'ended'")).rowCount).toBe(0),
    );
    const { rows } = await client.query('SELECT pid FROM pg_stat_activity WHERE datname = $1', [
      new URL(elsewhere.url).pathname.slice(1),
    ]);
    expect(rows).toEqual([]);
    await unused.close();
    await elsewhere.drop();
  });

  it('calls during a statement share the next statement', async () => {
    await client.query(`
      CREATE TABLE statements (at timestamptz);
      CREATE FUNCTION count_statement() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN INSERT INTO statements VALUES (now()); RETURN NULL; END $$;
      CREATE TRIGGER count_statement AFTER INSERT ON rate_counters FOR EACH STATEMENT EXECUTE FUNCTION count_statement()`);
    const busy = { key: 'busy', limit: 1_000, windowMs: 60_000 };
    await patient.consume([busy]);
    await client.query('BEGIN');
    await client.query(`SELECT FROM rate_counters WHERE key = 'busy' FOR UPDATE`);
    const first = patient.consume([busy]);
    await isLocked();
    const rest = Array.from({ length: 300 }, (_, index) =>
      patient.consume([busy, { key: `k${index % 7}`, limit: 1_000, windowMs: 60_000 }]),
    );
    await client.query('COMMIT');
    expect((await Promise.all([first, ...rest])).every((decision) => decision.allowed)).toBe(true);
    expect((await client.query('SELECT count(*)::int AS n FROM statements')).rows).toEqual([{ n: 3 }]);
    await client.query('DROP TRIGGER count_statement ON rate_counters');
  });

  it('judges calls of one statement by their own limits', async () => {
    const rule = (limit: number) => ({ key: 'mixed', limit, windowMs: 60_000 });
    await patient.consume([rule(10)]);
    await client.query('BEGIN');
    await client.query(`SELECT FROM rate_counters WHERE key = 'mixed' FOR UPDATE`);
    const first = patient.consume([rule(10)]);
    await isLocked();
    const rest = [rule(10), rule(2)].map((one) => patient.consume([one]));
    await client.query('COMMIT');
    const allowed = (await Promise.all([first, ...rest])).map((decision) => decision.allowed);
    expect(allowed).toEqual([true, true, false]);
  });

  it('deletes windows that ended', async () => {
    await client.query(
      `INSERT INTO rate_counters SELECT 'old-' || n, 1, 1000, 1000 FROM generate_series(1, 20) n`,
    );
    await patient.consume([{ key: 'young', limit: 1, windowMs: 60_000 }]);
    const oldOnes = `SELECT FROM rate_counters WHERE key LIKE 'old-%'`;
    await eventually(async () => (await client.query(oldOnes)).rowCount === 0);
    expect((await client.query(`SELECT FROM rate_counters WHERE key = 'young'`)).rowCount).toBe(1);
  });

  it('continues after its connections were killed', async () => {
    const rule = { key: 'killed', limit: 2, windowMs: 60_000 };
    await patient.consume([rule]);
    await client.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'tieline-rate-limit' AND datname = current_database()`,
    );
    const decision = await eventually(() => patient.consume([rule]));
    expect(decision).toEqual({ allowed: true });
    expect((await patient.consume([rule])).allowed).toBe(false);
  });

  it('refuses at the deadline when a lock is never released, and counts no hit of a caller that gave up', async () => {
    const rule = { key: 'stuck', limit: 10, windowMs: 60_000 };
    await patient.consume([rule]);
    await client.query('BEGIN');
    await client.query(`SELECT FROM rate_counters WHERE key = 'stuck' FOR UPDATE`);
    const first = refusedWithin(limiter.consume([rule]));
    // Its statement is under way, so the next calls wait for it.
    await setImmediate();
    const waits = await Promise.all([
      first,
      refusedWithin(limiter.consume([rule])),
      refusedWithin(limiter.take('stuck', 10, 60_000, 3)),
    ]);
    await client.query('ROLLBACK');
    expect(Math.max(...waits)).toBeLessThan(SOON_MS);
    await eventually(async () => {
      const { rows } = await client.query(`SELECT hits FROM rate_counters WHERE key = 'stuck'`);
      expect(rows).toEqual([{ hits: 1 }]);
    });
  });

  it('refunds hits that were counted after their caller gave up', async () => {
    const [first, second] = ['first', 'second'].map((key) => ({ key, limit: 10, windowMs: 60_000 }));
    if (!first || !second) throw new Error('no rules');
    await patient.consume([first, second]);
    const other = new pg.Client({ connectionString: database.url });
    await other.connect();
    for (const [held, key] of [
      [client, 'first'],
      [other, 'second'],
    ] as const) {
      await held.query('BEGIN');
      await held.query('SELECT FROM rate_counters WHERE key = $1 FOR UPDATE', [key]);
    }
    const begun = performance.now();
    void limiter.consume([first]).catch(() => undefined);
    await isLocked(other);
    const late = refusedWithin(limiter.consume([second]));
    // Its statement starts so late that the caller gives up before the server.
    await eventually(() => performance.now() - begun > 2_000, { everyMs: 5 });
    await client.query('ROLLBACK');
    await late;
    await other.query('ROLLBACK');
    await eventually(async () => {
      const { rows } = await other.query(`SELECT hits FROM rate_counters WHERE key = 'second'`);
      expect(rows).toEqual([{ hits: 1 }]);
    });
    await other.end();
  });

  it('keeps its connection through a quiet period', async () => {
    const backends = async (): Promise<unknown[]> =>
      (
        await client.query(
          `SELECT pid FROM pg_stat_activity WHERE application_name = 'tieline-rate-limit' AND datname = current_database() ORDER BY pid`,
        )
      ).rows;
    await patient.consume([{ key: 'quiet', limit: 10, windowMs: 60_000 }]);
    const before = await backends();
    expect(before.length).toBeGreaterThan(0);
    // By default the driver closes connections after ten idle seconds.
    const others = new pg.Pool({ connectionString: database.url });
    const closed = new Promise((resolve) => others.once('remove', resolve));
    await others.query('SELECT 1');
    await closed;
    expect(await backends()).toEqual(expect.arrayContaining(before));
    await others.end();
  });

  it('continues on new connections when the network dropped the old ones', async () => {
    const server = new URL(database.url);
    const pairs: [Socket, Socket][] = [];
    const proxy = createServer((near) => {
      const far = connect(Number(server.port), server.hostname);
      pairs.push([near, far]);
      near
        .on('error', () => far.destroy())
        .pipe(far)
        .on('error', () => near.destroy())
        .pipe(near);
    });
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
    const detour = new URL(database.url);
    detour.host = `127.0.0.1:${(proxy.address() as AddressInfo).port}`;
    const remote = new PostgresRateLimiter({ databaseUrl: detour.href, deadlineMs: 3_000 });
    const rule = { key: 'swallowed', limit: 9, windowMs: 60_000 };
    await eventually(() => remote.consume([rule]));
    for (const [near, far] of pairs) near.unpipe(far).pause();
    expect(await refusedWithin(remote.consume([rule]))).toBeLessThan(SOON_MS);
    expect(await eventually(() => remote.consume([rule]))).toEqual({ allowed: true });
    pairs.flat().forEach((socket) => socket.destroy());
    proxy.close();
    await remote.close();
  });

  it('refuses within a second by default', () => {
    expect(DEADLINE_MS).toBeLessThan(1_000);
  });

  it('refuses at the deadline when the server does not answer, and when there is none', async () => {
    const sockets: Socket[] = [];
    const silent: Server = createServer((socket) => sockets.push(socket));
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    const { port } = silent.address() as AddressInfo;
    for (const each of [port, await freePort()]) {
      const cutOff = new PostgresRateLimiter({ databaseUrl: `postgres://nobody:x@127.0.0.1:${each}/none` });
      const rule = { key: 'x', limit: 1, windowMs: 1_000 };
      expect(await refusedWithin(cutOff.consume([rule]))).toBeLessThan(SOON_MS);
      expect(await refusedWithin(cutOff.take('x', 1, 1_000, 1))).toBeLessThan(SOON_MS);
      await cutOff.refund([rule]);
      await cutOff.close();
    }
    sockets.forEach((socket) => socket.destroy());
    silent.close();
  });
});
