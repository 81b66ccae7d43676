import { ConfigError } from '@tieline/platform/config';

/** The parsed `REDIS_URL`. */
export interface RedisAddress {
  /** One server, or the first nodes of a cluster to contact. */
  nodes: { host: string; port: number }[];
  cluster: boolean;
  tls: boolean;
  username?: string;
  password?: string;
  /** Always 0 for a cluster. */
  database: number;
}

const CLUSTER = /^(rediss?)-cluster:$/;

/**
 * Parses `redis://` and `rediss://` addresses of a server, and those of a cluster:
 * `redis-cluster://host:port?node=host:port&node=host:port`, `rediss-cluster://` with TLS. User and
 * password apply to every node.
 *
 * @throws ConfigError when a node has no host and port, or a cluster has a database
 */
export function readAddress(text: string): RedisAddress {
  const url = new URL(text);
  const cluster = CLUSTER.test(url.protocol);
  const further = cluster ? url.searchParams.getAll('node') : [];
  const problems = further.filter((node) => nodeOf(node) === undefined).map(badNode);
  const first = nodeOf(url.host) ?? { host: url.hostname, port: 6379 };
  const path = url.pathname.replace(/^\//, '');
  if (cluster && path !== '') problems.push('REDIS_URL: a cluster has no numbered databases, so no path');
  if (problems.length > 0) throw new ConfigError(problems);
  return {
    nodes: [first, ...further.map((node) => nodeOf(node) as { host: string; port: number })],
    cluster,
    tls: url.protocol.startsWith('rediss'),
    ...(url.username !== '' && { username: decodeURIComponent(url.username) }),
    ...(url.password !== '' && { password: decodeURIComponent(url.password) }),
    database: cluster ? 0 : Number(path) || 0,
  };
}

/** `host:port`, `[::1]:port` */
function nodeOf(text: string): { host: string; port: number } | undefined {
  const [, host, port] = /^(\[[\da-f:.]+\]|[\w.-]+):(\d{1,5})$/i.exec(text) ?? [];
  if (host === undefined || Number(port) < 1 || Number(port) > 65_535) return undefined;
  return { host: host.replace(/^\[|\]$/g, ''), port: Number(port) };
}

function badNode(node: string): string {
  return `REDIS_URL: node=${node} must be host:port`;
}
