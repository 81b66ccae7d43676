// All senders and readers, and the account at their end.
import { setTimeout as sleep } from 'node:timers/promises';
import { faultsOf, pending } from './account.mjs';
import { insist } from '../calls.mjs';
import { startListening, startPolling, startSocket } from './readers.mjs';
import { startReceivers } from './receivers.mjs';
import { Ledger, startSenders } from './senders.mjs';
import { makeWorld } from './world.mjs';

const DRAINED_WITHIN_MS = 120_000;
/** Slower than the plan's rate of a subscription, at which a recovery is sent. */
const RECOVERED_PER_SECOND = 40;

/** Settings under which traffic runs. */
export const SETTINGS = {
  DATABASE_POOL_MAX: '12',
  // More than is sent while the bot that listens finds no api.
  DM_INBOX_LIMIT: '1000',
  RATE_POLL_PER_SECOND: '1000',
  RATE_AGENT_RUN_CREATE_PER_SECOND: '1000',
  RATE_AGENT_RUN_UPDATE_PER_SECOND: '1000',
  DELIVERY_BACKOFF_INITIAL_MS: '200',
  DELIVERY_BACKOFF_MAX_MS: '2000',
  // Receivers that refuse everything are part of it.
  DELIVERY_AUTO_DISABLE_THRESHOLD: '1000000',
};

/**
 * Makes a space and starts everything that sends and reads.
 * @param {{ cast: import('./cast.mjs').Cast, sql:
 * import('./servers.mjs').Sql }} parts
 */
export async function startTraffic({ cast, sql }) {
  const since = new Date(Date.now() - 1000).toISOString();
  const receiver = await startReceivers(Math.random);
  const api = () => cast.api(Math.random);
  const world = await makeWorld(api(), { receiver, sql, api, random: Math.random });
  const ledger = new Ledger();
  const [sending, reading] = [new AbortController(), new AbortController()];
  const readers = Object.assign(receiver.readers, {
    polling: startPolling(api, world.pollToken, reading.signal),
    socket: startSocket(api, world.socketToken, reading.signal),
    listening: startListening(api, world.streamToken, reading.signal),
  });
  const senders = startSenders(world, ledger, sending.signal);
  return {
    world,
    ledger,
    readers,
    stop() {
      sending.abort();
      reading.abort();
      void receiver.stop();
    },
    /**
     * Stops the senders, redelivers failed deliveries, and waits until everything was delivered.
     *
     * @param {string[]} faults so far @returns what is not as promised
     */
    async account(faults) {
      sending.abort();
      await Promise.all(senders);
      const recovered = await recoverRefused(world, readers, since);
      const left = await drained(sql, world, ledger, readers, recovered);
      reading.abort();
      return report({ faults: [...cast.faults, ...faults], ledger, readers, ...left });
    },
  };
}

/** @returns the number of events to recover */
async function recoverRefused(world, readers, since) {
  const token = world.owner;
  for (const id of world.unwell)
    await insist(world.url, 'DELETE', `/api/v1/admin/outgoing_webhooks/${id}`, { token });
  readers.isRepaired = true;
  const path = `/api/v1/admin/outgoing_webhooks/${world.refusing}/recover`;
  const { body } = await insist(world.url, 'POST', path, { token, body: { since, only: 'failed' } });
  return body.recovery.total;
}

/**
 * Waits until nothing is pending and everything was delivered.
 *
 * @returns the violations left at the end
 */
async function drained(sql, world, ledger, readers, recovered) {
  const until = Date.now() + DRAINED_WITHIN_MS + (recovered / RECOVERED_PER_SECOND) * 1000;
  for (;;) {
    const waiting = await pending(sql);
    const faults = await faultsOf(sql, world, ledger, readers);
    if ((Object.keys(waiting).length === 0 && faults.length === 0) || Date.now() > until)
      return { waiting, missing: faults };
    await sleep(500);
  }
}

/** Prints the account. @returns the faults */
function report({ faults, ledger, readers, waiting, missing }) {
  console.log('');
  for (const [kind, count] of Object.entries(ledger.sent)) console.log(`  ${kind}: ${count}`);
  const { accepted, unknown, limited } = ledger;
  console.log(`  accepted ${accepted.size}, not answered ${unknown.size}, over a rate ${limited}`);
  const { hook, push, recovered, polling, socket, listening } = readers;
  const told = {
    subscriptions: hook,
    recovered,
    push,
    poll: polling.told,
    socket: socket.told,
    'DM stream': listening.told,
  };
  for (const [who, { messages, count }] of Object.entries(told))
    console.log(`  ${who}: ${messages.size} messages, ${count - messages.size} came again`);
  return [
    ...faults,
    ...missing,
    ...Object.entries(waiting).map(([what, count]) => `pending: ${count} ${what}`),
  ];
}
