import { Cluster, Redis } from 'ioredis';
import type { RedisOptions } from 'ioredis';
import { readAddress } from './address.js';
import type { RedisAddress } from './address.js';

/** A connection to one server, or those to the nodes of a cluster. */
export type RedisClient = Redis | Cluster;

/** How long a node may take to say who has which keys, in milliseconds. */
const SLOTS_MS = 2_000;

/**
 * How long a discarded connection may stay open for the server to end it, in milliseconds. ioredis
 * keeps the process alive for all of this time, even for a connection that is already gone,
 * including the one that last asked a cluster node for its slots.
 */
const ENDING: RedisOptions = { disconnectTimeout: 200 };

/**
 * Opens what `REDIS_URL` names. The same options mean the same on a cluster: for the queue of
 * commands, the first contact and connecting again those of all nodes together, else those of each
 * node.
 *
 * @throws ConfigError when the address is none (`readAddress`)
 */
export function openRedis(url: string, options: RedisOptions): RedisClient {
  const address = readAddress(url);
  if (!address.cluster) return new Redis(url, { ...ENDING, ...options });
  const { retryStrategy, enableOfflineQueue, lazyConnect, ...ofNodes } = options;
  return new Cluster(address.nodes, {
    // It would sort what it pipelines by the first argument, which of scripts is a number and no
    // key, and mix nodes.
    enableAutoPipelining: false,
    ...(retryStrategy && { clusterRetryStrategy: retryStrategy as (times: number) => number }),
    ...(enableOfflineQueue !== undefined && { enableOfflineQueue }),
    ...(lazyConnect !== undefined && { lazyConnect }),
    slotsRefreshTimeout: SLOTS_MS,
    // The name is what a certificate is made out to: it isn't replaced by its address.
    ...(address.tls && { dnsLookup: (name, done) => done(null, name) }),
    redisOptions: { ...ENDING, ...ofNodes, ...accessOf(address) },
  });
}

/**
 * Opens a connection to one node, whichever; the next one when it is lost. For pub/sub, which every
 * node of a cluster passes on to all others, and whose listener has to learn that its node is gone.
 *
 * @throws ConfigError when the address is none (`readAddress`)
 */
export function openAnyNode(url: string, options: RedisOptions): Redis {
  const address = readAddress(url);
  if (!address.cluster) return new Redis(url, { ...ENDING, ...options });
  let next = Math.floor(Math.random() * address.nodes.length);
  const node = (): { host: string; port: number } => address.nodes[next++ % address.nodes.length]!;
  const redis: Redis = new Redis({
    ...ENDING,
    ...options,
    ...accessOf(address),
    ...node(),
    retryStrategy(attempt) {
      Object.assign(redis.options, node());
      return options.retryStrategy?.(attempt);
    },
  });
  return redis;
}

function accessOf({ username, password, tls }: RedisAddress): RedisOptions {
  return { ...(username && { username }), ...(password && { password }), ...(tls && { tls: {} }) };
}
