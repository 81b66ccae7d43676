import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, stat, symlink } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import getPort from 'get-port';
import { processIdentity } from '../process-identity.mjs';
import { node, ROOT, temporaryFolder, until } from './node-script.mjs';

const isGone = (pid) => processIdentity(pid) === undefined;

let env;
let started;

beforeEach(async () => {
  env = {
    DATA_DIR: await temporaryFolder(),
    PORT: String(await getPort({ host: '127.0.0.1' })),
    WORKER_PORT: String(await getPort({ host: '127.0.0.1' })),
  };
  started = [];
});

afterEach(async () => {
  for (const run of started) {
    run.kill('SIGTERM');
    await run.ended;
  }
  await rm(env.DATA_DIR, { recursive: true, force: true });
});

function start(more = {}) {
  const run = node(['tools/start.mjs'], { ...env, ...more });
  started.push(run);
  return run;
}

async function ready(more) {
  const run = start(more);
  await run.said('ready in');
  return run;
}

/** The process numbers of api, worker and the database server. */
async function everyProcess() {
  const children = JSON.parse(await readFile(join(env.DATA_DIR, 'children.json'), 'utf8'));
  const postmaster = Number.parseInt(
    await readFile(join(env.DATA_DIR, 'postgres/postmaster.pid'), 'utf8'),
    10,
  );
  return [...children.map(({ pid }) => pid), postmaster];
}

async function isReady(port) {
  return (await fetch(`http://127.0.0.1:${port}/health/ready`).catch(() => undefined))?.status === 200;
}

it('runs both programs, refuses a second start on the same folder, and leaves nothing running', async () => {
  const run = await ready();
  expect(await Promise.all([isReady(env.PORT), isReady(env.WORKER_PORT)])).toEqual([true, true]);
  const pids = await everyProcess();
  expect(pids).toHaveLength(3);

  const second = start();
  expect((await second.ended).code).toBe(1);
  expect(second.output()).toContain(`already runs on ${env.DATA_DIR} (process ${run.pid})`);

  run.kill('SIGTERM');
  expect(await run.ended).toEqual({ code: 0, signal: null });
  expect(pids.map(isGone)).toEqual([true, true, true]);
});

it('starts cleanly after a kill -9, with the same data and secrets', async () => {
  const first = await ready();
  const secrets = () =>
    Promise.all(
      ['operator-token', 'secret-key', 'postgres.json'].map((name) =>
        readFile(join(env.DATA_DIR, name), 'utf8'),
      ),
    );
  const [before, pids] = [await secrets(), await everyProcess()];
  first.kill('SIGKILL');
  await first.ended;

  await ready();
  expect(pids.map(isGone)).toEqual([true, true, true]);
  expect(await secrets()).toEqual(before);
});

it('starts a program again that dies', async () => {
  const run = await ready();
  const [api] = await everyProcess();
  process.kill(api, 'SIGKILL');
  await run.said('the api ended (SIGKILL), starting it again');
  await until(() => isReady(env.PORT), 'the api is back');
});

it('says which port is taken, before anything is made', async () => {
  const squatter = createServer().listen(Number(env.WORKER_PORT), '127.0.0.1');
  const empty = start();
  expect((await empty.ended).code).toBe(1);
  expect(empty.output()).toContain(`port ${env.WORKER_PORT} is taken by another program`);
  expect(existsSync(join(env.DATA_DIR, 'postgres'))).toBe(false);
  const fresh = start({ DATA_DIR: join(env.DATA_DIR, 'fresh') });
  expect((await fresh.ended).code).toBe(1);
  expect(fresh.output()).toContain(`port ${env.WORKER_PORT} is taken by another program`);
  expect(existsSync(join(env.DATA_DIR, 'fresh'))).toBe(false);
  await new Promise((resolve) => squatter.close(resolve));
});

it('shows what is wrong with the configuration', async () => {
  const run = start({ DELIVERY_TIMEOUT_MS: 'soon', RATE_DM_PER_SECOND: '-1' });
  expect((await run.ended).code).toBe(1);
  expect(run.output()).toContain('DELIVERY_TIMEOUT_MS');
  expect(run.output()).toContain('RATE_DM_PER_SECOND');
});

it.each([
  [{ PORT: '99999' }, ['PORT']],
  [{ PORT: 'abc', FILE_MAX_BYTES: 'abc' }, ['PORT', 'FILE_MAX_BYTES']],
  [{ WORKER_PORT: 'x', LOG_LEVEL: 'loud' }, ['WORKER_PORT', 'LOG_LEVEL']],
  [{ HOST: 'bad host' }, ['HOST']],
  [{ PORT: '3140', WORKER_PORT: '3140' }, ['WORKER_PORT']],
  [{ PORT: '3140', OPERATOR_PORT: '3140', TRUSTED_PROXIES: 'x' }, ['OPERATOR_PORT', 'TRUSTED_PROXIES']],
])('names all wrong variables together, ports and hosts included: %j', async (given, names) => {
  const run = start(given);
  expect((await run.ended).code).toBe(1);
  const problems = [...run.output().matchAll(/^ {2}- (\w+) /gm)].map(([, name]) => name);
  expect(problems.sort()).toEqual([...names].sort());
  expect(run.output()).not.toContain('Invalid URL');
  expect(existsSync(join(env.DATA_DIR, 'postgres'))).toBe(false);
});

it('prints commands that post a first message, and as a service keeps the link out of the journal', async () => {
  const run = await ready({ INVOCATION_ID: 'set by systemd' });
  const linkFile = join(env.DATA_DIR, 'first-link');
  expect([(await stat(linkFile)).mode & 0o777, await readFile(linkFile, 'utf8')]).toEqual([
    0o600,
    expect.stringContaining('#'),
  ]);
  expect(run.output()).toContain(linkFile);
  expect(run.output()).not.toContain((await readFile(linkFile, 'utf8')).trim());
  const commands = run
    .output()
    .slice(run.output().indexOf('  API=http'), run.output().indexOf('Ctrl-C stops'));
  const bin = join(env.DATA_DIR, 'bin');
  await mkdir(bin);
  await symlink(join(ROOT, 'tools/tests/bin-curl.mjs'), join(bin, 'curl'));
  const { stdout } = await promisify(execFile)('/bin/sh', ['-eu', '-c', commands], {
    env: { PATH: `${bin}:${process.env.PATH}` },
  });
  const history = JSON.parse(stdout.trim().split('\n').pop());
  expect(history.messages.map(({ text, author_type }) => [text, author_type])).toEqual([
    ['Hello from the first bot', 'bot'],
  ]);
});
