import { createHash } from 'node:crypto';
import { createTestDatabase, eventually, startTcpProxy, readRows } from '@tieline/testing';
import type { TestDatabase } from '@tieline/testing';
import {
  checkMigrations,
  CommitUnknown,
  discoverMigrations,
  MigrationDrift,
  openDb,
  runInWorkerTx,
  runMigrations,
  statement,
  unprepared,
} from './index.js';
import type { Db, Migration } from './index.js';

let database: TestDatabase;
let db: Db;

beforeAll(async () => {
  database = await createTestDatabase();
  db = await openDb({ databaseUrl: database.url, poolMax: 8 });
  await db.query('CREATE TABLE notes (id int PRIMARY KEY, text text)');
});
afterEach(() => db.query('TRUNCATE notes'));
afterAll(async () => {
  await db?.close();
  await database?.drop();
});

const migration = (lib: string, name: string, sql: string): Migration => ({
  lib,
  name,
  sql,
  checksum: createHash('sha256').update(sql).digest('hex'),
});

test('tokens are looked up while requests hold every connection of the pool', async () => {
  const held = await Promise.all(Array.from({ length: 8 }, () => db.pool.connect()));
  try {
    const one = statement('test.look_up', 'SELECT $1::int4 AS one', { one: 'int4' });
    expect(await db.lookUp(one, [7])).toEqual([{ one: 7 }]);
  } finally {
    for (const client of held) client.release();
  }
});

describe('runInTx', () => {
  test('commits and returns the result of the work', async () => {
    expect(
      await runInWorkerTx(db, async (tx) => tx.query('INSERT INTO notes VALUES (1, $1) RETURNING id', ['a'])),
    ).toEqual([{ id: 1 }]);
    expect(await db.query('SELECT * FROM notes')).toEqual([{ id: 1, text: 'a' }]);
  });

  test('rolls back when the work fails, and the connection stays usable', async () => {
    for (let i = 0; i < 20; i += 1) {
      await expect(
        runInWorkerTx(db, async (tx) => {
          await tx.query("INSERT INTO notes VALUES (1, 'a')");
          throw new Error('no');
        }),
      ).rejects.toThrow('no');
    }
    expect(await db.query('SELECT * FROM notes')).toEqual([]);
  });

  test('rejects when the work ignored a failed statement', async () => {
    await expect(
      runInWorkerTx(db, async (tx) => {
        await tx.query("INSERT INTO notes VALUES (1, 'a')");
        await tx.query('SELECT 1/0').catch(() => undefined);
      }),
    ).rejects.toThrow('rolled back');
    expect(await db.query('SELECT * FROM notes')).toEqual([]);
  });

  test('repeats the victim of a deadlock', async () => {
    await db.query("INSERT INTO notes VALUES (1, ''), (2, '')");
    const touch = (first: number, second: number): Promise<void> =>
      runInWorkerTx(db, async (tx) => {
        await tx.query("UPDATE notes SET text = text || 'x' WHERE id = $1", [first]);
        await tx.query('SELECT pg_sleep(0.05)');
        await tx.query("UPDATE notes SET text = text || 'x' WHERE id = $1", [second]);
      });
    await Promise.all([touch(1, 2), touch(2, 1)]);
    expect(await db.query('SELECT text FROM notes ORDER BY id')).toEqual([{ text: 'xx' }, { text: 'xx' }]);
  });

  test('a connection lost between two statements fails only that transaction', async () => {
    const cut = runInWorkerTx(db, async (tx) => {
      const [row] = await readRows<{ pid: number }>(tx, 'SELECT pg_backend_pid() AS pid');
      await db.query('SELECT pg_terminate_backend($1)', [row?.pid]);
      await eventually(async () =>
        expect(await db.query('SELECT 1 FROM pg_stat_activity WHERE pid = $1', [row?.pid])).toEqual([]),
      );
      return tx.query("INSERT INTO notes VALUES (1, 'a')");
    });
    await expect(cut).rejects.toThrow();
    await runInWorkerTx(db, (tx) => tx.query("INSERT INTO notes VALUES (2, 'b')"));
    expect(await db.query('SELECT id FROM notes')).toEqual([{ id: 2 }]);
  });

  test('an unanswered COMMIT is reported as unknown, a failed statement is not', async () => {
    const proxy = await startTcpProxy(database.url);
    const cut = await openDb({ databaseUrl: proxy.url });
    cut.pool.on('error', () => undefined);
    const write = (id: number): Promise<unknown> =>
      runInWorkerTx(cut, (tx) => tx.query('INSERT INTO notes VALUES ($1, $2)', [id, 'x']));
    try {
      for (const verdict of ['after', 'before'] as const) {
        proxy.cutWhen((bytes) => (bytes.includes('COMMIT') ? verdict : undefined));
        await expect(write(verdict === 'after' ? 31 : 32)).rejects.toThrow(CommitUnknown);
      }
      proxy.cutWhen((bytes) => (bytes.includes('INSERT INTO notes') ? 'after' : undefined));
      await expect(write(33)).rejects.not.toThrow(CommitUnknown);
      await expect(runInWorkerTx(db, (tx) => tx.query('SELECT 1/0'))).rejects.toMatchObject({
        code: '22012',
      });
      await eventually(async () =>
        expect(await db.query('SELECT id FROM notes WHERE id > 30')).toEqual([{ id: 31 }]),
      );
    } finally {
      await cut.close();
      await proxy.close();
    }
  });

  test('signals are sent once, after the commit, and never after a rollback', async () => {
    const told: unknown[] = [];
    const end = db.onSignal('topic', () => void told.push('topic'));
    await runInWorkerTx(db, async (tx) => {
      tx.signal('topic');
      tx.signal('topic');
      expect(told).toEqual([]);
    });
    expect(told).toEqual(['topic']);
    await runInWorkerTx(db, async (tx) => {
      tx.signal('topic');
      throw new Error('no');
    }).catch(() => undefined);
    expect(told).toEqual(['topic']);
    end();
  });

  test('a signal names its subjects, each once', async () => {
    const told: unknown[] = [];
    const end = db.onSignal('subjects', (subjects) => void told.push(subjects));
    await runInWorkerTx(db, async (tx) => {
      for (const subject of ['a', 'b', 'a']) tx.signal('subjects', subject);
    });
    expect(told).toEqual([['a', 'b']]);
    end();
  });

  test('rows get their types from the declaration', async () => {
    const ONE = statement('one', 'SELECT 1 AS n', { n: 'int4' });
    const n: number | undefined = (await db.query(ONE))[0]?.n;
    expect(n).toBe(1);
    const NOTHING = statement('nothing', 'DELETE FROM notes', {});
    const none: never[] = await db.query(NOTHING);
    expect(none).toEqual([]);
    const [plain] = await db.query('SELECT 1 AS n');
    // @ts-expect-error the rows are untyped
    expect(plain.n).toBe(1);
    // @ts-expect-error the declaration is missing
    expect(statement('undeclared', 'SELECT 1 AS n')).toMatchObject({ columns: undefined });
  });

  test('an unprepared statement has no name on its connection', async () => {
    const ONE = statement('kept', 'SELECT 1 AS n', { n: 'int4' });
    const prepared = `SELECT name FROM pg_prepared_statements WHERE statement = 'SELECT 1 AS n'`;
    await runInWorkerTx(db, async (tx) => {
      expect(await tx.query(unprepared(ONE))).toEqual([{ n: 1 }]);
      expect(await tx.query(prepared)).not.toContainEqual({ name: 'kept' });
      await tx.query(ONE);
      expect(await tx.query(prepared)).toContainEqual({ name: 'kept' });
    });
  });

  test('a bigint beyond exact numbers is returned as text', async () => {
    expect(await db.query('SELECT 9007199254740991::int8 AS a, 9007199254740993::int8 AS b')).toEqual([
      { a: Number.MAX_SAFE_INTEGER, b: '9007199254740993' },
    ]);
  });

  test("TypeORM's manager works inside the same transaction", async () => {
    await expect(
      runInWorkerTx(db, async (tx) => {
        await tx.manager.query("INSERT INTO notes VALUES (1, 'a')");
        expect(await tx.query('SELECT id FROM notes')).toEqual([{ id: 1 }]);
        throw new Error('no');
      }),
    ).rejects.toThrow('no');
    expect(await db.query('SELECT * FROM notes')).toEqual([]);
  });
});

describe('migrations', () => {
  test('concurrent processes apply each migration once', async () => {
    const all = [
      ...(await discoverMigrations()),
      migration('zz', '0001-one', 'CREATE TABLE zz_one (id int)'),
      migration('zz', '0002-two', 'ALTER TABLE zz_one ADD COLUMN b int'),
    ];
    const lines: string[] = [];
    await Promise.all(
      Array.from({ length: 4 }, () => runMigrations(database.url, all, (line) => lines.push(line))),
    );
    expect(lines.sort()).toEqual(['applied zz/0001-one', 'applied zz/0002-two']);
  });

  test('a changed, missing or unknown migration stops the start', async () => {
    const known = [
      ...(await discoverMigrations()),
      migration('zz', '0001-one', 'CREATE TABLE zz_one (id int)'),
      migration('zz', '0002-two', 'ALTER TABLE zz_one ADD COLUMN b int'),
    ];
    await expect(checkMigrations(db, known)).resolves.toBeUndefined();
    await expect(checkMigrations(db, [...known, migration('zz', '0003-three', 'SELECT 1')])).rejects.toThrow(
      'lacks 1 migration(s), first zz/0003-three',
    );
    await expect(checkMigrations(db, known.slice(0, -1))).rejects.toThrow('does not know');
    const changed = known.map((one) =>
      one.name === '0001-one' ? migration('zz', '0001-one', 'CREATE TABLE zz_one (id bigint)') : one,
    );
    await expect(checkMigrations(db, changed)).rejects.toThrow(MigrationDrift);
    await expect(runMigrations(database.url, changed)).rejects.toThrow('changed after it had been applied');
  });

  test('a migration that moved to another lib is renamed, not applied again', async () => {
    const known = [
      ...(await discoverMigrations()),
      migration('zz', '0001-one', 'CREATE TABLE zz_one (id int)'),
      migration('zz', '0002-two', 'ALTER TABLE zz_one ADD COLUMN b int'),
    ];
    const moved = [
      ...known.slice(0, -1),
      migration('yy', '0001-two', 'ALTER TABLE zz_one ADD COLUMN b int'),
      migration('yy', '0002-three', 'ALTER TABLE zz_one ADD COLUMN c int'),
    ];
    await expect(checkMigrations(db, moved.slice(0, -1))).resolves.toBeUndefined();
    await expect(checkMigrations(db, moved)).rejects.toThrow('lacks 1 migration(s), first yy/0002-three');
    const lines: string[] = [];
    await runMigrations(database.url, moved, (line) => lines.push(line));
    expect(lines).toEqual(['zz/0002-two is now yy/0001-two', 'applied yy/0002-three']);
    await expect(checkMigrations(db, moved)).resolves.toBeUndefined();
    await expect(checkMigrations(db, known)).rejects.toThrow(
      'the database has migration yy/0002-three, which this program does not know',
    );
  });

  test('an older program works with an additive migration, and with no other', async () => {
    const own = await createTestDatabase();
    const pool = await openDb({ databaseUrl: own.url, poolMax: 2 });
    const older = [
      ...(await discoverMigrations()),
      migration('zz', '0001-one', 'CREATE TABLE zz_one (id int)'),
    ];
    const additive = {
      ...migration('zz', '0002-two', 'ALTER TABLE zz_one ADD COLUMN b int'),
      worksWith: 'zz/0001-one',
    };
    const next = {
      ...migration('zz', '0003-three', 'ALTER TABLE zz_one ADD COLUMN c int'),
      worksWith: 'zz/0002-two',
    };
    await runMigrations(own.url, [...older, additive]);
    await expect(checkMigrations(pool, older)).resolves.toBeUndefined();
    const lines: string[] = [];
    await runMigrations(own.url, older, (line) => lines.push(line));
    expect(lines).toEqual(['zz/0002-two is newer than this program, which works with it']);
    // Older than the oldest that works with it.
    await expect(checkMigrations(pool, older.slice(0, -1))).rejects.toThrow(
      'zz/0001-one, which this program does not',
    );

    await runMigrations(own.url, [...older, additive, next]);
    await expect(checkMigrations(pool, [...older, additive])).resolves.toBeUndefined();
    await expect(checkMigrations(pool, older)).rejects.toThrow(
      'zz/0003-three, which this program does not know',
    );
    await pool.close();
    await own.drop();
  });

  test('completes the table of an older program, which lacks a column', async () => {
    const own = await createTestDatabase();
    const pool = await openDb({ databaseUrl: own.url, poolMax: 2 });
    await pool.query('ALTER TABLE schema_migrations DROP COLUMN works_with');
    const known = await discoverMigrations();
    await expect(checkMigrations(pool, known)).resolves.toBeUndefined();
    await runMigrations(own.url, known);
    expect(await pool.query('SELECT works_with FROM schema_migrations LIMIT 1')).toHaveLength(1);
    await pool.close();
    await own.drop();
  });

  test('a failed migration changes nothing', async () => {
    const all = [
      ...(await discoverMigrations()),
      migration('zz', '0001-one', 'CREATE TABLE zz_one (id int)'),
      migration('yy', '0001-two', 'ALTER TABLE zz_one ADD COLUMN b int'),
      migration('yy', '0002-three', 'ALTER TABLE zz_one ADD COLUMN c int'),
      migration('zz', '0003-bad', 'CREATE TABLE zz_bad (id int); SELECT 1/0'),
    ];
    await expect(runMigrations(database.url, all)).rejects.toThrow('zz/0003-bad failed');
    expect(await db.query("SELECT to_regclass('zz_bad') AS t")).toEqual([{ t: null }]);
  });
});
