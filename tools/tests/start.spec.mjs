import { execFile, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, stat } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from '../free-port.mjs';
import { processIdentity } from '../process-identity.mjs';
import { node, temporaryFolder, until } from './node-script.mjs';

const hasCurl = spawnSync('curl', ['--version']).status === 0;
const isGone = (pid) => processIdentity(pid) === undefined;

let env;
const started = [];

beforeAll(async () => {
  env = {
    DATA_DIR: await temporaryFolder(),
    PORT: String(await freePort()),
    WORKER_PORT: String(await freePort()),
  };
});

afterAll(async () => {
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

it('says which port is taken, before anything is made', async () => {
  const squatter = createServer().listen(Number(env.WORKER_PORT), '127.0.0.1');
  for (const folder of ['empty', 'new']) {
    const dataDir = join(env.DATA_DIR, folder);
    if (folder === 'empty') await mkdir(dataDir);
    const run = start({ DATA_DIR: dataDir });
    expect((await run.ended).code).toBe(1);
    expect(run.output()).toContain(`port ${env.WORKER_PORT} is taken by another program`);
    expect(existsSync(join(dataDir, 'postgres'))).toBe(false);
  }
  expect(existsSync(join(env.DATA_DIR, 'new'))).toBe(false);
  await new Promise((resolve) => squatter.close(resolve));
});

it('says which port browsers refuse to open', async () => {
  const run = start({ WORKER_PORT: '10080' });
  expect((await run.ended).code).toBe(1);
  expect(run.output()).toContain('browsers refuse to open port 10080; choose another with WORKER_PORT=…');
});

it.each([
  [
    { PORT: '99999', FILE_MAX_BYTES: 'abc', DELIVERY_TIMEOUT_MS: 'soon', RATE_DM_PER_SECOND: '-1' },
    ['PORT', 'FILE_MAX_BYTES', 'DELIVERY_TIMEOUT_MS', 'RATE_DM_PER_SECOND'],
  ],
  [{ PORT: 'abc', WORKER_PORT: 'x', LOG_LEVEL: 'loud' }, ['PORT', 'WORKER_PORT', 'LOG_LEVEL']],
  [{ HOST: 'bad host', PORT: '3140', WORKER_PORT: '3140' }, ['HOST', 'WORKER_PORT']],
  [{ PORT: '3140', OPERATOR_PORT: '3140', TRUSTED_PROXIES: 'x' }, ['OPERATOR_PORT', 'TRUSTED_PROXIES']],
])('names all wrong variables together, ports and hosts included: %j', async (given, names) => {
  const run = start(given);
  expect((await run.ended).code).toBe(1);
  const problems = [...run.output().matchAll(/^ {2}- (\w+) /gm)].map(([, name]) => name);
  expect(problems.sort()).toEqual([...names].sort());
  expect(run.output()).not.toContain('Invalid URL');
  expect(existsSync(join(env.DATA_DIR, 'postgres'))).toBe(false);
});

// The following tests share one installation, which goes through them in this order.
describe('an installation', () => {
  let run;

  it('runs both programs, and as a service keeps the link out of the journal', async () => {
    run = start({ INVOCATION_ID: 'set by systemd' });
    await run.said('ready in');
    expect(await Promise.all([isReady(env.PORT), isReady(env.WORKER_PORT)])).toEqual([true, true]);
    expect(await everyProcess()).toHaveLength(3);
    const linkFile = join(env.DATA_DIR, 'first-link');
    expect([(await stat(linkFile)).mode & 0o777, await readFile(linkFile, 'utf8')]).toEqual([
      0o600,
      expect.stringContaining('#'),
    ]);
    expect(run.output()).toContain(linkFile);
    expect(run.output()).not.toContain((await readFile(linkFile, 'utf8')).trim());
  });

  it('prints commands that post a first message', async () => {
    const commands = run
      .output()
      .slice(run.output().indexOf('  API=http'), run.output().indexOf('Ctrl-C stops'));
    if (!hasCurl) return console.warn('!!! not checked: curl is not installed');
    const { stdout } = await promisify(execFile)('/bin/sh', ['-eu', '-c', commands], {
      env: { PATH: process.env.PATH },
    });
    const history = JSON.parse(stdout.trim().split('\n').pop() ?? '');
    expect(history.messages.map(({ text, author_type }) => [text, author_type])).toEqual([
      ['Hello from the first bot', 'bot'],
    ]);
  });

  it('refuses a second start on the same folder', async () => {
    const second = start();
    expect((await second.ended).code).toBe(1);
    expect(second.output()).toContain(`already runs on ${env.DATA_DIR} (process ${run.pid})`);
  });

  it('starts a program again that dies', async () => {
    const [api] = await everyProcess();
    process.kill(api, 'SIGKILL');
    await run.said('the api ended (SIGKILL), starting it again');
    await until(() => isReady(env.PORT), 'the api is back');
  });

  it('starts cleanly after a kill -9, with the same data and secrets', async () => {
    const secrets = () =>
      Promise.all(
        ['operator-token', 'secret-key', 'postgres.json'].map((name) =>
          readFile(join(env.DATA_DIR, name), 'utf8'),
        ),
      );
    const [before, pids] = [await secrets(), await everyProcess()];
    run.kill('SIGKILL');
    await run.ended;
    run = start();
    await run.said('ready in');
    expect(pids.map(isGone)).toEqual([true, true, true]);
    expect(await secrets()).toEqual(before);
  });

  it('leaves nothing running', async () => {
    const pids = await everyProcess();
    run.kill('SIGTERM');
    expect(await run.ended).toEqual({ code: 0, signal: null });
    expect(pids.map(isGone)).toEqual([true, true, true]);
  });
});
