/**
 * `npm run shake -- traffic --minutes 30 --seed 7`: mixed traffic on two apis and two workers that are killed and frozen at random, and on a
 * Redis that is emptied; then the account of what was promised. The same seed makes the same troubles.
 */
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { Product, startRedis } from '../bench/product.mjs';
import { build } from '../build.mjs';
import { faultsOf, pending } from './account.mjs';
import { Cast } from './cast.mjs';
import { startListening, startPolling, startReceiver } from './readers.mjs';
import { Ledger, startSenders } from './senders.mjs';
import { makeWorld } from './world.mjs';

export const SETTINGS = {
  DATABASE_POOL_MAX: '12',
  // More than is sent while the bot that listens finds no api.
  DM_INBOX_LIMIT: '1000',
  RATE_POLL_PER_SECOND: '1000',
  RATE_AGENT_RUN_CREATE_PER_SECOND: '1000',
  RATE_AGENT_RUN_UPDATE_PER_SECOND: '1000',
  DELIVERY_BACKOFF_INITIAL_MS: '200',
  DELIVERY_BACKOFF_MAX_MS: '2000',
};
const STRIKE_EVERY_MS = 6000;
const DRAINED_WITHIN_MS = 120_000;

/** Numbers from 0 to 1 that the seed decides (mulberry32). */
function randomOf(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let n = Math.imul(state ^ (state >>> 15), 1 | state);
    n = (n + Math.imul(n ^ (n >>> 7), 61 | n)) ^ n;
    return ((n ^ (n >>> 14)) >>> 0) / 4294967296;
  };
}

/** @param {{ minutes: number, seed: number, stop: AbortSignal }} options @returns whether everything was as promised */
export async function traffic({ minutes, seed, stop }) {
  await build();
  const undo = [];
  try {
    return await underTrouble({ minutes, seed, stop, undo });
  } finally {
    for (const step of undo.reverse()) await Promise.resolve(step()).catch((error) => console.error(error));
  }
}

async function underTrouble({ minutes, seed, stop, undo }) {
  const logs = await mkdtemp(join(tmpdir(), 'tieline-traffic-'));
  const redis = await startRedis();
  undo.push(() => redis?.stop());
  const product = await Product.create({ redisUrl: redis?.url });
  undo.push(() => product.close());
  Object.assign(product.env, SETTINGS);
  const sql = new pg.Pool({ connectionString: product.env.DATABASE_URL, max: 3 });
  undo.push(() => sql.end());
  const cast = new Cast(product, redis?.url, logs);
  undo.push(() => cast.stop());
  await cast.start();
  const receiver = await startReceiver(Math.random);
  undo.push(() => receiver.stop());
  const api = () => cast.api(Math.random);
  const world = await makeWorld(api(), { receiver, sql, api, random: Math.random });
  const ledger = new Ledger();
  const [sending, reading] = [new AbortController(), new AbortController()];
  const readers = {
    hook: receiver.hook,
    push: receiver.push,
    polling: startPolling(api, world.pollToken, reading.signal),
    listening: startListening(api, world.streamToken, reading.signal),
  };
  undo.push(() => reading.abort());
  const senders = startSenders(world, ledger, sending.signal);
  undo.push(() => sending.abort());
  console.log(`seed ${seed}, ${minutes} min, ${redis ? 'with' : 'without'} Redis; logs: ${logs}`);
  await trouble(cast, randomOf(seed), minutes * 60_000, stop);
  // Whoever stops us may have stopped the programs with us: there is nobody left to account for.
  if (stop.aborted) return false;
  sending.abort();
  await cast.settled();
  await Promise.all(senders);
  const left = await drained(sql, world, ledger, readers);
  reading.abort();
  return report({ cast, ledger, readers, ...left });
}

async function trouble(cast, random, ms, stop) {
  const begun = Date.now();
  while (Date.now() - begun < ms && !stop.aborted) {
    await sleep(STRIKE_EVERY_MS * (0.5 + random()), undefined, { signal: stop }).catch(() => undefined);
    if (stop.aborted) return;
    const what = await cast.strike(random);
    if (what) console.log(`${((Date.now() - begun) / 1000).toFixed(0).padStart(5)} s  ${what}`);
  }
}

/** Waits until nothing is pending and everybody was told. @returns what is not so by then */
export async function drained(sql, world, ledger, readers) {
  const until = Date.now() + DRAINED_WITHIN_MS;
  for (;;) {
    const waiting = await pending(sql);
    const faults = await faultsOf(sql, world, ledger, readers);
    if ((Object.keys(waiting).length === 0 && faults.length === 0) || Date.now() > until)
      return { waiting, faults };
    await sleep(500);
  }
}

export function report({ cast, ledger, readers, waiting, faults }) {
  const { kills, freezes, flushes } = cast.troubles;
  const { hook, push, polling, listening } = readers;
  console.log(`\n${kills} killed, ${freezes} frozen, Redis emptied ${flushes} times`);
  for (const [kind, count] of Object.entries(ledger.sent)) console.log(`  ${kind}: ${count}`);
  const { accepted, unknown, limited } = ledger;
  console.log(`  accepted ${accepted.size}, not answered ${unknown.size}, over a rate ${limited}`);
  const told = { subscriptions: hook, push, poll: polling.told, 'DM stream': listening.told };
  for (const [who, { messages, count }] of Object.entries(told))
    console.log(`  ${who}: ${messages.size} messages, ${count - messages.size} came again`);
  const all = [
    ...cast.faults,
    ...faults,
    ...Object.entries(waiting).map(([what, count]) => `pending: ${count} ${what}`),
  ];
  for (const sentence of all) console.log(`FAULT: ${sentence}`);
  console.log(all.length === 0 ? '\nnothing lost, nothing doubled, nothing pending' : '');
  return all.length === 0;
}
