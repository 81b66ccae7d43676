/**
 * `npm run test:cluster`: three apis and three workers on a Redis cluster of three masters with
 * replicas and on a PostgreSQL with a synchronous standby, with four shards of the relay. Under
 * mixed traffic the worker is killed that plans for the traffic's space, then the Redis master of
 * the queues, then the primary, and the standby takes over: nothing that was accepted may be lost,
 * and within 15 s messages reach subscribers again.
 */
import { randomUUID } from 'node:crypto';
import { mkdtemp, readdir, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { migrateAt, Product } from '../bench/product.mjs';
import { build } from '../build.mjs';
import { call } from './calls.mjs';
import { Cast } from './cast.mjs';
import { startPostgresPair } from './postgres-pair.mjs';
import { patientSql } from './servers.mjs';
import { SETTINGS, startTraffic } from './traffic.mjs';

const KINDS = ['api', 'api', 'api', 'worker', 'worker', 'worker'];
const RESUMES_WITHIN_MS = 15_000;
const BETWEEN_MS = 8_000;
const SHARDS = '4';
/** Work in progress during a loss ends within this time. */
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
  Object.assign(product.env, SETTINGS, { RELAY_SHARDS: SHARDS });
  const sql = patientSql(pair.url);
  undo.push(() => sql.end());
  const logs = await mkdtemp(join(tmpdir(), 'tieline-cluster-'));
  const cast = new Cast(product, logs, KINDS);
  undo.push(() => cast.stop());
  await cast.start();
  const traffic = await startTraffic({ cast, sql });
  undo.push(() => traffic.stop());
  console.log(
    `3 apis, 3 workers with ${SHARDS} shards, 6 Redis servers, 2 PostgreSQL servers; logs: ${logs}`,
  );
  const losses = {
    'the worker that plans': () => cast.killPlanner(2_000),
    'the Redis master of the queues': () => redis.killMasterOf(QUEUE_KEY),
    'the PostgreSQL primary': () => pair.failOver(),
  };
  const faults = [];
  for (const [what, lose] of Object.entries(losses)) {
    faults.push(...(await inPeace(cast, logs, stop)));
    if (stop.aborted) return false;
    console.log(`next: the loss of ${what}`);
    const ms = await resumedAfter(lose, traffic);
    console.log(`killed ${what}: messages came again after ${ms} ms`);
    if (ms > RESUMES_WITHIN_MS) faults.push(`without ${what} it took ${ms} ms`);
  }
  faults.push(...(await inPeace(cast, logs, stop)));
  return stop.aborted ? false : traffic.account(faults);
}

/**
 * A quiet period: no request may be refused, and every service of every process works.
 *
 * @returns the violations
 */
async function inPeace(cast, logs, stop) {
  await cast.settled();
  await sleep(CALMS_MS, undefined, { signal: stop }).catch(() => undefined);
  const begun = new Date().toISOString();
  await sleep(BETWEEN_MS, undefined, { signal: stop }).catch(() => undefined);
  if (stop.aborted) return [];
  const faults = [];
  for (const file of await readdir(logs)) {
    const lines = (await readFile(join(logs, file), 'utf8'))
      .split('\n')
      .filter((line) => line.startsWith('{'));
    const errors = lines
      .map((line) => JSON.parse(line))
      .filter(({ time, level }) => level === 'error' && time > begun);
    if (errors.length > 0)
      faults.push(`${file} has ${errors.length} errors without a cause: ${errors[0].err?.message}`);
  }
  for (const degraded of await cast.degraded()) faults.push(`without a cause ${degraded}`);
  return faults;
}

/**
 * How long until a message that was sent after the loss has reached the subscription, in
 * milliseconds.
 */
async function resumedAfter(lose, { world, ledger, readers: { hook } }) {
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
