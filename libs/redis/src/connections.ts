import { Cluster, Redis } from 'ioredis';
import type { RedisOptions } from 'ioredis';
import { readAddress } from './address.js';
import type { RedisAddress } from './address.js';

/** A connection to one server, or connections to the nodes of a cluster. */
export type RedisClient = Redis | Cluster;

/** Timeout for the slot table of a node, in milliseconds. */
const SLOTS_MS = 2_000;

/**
 * How long a discarded connection waits for the server to close it, in milliseconds. With ioredis a
 * dead connection keeps the process alive for this long.
 */
const DISCONNECT: RedisOptions = { disconnectTimeout: 200 };

/**
 * Opens `REDIS_URL`. The same options work for a cluster: those for the command queue, the first
 * connection and reconnecting apply to all nodes together, the others to each node.
 *
 * @throws ConfigError when the address is invalid (`readAddress`)
 */
export function openRedis(url: string, options: RedisOptions): RedisClient {
  const address = readAddress(url);
  if (!address.cluster) return new Redis(url, { ...DISCONNECT, ...options });
  const { retryStrategy, enableOfflineQueue, lazyConnect, ...nodeOptions } = options;
  return new Cluster(address.nodes, {
    // ioredis would group the pipeline by the first argument. For scripts that is a number instead
    // of a key, so nodes would be mixed.
    enableAutoPipelining: false,
    ...(retryStrategy && { clusterRetryStrategy: retryStrategy as (times: number) => number }),
    ...(enableOfflineQueue !== undefined && { enableOfflineQueue }),
    ...(lazyConnect !== undefined && { lazyConnect }),
    slotsRefreshTimeout: SLOTS_MS,
    // The certificate is issued for the name, so the name is not replaced by its address.
    ...(address.tls && { dnsLookup: (name, done) => done(null, name) }),
    redisOptions: { ...DISCONNECT, ...nodeOptions, ...credentialsOf(address) },
  });
}

/**
 * Opens a connection to any node, and to the next one when it is lost. For pub/sub, which every
 * node of a cluster forwards to all others, and whose listener has to notice that its node is gone.
 *
 * @throws ConfigError when the address is invalid (`readAddress`)
 */
export function openAnyNode(url: string, options: RedisOptions): Redis {
  const address = readAddress(url);
  if (!address.cluster) return new Redis(url, { ...DISCONNECT, ...options });
  let next = Math.floor(Math.random() * address.nodes.length);
  const node = (): { host: string; port: number } => address.nodes[next++ % address.nodes.length]!;
  const redis: Redis = new Redis({
    ...DISCONNECT,
    ...options,
    ...credentialsOf(address),
    ...node(),
    retryStrategy(attempt) {
      Object.assign(redis.options, node());
      return options.retryStrategy?.(attempt);
    },
  });
  return redis;
}

function credentialsOf({ username, password, tls }: RedisAddress): RedisOptions {
  return { ...(username && { username }), ...(password && { password }), ...(tls && { tls: {} }) };
}
