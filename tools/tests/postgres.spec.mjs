import { execFile } from 'node:child_process';
import { readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { processIdentity } from '../process-identity.mjs';
import { script, temporaryFolder, until } from './node-script.mjs';

const START = `
  import { startPostgres } from './postgres/server.mjs';
  const server = await startPostgres({ dataDir: process.env.DIR, durable: false, rights: process.env.RIGHTS });
  console.log(JSON.stringify({ url: server.url, localUrl: server.localUrl, pid: server.pid, created: server.created, reclaimed: server.reclaimed }));
  process.on('SIGTERM', () => server.stop().then(() => process.exit(0)));
`;

let dir;

beforeEach(async () => {
  dir = await temporaryFolder();
});

afterEach(async () => {
  await rm(dir, { recursive: true, force: true });
});

const RIGHTS = `SELECT rolsuper AS super, datdba = r.oid AS owner FROM pg_roles r, pg_database
  WHERE rolname = current_user AND datname = current_database()`;

async function start(rights = 'product') {
  const launcher = script(START, { DIR: dir, RIGHTS: rights });
  await launcher.said('\n');
  return { launcher, ...JSON.parse(launcher.output()) };
}

async function query(url, sql) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

/** The shells that wait for the end of the launcher of this server. */
async function lifelinesOf(pid) {
  const numbers = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const lines = await Promise.all(
    numbers.map(async (number) => [
      number,
      await readFile(`/proc/${number}/cmdline`, 'utf8').catch(() => ''),
    ]),
  );
  return lines.filter(([, line]) => line.includes(`\0lifeline\0${pid}\0`)).map(([number]) => Number(number));
}

const isGone = (pid) => processIdentity(pid) === undefined;

it('keeps data, password and port from one start to the next, and is gone after a stop', async () => {
  const first = await start();
  await query(first.url, 'CREATE TABLE kept AS SELECT 1 AS n');
  first.launcher.kill('SIGTERM');
  expect((await first.launcher.ended).code).toBe(0);
  expect(isGone(first.pid)).toBe(true);

  const second = await start();
  expect([first.created, second.created]).toEqual([true, false]);
  expect(second.url).toBe(first.url);
  expect(await query(second.url, 'SELECT n FROM kept')).toEqual([{ n: 1 }]);
  second.launcher.kill('SIGTERM');
  await second.launcher.ended;
});

it.each(['-a', '-r'])('starts on a copy made with cp %s, also where root made it', async (option) => {
  const first = await start();
  await query(first.url, 'CREATE TABLE kept AS SELECT 1 AS n');
  first.launcher.kill('SIGTERM');
  await first.launcher.ended;
  const original = dir;
  dir = `${original}-copy`;
  try {
    await promisify(execFile)('cp', [option, original, dir]);
    const second = await start();
    expect(second.created).toBe(false);
    expect(await query(second.url, 'SELECT n FROM kept')).toEqual([{ n: 1 }]);
    second.launcher.kill('SIGTERM');
    await second.launcher.ended;
  } finally {
    await rm(original, { recursive: true, force: true });
  }
});

it('gives the programs a role that is no superuser and owns its database', async () => {
  const server = await start();
  expect(await query(server.url, RIGHTS)).toEqual([{ super: false, owner: true }]);
  await expect(query(server.url, `COPY (SELECT 1) TO PROGRAM 'cat'`)).rejects.toMatchObject({
    code: '42501',
  });
  const superuser = new URL(server.url);
  superuser.username = 'tieline';
  await expect(query(superuser.href, 'SELECT 1')).rejects.toMatchObject({ code: '28P01' });
  server.launcher.kill('SIGTERM');
  await server.launcher.ended;
});

it('gives a data folder whose programs were the superuser such a role, with everything in it', async () => {
  const first = await start('superuser');
  const old = new URL(first.url);
  old.username = 'tieline';
  await query(
    first.url,
    `ALTER ROLE tieline PASSWORD '${old.password}'; ALTER DATABASE tieline OWNER TO tieline`,
  );
  await query(
    old.href,
    `DROP OWNED BY tieline_app; DROP ROLE tieline_app; CREATE SCHEMA other;
     CREATE TABLE kept (id int GENERATED ALWAYS AS IDENTITY, n int); INSERT INTO kept (n) VALUES (1);
     CREATE TABLE days (d date) PARTITION BY RANGE (d); CREATE TABLE days_default PARTITION OF days DEFAULT;
     CREATE SEQUENCE other.tickets; CREATE TYPE mood AS ENUM ('good'); CREATE VIEW seen AS SELECT * FROM kept;
     CREATE FUNCTION two() RETURNS int LANGUAGE sql AS 'SELECT 2'`,
  );
  first.launcher.kill('SIGTERM');
  await first.launcher.ended;

  for (const times of [1, 2]) {
    const next = await start();
    expect(next.url).toBe(first.url);
    expect(await query(next.url, RIGHTS)).toEqual([{ super: false, owner: true }]);
    await query(
      next.url,
      `ALTER TABLE kept ADD COLUMN m${times} int; ALTER TABLE days_default ADD CHECK (true); ALTER SEQUENCE other.tickets CYCLE;
       ALTER TYPE mood ADD VALUE 'p${times}'; ALTER VIEW seen ALTER n SET DEFAULT 1; CREATE TABLE other.t${times} ();
       CREATE OR REPLACE FUNCTION two() RETURNS int LANGUAGE sql AS 'SELECT 2'; INSERT INTO kept (n) VALUES (1)`,
    );
    await expect(query(old.href, 'SELECT 1')).rejects.toMatchObject({ code: '28P01' });
    next.launcher.kill('SIGTERM');
    await next.launcher.ended;
  }
});

it('lets nobody in without the password and listens on this machine only', async () => {
  const server = await start('superuser'); // others may not read where sockets are
  for (const address of [server.url, server.localUrl]) {
    const url = new URL(address);
    url.password = 'wrong';
    await expect(query(url.href, 'SELECT 1')).rejects.toMatchObject({ code: '28P01' });
  }
  const [settings] = await query(
    server.url,
    `SELECT current_setting('listen_addresses') AS listen, current_setting('unix_socket_directories') AS sockets`,
  );
  expect(settings).toEqual({ listen: '127.0.0.1', sockets: '.' });
  server.launcher.kill('SIGTERM');
  await server.launcher.ended;
});

const ADDRESS = 'SELECT inet_server_addr() AS address';

it('serves programs on this machine over a socket, also on a folder that had none', async () => {
  const first = await start();
  expect(await query(first.localUrl, ADDRESS)).toEqual([{ address: null }]);
  expect(await query(first.url, ADDRESS)).toEqual([{ address: '127.0.0.1' }]);
  first.launcher.kill('SIGKILL');
  await until(() => isGone(first.pid), 'the server has ended');
  await writeFile(join(dir, 'postgres/pg_hba.conf'), 'host all all 127.0.0.1/32 scram-sha-256\n');
  // The lock file of a killed server, with the number of a process that runs.
  await writeFile(join(dir, `postgres/.s.PGSQL.${new URL(first.url).port}.lock`), `${process.pid}\n`);

  const second = await start();
  expect(await query(second.localUrl, ADDRESS)).toEqual([{ address: null }]);
  second.launcher.kill('SIGTERM');
  await second.launcher.ended;
});

it('serves them over its port when the path of the socket is too long', async () => {
  const outer = dir;
  dir = join(outer, 'long'.repeat(25));
  try {
    const server = await start();
    expect(server.localUrl).toBe(server.url);
    expect(await query(server.localUrl, ADDRESS)).toEqual([{ address: '127.0.0.1' }]);
    server.launcher.kill('SIGTERM');
    await server.launcher.ended;
  } finally {
    dir = outer;
  }
});

it('ends by itself when its launcher is killed', async () => {
  const server = await start();
  server.launcher.kill('SIGKILL');
  await until(() => isGone(server.pid), 'the server has ended');
});

it('is taken over by the next start when nothing else ended it', async () => {
  // Without its lifeline the server of a killed launcher stays: the next start finds and stops it.
  const { launcher: orphan, pid, url } = await start();
  for (const lifeline of await lifelinesOf(pid)) process.kill(lifeline, 'SIGKILL');
  await query(url, 'CREATE TABLE kept AS SELECT 1 AS n');
  orphan.kill('SIGKILL');
  await orphan.ended;
  expect(isGone(pid)).toBe(false);

  const next = await start();
  expect(next.reclaimed).toBe(true);
  expect(isGone(pid)).toBe(true);
  expect(await query(next.url, 'SELECT n FROM kept')).toEqual([{ n: 1 }]);
  next.launcher.kill('SIGTERM');
  await next.launcher.ended;
});

it('leaves a foreign process alone that got the number of a dead server', async () => {
  const server = await start();
  server.launcher.kill('SIGTERM');
  await server.launcher.ended;
  const bystander = script('setInterval(() => {}, 1000); console.log("here")');
  await bystander.said('here');
  await writeFile(join(dir, 'postgres', 'postmaster.pid'), `${bystander.pid}\n${join(dir, 'postgres')}\n`);

  const next = await start();
  expect(next.reclaimed).toBe(false);
  expect(isGone(bystander.pid)).toBe(false);
  expect(await readFile(join(dir, 'postgres', 'postmaster.pid'), 'utf8')).toMatch(
    new RegExp(`^${next.pid}\n`),
  );
  bystander.kill('SIGKILL');
  next.launcher.kill('SIGTERM');
  await next.launcher.ended;
});

it('leaves no folder behind when it is for throwing away, even when its launcher is killed', async () => {
  const throwAway = START.replace('durable: false', 'durable: false, throwAway: true');
  const stopped = script(throwAway, { DIR: dir });
  await stopped.said('\n');
  stopped.kill('SIGTERM');
  await stopped.ended;
  await expect(readdir(dir)).rejects.toMatchObject({ code: 'ENOENT' });

  const killed = script(throwAway, { DIR: dir });
  await killed.said('\n');
  killed.kill('SIGKILL');
  await until(
    () =>
      readdir(dir).then(
        () => false,
        () => true,
      ),
    'the folder is gone',
  );
});
