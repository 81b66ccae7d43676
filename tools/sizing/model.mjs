/**
 * From people and what they do to processes, connections, disk and network. A rule of thumb made of
 * sums: no queues, no caches.
 */
import { COSTS, LIMITS } from './costs.mjs';

const DAY = 86_400;
const KINDS = ['message', 'delivery', 'read', 'streamed'];

/**
 * @typedef {object} Load
 * @property {number} spaces
 * @property {number} people of a space
 * @property {number} messages that one person, or a bot in their name, sends in a day
 * @property {number} subscriptions that a message goes to, pushes to bots included
 * @property {number} readers that have a message's conversation open
 * @property {number} reads pages that one person, or a bot, reads in a day
 * @property {number} online share of people that have a stream open at the busiest time
 * @property {number} peak the busiest second, as a multiple of the average
 */

/** A team of twenty that works with the chat all day. @type {Omit<Load, 'spaces'>} */
export const USUAL = {
  people: 20,
  messages: 50,
  subscriptions: 1,
  readers: 5,
  reads: 200,
  online: 0.4,
  peak: 5,
};

/** @param {Load} load @returns what it takes; rates are those of the busiest second */
export function sized({ spaces, people, messages, subscriptions, readers, reads, online, peak }) {
  const everybody = spaces * people;
  const daily = {
    message: everybody * messages,
    delivery: everybody * messages * subscriptions,
    read: everybody * reads,
    streamed: everybody * messages * readers,
  };
  const perSecond = Object.fromEntries(KINDS.map((kind) => [kind, (daily[kind] / DAY) * peak]));
  const cores = (part) =>
    KINDS.reduce((sum, kind) => sum + (perSecond[kind] * COSTS.cpu[kind][part]) / 1000, 0);
  const streams = everybody * online;
  const installations = Math.max(
    1,
    Math.ceil(perSecond.message / LIMITS.eventsPerRelay),
    Math.ceil(cores('postgres') / LIMITS.busy / LIMITS.postgresCores),
  );
  const isSmall = spaces === 1;
  const atLeast = (count) => Math.max(isSmall ? 1 : 2 * installations, Math.ceil(count));
  const api = atLeast(Math.max(cores('api') / LIMITS.busy, streams / LIMITS.streamsPerApi));
  const worker = atLeast(cores('worker') / LIMITS.busy);
  const redis = !isSmall;
  return {
    perSecond,
    streams,
    installations,
    api,
    worker,
    redis: redis ? installations : 0,
    postgresCores: Math.max(installations, Math.ceil(cores('postgres') / LIMITS.busy)),
    connections: connections({ api, worker, redis }),
    memoryGb: ((api + worker) * COSTS.memory.process + streams * COSTS.memory.stream) / 1e9,
    diskGb: {
      messagesPerYear: (daily.message * 365 * COSTS.disk.message) / 1e9,
      log: (daily.delivery * LIMITS.logDays * COSTS.disk.delivery) / 1e9,
      walPerDay: (daily.message * COSTS.wal.message + daily.delivery * COSTS.wal.delivery) / 1e9,
    },
    megabits: KINDS.reduce((sum, kind) => sum + perSecond[kind] * COSTS.network[kind] * 8, 0) / 1e6,
  };
}

/** As docs/install.md#connections counts them. With many processes each needs fewer. */
function connections({ api, worker, redis }) {
  const pool = api + worker > 8 ? LIMITS.pool.many : LIMITS.pool.first;
  const beside = redis ? { api: 4, worker: 2 } : { api: 6, worker: 13 };
  return api * (pool + beside.api) + worker * (pool + beside.worker);
}
