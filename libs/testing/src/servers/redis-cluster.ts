import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Redis } from 'ioredis';
import { eventually } from '../eventually.js';
import { freePort } from '../../../../tools/free-port.mjs';
import { endWithThisProcess } from '../processes/lifeline.js';
import { redisCommand } from './redis-command.js';

const SLOTS = 16_384;
const MASTERS = 3;
/** Time without contact after which a node counts as failed, in milliseconds. */
const NODE_TIMEOUT_MS = 1_500;

interface Node {
  port: number;
  /** Port for traffic between nodes. */
  bus: number;
  id: string;
  process: ChildProcess;
}

/**
 * A Redis cluster for one test: three masters and, optionally, a replica of each. It stores nothing
 * on disk.
 */
export class RedisCluster {
  private constructor(
    private readonly folder: string,
    private readonly nodes: Node[],
  ) {}

  /**
   * Starts `redis-server` (7.0 or newer, on the PATH) three or six times and waits until the
   * cluster is complete.
   */
  static async start({ replicas = false } = {}): Promise<RedisCluster> {
    const folder = await mkdtemp(path.join(tmpdir(), 'tieline-redis-'));
    const cluster = new RedisCluster(folder, []);
    try {
      for (let n = 0; n < (replicas ? 2 * MASTERS : MASTERS); n += 1)
        cluster.nodes.push(await startNode(folder));
      await cluster.introduce();
      await cluster.share(replicas);
    } catch (error) {
      await cluster.stop();
      throw error;
    }
    return cluster;
  }

  /** In the format of `REDIS_URL`. */
  get url(): string {
    const [first, ...others] = this.nodes.map(({ port }) => `127.0.0.1:${port}`);
    return `redis-cluster://${first}?${others.map((node) => `node=${node}`).join('&')}`;
  }

  /** Kills the master of a key. */
  async killMasterOf(key: string): Promise<void> {
    const slot = await this.ask((redis) => redis.cluster('KEYSLOT', key));
    const ranges = await this.ask((redis) => redis.cluster('SLOTS'));
    await this.kill(ranges.find(([from, to]) => from <= slot && slot <= to)?.[2]?.[1]);
  }

  /** Kills the node at a port. */
  async kill(port: number | undefined): Promise<void> {
    const node = this.nodes.find((one) => one.port === port);
    if (node === undefined) throw new Error(`this cluster has no node at port ${port}`);
    await end(node.process);
  }

  /** Stops all nodes. */
  async stop(): Promise<void> {
    await Promise.all(this.nodes.map(({ process }) => end(process)));
    await rm(this.folder, { recursive: true, force: true });
  }

  private async introduce(): Promise<void> {
    const [first, ...others] = this.nodes as [Node, ...Node[]];
    for (const { port, bus } of others)
      await redisCommand(first.port, (redis) => redis.call('CLUSTER', 'MEET', '127.0.0.1', port, bus));
    await eventually(
      async () => {
        for (const node of this.nodes) {
          const known = await redisCommand(node.port, (redis) => redis.cluster('INFO'));
          if (!String(known).includes(`cluster_known_nodes:${this.nodes.length}`)) return false;
        }
        return true;
      },
      { timeoutMs: 60_000 },
    );
  }

  private async share(replicas: boolean): Promise<void> {
    for (let n = 0; n < MASTERS; n += 1) {
      const [from, to] = [n, n + 1].map((part) => Math.floor((part * SLOTS) / MASTERS)) as [number, number];
      const master = this.nodes[n] as Node;
      await redisCommand(master.port, (redis) => redis.call('CLUSTER', 'ADDSLOTSRANGE', from, to - 1));
      const replica = this.nodes[n + MASTERS];
      if (replicas && replica)
        await eventually(() => redisCommand(replica.port, (redis) => redis.cluster('REPLICATE', master.id)));
    }
    await eventually(
      async () => {
        for (const node of this.nodes) {
          const info = String(await redisCommand(node.port, (redis) => redis.cluster('INFO')));
          const links = String(await redisCommand(node.port, (redis) => redis.info('replication')));
          if (!info.includes('cluster_state:ok') || links.includes('master_link_status:down')) return false;
        }
        return true;
      },
      { timeoutMs: 60_000 },
    );
  }

  private ask<T>(run: (redis: Redis) => Promise<T>): Promise<T> {
    const alive = this.nodes.find(
      ({ process }) => process.exitCode === null && process.signalCode === null,
    ) as Node;
    return redisCommand(alive.port, run);
  }
}

async function startNode(folder: string): Promise<Node> {
  const [port, bus] = [await freePort(), await freePort()];
  const flags = {
    port,
    bind: '127.0.0.1',
    save: '',
    appendonly: 'no',
    'maxmemory-policy': 'noeviction',
    'cluster-enabled': 'yes',
    'cluster-port': bus,
    'cluster-config-file': `nodes-${port}.conf`,
    'cluster-node-timeout': NODE_TIMEOUT_MS,
    // Disables the check of replica age, because no data is stored.
    'cluster-replica-validity-factor': 0,
    'repl-diskless-sync-delay': 0,
  };
  const args = Object.entries(flags).flatMap(([name, value]) => [`--${name}`, String(value)]);
  const process = spawn('redis-server', args, { stdio: 'ignore', cwd: folder });
  process.on('error', () => undefined);
  endWithThisProcess(process);
  const id = await eventually(() =>
    redisCommand(port, (redis) => redis.cluster('MYID') as unknown as Promise<string>),
  );
  return { port, bus, id, process };
}

async function end(process: ChildProcess): Promise<void> {
  if (process.exitCode !== null || process.signalCode !== null) return;
  const ended = once(process, 'exit');
  process.kill('SIGKILL');
  await ended;
}
