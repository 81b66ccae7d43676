// The product under measurement: its own durable Postgres (and Redis), the built api and worker as
// processes, and a workspace made over HTTP.
import { spawn, spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import getPort from 'get-port';
import { startPostgres } from '../postgres/server.mjs';

const ROOT = resolve(import.meta.dirname, '../..');
const OPERATOR = 'operator-token-of-the-bench-0123456789';
const SECRET_KEY = Buffer.alloc(32, 3).toString('base64');
const RATES = {
  RATE_BOT_MESSAGES_PER_SECOND: '1000000',
  RATE_BOT_WRITES_PER_SECOND: '1000000',
  RATE_USER_WRITES_PER_SECOND: '1000000',
};

/**
 * Starts a node script; resolves with its process once it has printed a JSON line, which is
 * answered as `info`.
 */
export async function startScript(script, args, env) {
  const child = spawn(process.execPath, [join(ROOT, script), ...args], {
    cwd: ROOT,
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let text = '';
  const info = await new Promise((done, failed) => {
    child.stdout.on('data', (part) => {
      text += part;
      const line = text
        .split('\n')
        .find((one) => one.startsWith('{"port"') || one.startsWith('{"perSecond"'));
      if (line) done(JSON.parse(line));
    });
    child.once('exit', (code) => failed(new Error(`${script} ended with ${code}`)));
  });
  return { child, info, stop: () => stopProcess(child) };
}

async function stopProcess(child, signal = 'SIGTERM') {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise((done) => child.once('exit', done));
  child.kill(signal);
  await ended;
}

/** A Redis of our own when `redis-server` is on the PATH. */
export async function startRedis() {
  if (spawnSync('redis-server', ['--version']).status !== 0) return undefined;
  const port = await getPort({ host: '127.0.0.1' });
  const child = spawn(
    'redis-server',
    ['--port', String(port), '--save', '', '--appendonly', 'no', '--maxmemory-policy', 'noeviction'],
    { stdio: 'ignore', cwd: '/' },
  );
  await sleep(300);
  return { url: `redis://127.0.0.1:${port}`, stop: () => stopProcess(child) };
}

/** Makes the tables. */
export function migrateAt(databaseUrl) {
  const migrated = spawnSync(process.execPath, [join(ROOT, 'apps/api/dist/migrate.js')], {
    env: { PATH: process.env.PATH, DATABASE_URL: databaseUrl, SECRET_KEY },
    cwd: ROOT,
    encoding: 'utf8',
  });
  if (migrated.status !== 0) throw new Error(migrated.stderr);
}

export class Product {
  /**
   * @param {{ redisUrl?: string, postgres?: { url: string, stop: () => Promise<void> } }} [servers]
   * default: a PostgreSQL of its own, no Redis
   */
  static async create({ redisUrl, postgres } = {}) {
    const product = new Product();
    product.dataDir = await mkdtemp(join(tmpdir(), 'tieline-bench-'));
    product.postgres = postgres ?? (await startPostgres({ dataDir: product.dataDir, rights: 'testing' }));
    product.env = {
      NODE_ENV: 'production',
      DATABASE_URL: product.postgres.url,
      DATA_DIR: product.dataDir,
      REDIS_URL: redisUrl ?? '',
      OPERATOR_TOKEN: OPERATOR,
      DATABASE_POOL_MAX: '32',
      SECRET_KEY,
      EGRESS_ALLOW_HTTP: 'true',
      EGRESS_ALLOWED_CIDRS: '127.0.0.0/8,::1/128',
      LOG_LEVEL: 'info',
      ...RATES,
    };
    if (!postgres) migrateAt(product.postgres.url);
    return product;
  }

  /**
   * @param {'api' | 'worker'} kind @param {string[]} [nodeOptions] e.g. `--cpu-prof` @param
   * {'ignore' | number} [log] where it prints to
   */
  async start(kind, nodeOptions = [], log = 'ignore') {
    const port = await getPort({ host: '127.0.0.1' });
    const env = {
      PATH: process.env.PATH,
      ...this.env,
      [kind === 'api' ? 'PORT' : 'WORKER_PORT']: String(port),
    };
    const child = spawn(process.execPath, [...nodeOptions, join(ROOT, 'apps', kind, 'dist/main.js')], {
      cwd: ROOT,
      env,
      stdio: ['ignore', log, log === 'ignore' ? 'inherit' : log],
    });
    const url = `http://127.0.0.1:${port}`;
    for (let tries = 0; ; tries += 1) {
      const ready = await fetch(`${url}/health/ready`).then(
        (r) => r.status === 200,
        () => false,
      );
      if (ready) break;
      if (tries > 2400 || child.exitCode !== null) {
        child.kill('SIGKILL');
        throw new Error(`the ${kind} did not become ready`);
      }
      await sleep(50);
    }
    return {
      url,
      child,
      rssMb: () => residentMb(child.pid),
      cpuMs: () => cpuMs(child.pid),
      stop: () => stopProcess(child),
    };
  }

  async close() {
    await this.postgres.stop();
    await rm(this.dataDir, { recursive: true, force: true });
  }
}

/** Resident memory of a process. */
export async function residentMb(pid) {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1] ?? 0) / 1024;
}

/**
 * Processor time that a process has used so far, in milliseconds; Linux counts it in hundredths of
 * a second.
 */
export async function cpuMs(pid) {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
  const [user, system] = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 13);
  return (Number(user) + Number(system)) * 10;
}

async function call(url, path, token, body) {
  const response = await fetch(`${url}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body ?? {}),
  });
  const answer = await response.json();
  if (!response.ok) throw new Error(`${path} was answered with ${response.status}: ${answer.error}`);
  return answer;
}

/** A space with a bot that has joined `channels` public channels. */
export async function createWorkspace(url, channels, plan = 'enterprise') {
  const { space, owner_token: owner } = await call(url, '/api/v1/operator/spaces', OPERATOR, {
    name: 'bench',
    plan,
  });
  const { bot, token } = await call(url, '/api/v1/admin/bots', owner, { display_name: 'bench' });
  const ids = [];
  for (let n = 0; n < channels; n += 1) {
    const { conversation } = await call(url, '/api/v1/client/conversations', owner, {
      name: `c${n}`,
      is_public: true,
      member_ids: [bot.id],
    });
    ids.push(conversation.id);
  }
  return { spaceId: space.id, owner, botId: bot.id, token, channels: ids };
}

/** Subscribes `url` to the messages of one channel. */
export async function subscribe(apiUrl, { owner }, url, channel) {
  const body = { name: 'bench', url, event_types: ['MESSAGE_CREATED'], channel_ids: [channel] };
  return (await call(apiUrl, '/api/v1/admin/outgoing_webhooks', owner, body)).subscription.id;
}

/** Creates this many incoming webhooks, spread over the channels. */
export async function makeIncomingWebhooks(apiUrl, { owner, channels }, count, more = {}) {
  const webhooks = [];
  for (let n = 0; n < count; n += 1) {
    const { token, signing_secret: secret } = await call(apiUrl, '/api/v1/admin/incoming_webhooks', owner, {
      name: `w${n}`,
      conversation_id: channels[n % channels.length],
      ...more,
    });
    webhooks.push({ token, secret });
  }
  return webhooks;
}
