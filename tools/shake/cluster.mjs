/**
 * `npm run test:cluster`: three apis and three workers on a Redis cluster of three masters with replicas and on a PostgreSQL with a synchronous
 * standby. Under mixed traffic the Redis master of the queues is killed, then the primary, and the standby takes over: nothing that was
 * accepted may be lost, and within 15 s messages reach subscribers again.
 */
import { randomUUID } from 'node:crypto';
import { mkdtemp, readdir, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { migrateAt, Product } from '../bench/product.mjs';
import { build } from '../build.mjs';
import { call } from './calls.mjs';
import { Cast } from './cast.mjs';
import { startPostgresPair } from './postgres-pair.mjs';
import { startListening, startPolling, startReceiver } from './readers.mjs';
import { Ledger, startSenders } from './senders.mjs';
import { drained, report, SETTINGS } from './traffic.mjs';
import { makeWorld } from './world.mjs';

const KINDS = ['api', 'api', 'api', 'worker', 'worker', 'worker'];
const RESUMES_WITHIN_MS = 15_000;
const BETWEEN_MS = 8_000;
/** What was under way at a loss ends within. */
const CALMS_MS = 4_000;
/** A key of the queues; the others of BullMQ are on the same node. */
const QUEUE_KEY = '{tieline}:deliveries:meta';

/** @param {{ stop: AbortSignal }} options @returns whether everything was as promised */
export async function cluster({ stop }) {
  await build();
  const undo = [];
  try {
    return await losingServers({ stop, undo });
  } finally {
    for (const step of undo.reverse()) await Promise.resolve(step()).catch((error) => console.error(error));
  }
}

async function losingServers({ stop, undo }) {
  const { RedisCluster, startTcpProxy } = await import('../../libs/testing/dist/index.js');
  const redis = await RedisCluster.start({ replicas: true });
  undo.push(() => redis.stop());
  const pair = await startPostgresPair(startTcpProxy, migrateAt);
  const product = await Product.create({ redisUrl: redis.url, postgres: pair });
  undo.push(() => product.close());
  // Six processes share the server's 300 connections.
  Object.assign(product.env, SETTINGS);
  const sql = patientSql(pair.url, undo);
  const logs = await mkdtemp(join(tmpdir(), 'tieline-cluster-'));
  const cast = new Cast(product, undefined, logs, KINDS);
  undo.push(() => cast.stop());
  await cast.start();
  const receiver = await startReceiver(Math.random);
  undo.push(() => receiver.stop());
  const api = () => cast.api(Math.random);
  const world = await makeWorld(api(), { receiver, sql, api, random: Math.random });
  const ledger = new Ledger();
  const [sending, reading] = [new AbortController(), new AbortController()];
  undo.push(
    () => sending.abort(),
    () => reading.abort(),
  );
  const readers = {
    hook: receiver.hook,
    push: receiver.push,
    polling: startPolling(api, world.pollToken, reading.signal),
    listening: startListening(api, world.streamToken, reading.signal),
  };
  console.log(`3 apis, 3 workers, 6 Redis servers, 2 PostgreSQL servers; logs: ${logs}`);
  const senders = startSenders(world, ledger, sending.signal);
  const losses = {
    'the Redis master of the queues': () => redis.killMasterOf(QUEUE_KEY),
    'the PostgreSQL primary': () => pair.failOver(),
  };
  for (const [what, lose] of Object.entries(losses)) {
    if (!(await inPeace(cast, logs, stop))) return false;
    const ms = await resumedAfter(lose, { world, ledger, hook: receiver.hook });
    console.log(`killed ${what}: messages came again after ${ms} ms`);
    if (ms > RESUMES_WITHIN_MS) cast.faults.push(`without ${what} it took ${ms} ms`);
  }
  if (!(await inPeace(cast, logs, stop))) return false;
  sending.abort();
  await Promise.all(senders);
  const left = await drained(sql, world, ledger, readers);
  reading.abort();
  return report({ cast, ledger, readers, ...left });
}

/** A while without troubles: nobody may be refused, and every part of every process works. */
async function inPeace(cast, logs, stop) {
  await sleep(CALMS_MS, undefined, { signal: stop }).catch(() => undefined);
  const begun = new Date().toISOString();
  await sleep(BETWEEN_MS, undefined, { signal: stop }).catch(() => undefined);
  if (stop.aborted) return false;
  for (const file of await readdir(logs)) {
    const lines = (await readFile(join(logs, file), 'utf8'))
      .split('\n')
      .filter((line) => line.startsWith('{'));
    const errors = lines
      .map((line) => JSON.parse(line))
      .filter(({ time, level }) => level === 'error' && time > begun);
    if (errors.length > 0)
      cast.faults.push(`${file} has ${errors.length} errors without a cause: ${errors[0].err?.message}`);
  }
  for (const degraded of await cast.degraded()) cast.faults.push(`without a cause ${degraded}`);
  return true;
}

/** How long until a message that was sent after the loss has reached the subscription, in milliseconds. */
async function resumedAfter(lose, { world, ledger, hook }) {
  const begun = performance.now();
  const lost = lose();
  const sent = new Set();
  const told = () => [...sent].some((id) => hook.messages.has(id));
  for (let n = 0; !told(); n += 1) {
    const text = `after the loss ${randomUUID()}`;
    const answer = await call(world.url(), 'POST', '/api/v1/bot/messages', {
      token: world.bot.token,
      key: randomUUID(),
      body: { conversation_id: world.channel(), content: text },
    });
    const id = ledger.note('after a loss', text, answer);
    if (id) sent.add(id);
    await sleep(100);
    if (performance.now() - begun > 10 * RESUMES_WITHIN_MS) break;
  }
  await lost;
  return Math.round(performance.now() - begun);
}

/** Looks behind the scenes as long as it takes: the server that it looks at goes away too. */
function patientSql(url, undo) {
  const pool = new pg.Pool({ connectionString: url, max: 3, connectionTimeoutMillis: 2_000 });
  pool.on('error', () => undefined);
  undo.push(() => pool.end());
  return {
    async query(...statement) {
      for (let tries = 1; ; tries += 1) {
        try {
          return await pool.query(...statement);
        } catch (error) {
          if (tries === 100) throw error;
          await sleep(200);
        }
      }
    },
  };
}
