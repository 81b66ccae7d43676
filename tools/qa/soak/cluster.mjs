/**
 * `npm run test:cluster`: three apis and three workers on a Redis cluster of three masters with
 * replicas and on a PostgreSQL with a synchronous standby. Under
 * mixed traffic the worker is killed that plans, then the Redis master of
 * the queues, then the primary, and the standby takes over: nothing that was accepted may be lost,
 * and within 15 s messages reach subscribers again.
 */
import { randomUUID } from 'node:crypto';
import { mkdtemp, readdir, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { call } from '../calls.mjs';
import { migrateAt, Product } from '../product.mjs';
import { Cast } from './cast.mjs';
import { startPostgresPair } from './postgres-pair.mjs';
import { patientSql } from './servers.mjs';
import { SETTINGS, startTraffic } from './traffic.mjs';

/** @type {import('./cast.mjs').Kind[]} */
const KINDS = ['api', 'api', 'api', 'worker', 'worker', 'worker'];
const RESUMES_WITHIN_MS = 15_000;
const BETWEEN_MS = 8_000;
/** Work in progress during a loss ends within this time. */
const CALMS_MS = 4_000;
/** A key of the queues; the others of BullMQ are on the same node. */
const QUEUE_KEY = '{tieline}:deliveries:meta';

export const PROMISE = 'nothing lost, nothing doubled, nothing pending';

/** @param {import('../run.mjs').Session} session */
export async function run({ stop, say, later }) {
  const { RedisCluster, startTcpProxy } = await import('@tieline/testing');
  const redis = await RedisCluster.start({ replicas: true });
  later(() => redis.stop());
  const pair = await startPostgresPair(startTcpProxy, migrateAt);
  const product = await Product.create({ redisUrl: redis.url, postgres: pair });
  later(() => product.close());
  // Six processes share the server's 300 connections.
  Object.assign(product.env, SETTINGS);
  const sql = patientSql(pair.url);
  later(() => sql.end());
  const logs = await mkdtemp(join(tmpdir(), 'tieline-cluster-'));
  const cast = new Cast(product, logs, KINDS);
  later(() => cast.stop());
  await cast.start();
  const traffic = await startTraffic({ cast, sql });
  later(() => traffic.stop());
  say(`3 apis, 3 workers, 6 Redis servers, 2 PostgreSQL servers; logs: ${logs}`);
  const losses = {
    'the worker that plans': () => cast.killPlanner(2_000),
    'the Redis master of the queues': () => redis.killMasterOf(QUEUE_KEY),
    'the PostgreSQL primary': () => pair.failOver(),
  };
  const faults = [];
  for (const [what, lose] of Object.entries(losses)) {
    faults.push(...(await inPeace(cast, logs, stop)));
    if (stop.aborted) return [];
    say(`next: the loss of ${what}`);
    const ms = await resumedAfter(lose, traffic);
    say(`killed ${what}: messages came again after ${ms} ms`);
    if (ms > RESUMES_WITHIN_MS) faults.push(`without ${what} it took ${ms} ms`);
  }
  faults.push(...(await inPeace(cast, logs, stop)));
  return stop.aborted ? [] : traffic.account(faults);
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
