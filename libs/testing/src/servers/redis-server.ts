import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { eventually } from '../eventually.js';
import { freePort } from '../../../../tools/free-port.mjs';
import { endWithThisProcess } from '../processes/lifeline.js';
import { redisCommand } from './redis-command.js';

/**
 * A Redis server for one test that stops, kills or flushes it. It stores nothing on disk, so it is
 * empty after a restart.
 */
export class RedisServer {
  private child: ChildProcess | undefined;

  private constructor(private readonly port: number) {}

  /** Starts `redis-server` (it must be on the PATH) on a free port. */
  static async start(): Promise<RedisServer> {
    const server = new RedisServer(await freePort());
    await server.resume();
    return server;
  }

  get url(): string {
    return `redis://127.0.0.1:${this.port}`;
  }

  /** Starts it again on the same port after {@link stop}, empty. */
  async resume(): Promise<void> {
    const flags = [
      '--port',
      String(this.port),
      '--bind',
      '127.0.0.1',
      '--save',
      '',
      '--appendonly',
      'no',
      '--maxmemory-policy',
      'noeviction',
    ];
    this.child = spawn('redis-server', flags, { stdio: 'ignore', cwd: '/' });
    this.child.on('error', () => undefined);
    endWithThisProcess(this.child);
    await eventually(async () => (await redisCommand(this.port, (redis) => redis.ping())) === 'PONG', {
      timeoutMs: 60_000,
    });
  }

  /** Kills the server without notifying its clients. */
  async stop(): Promise<void> {
    const child = this.child;
    this.child = undefined;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  }

  /** Deletes all data. */
  async flush(): Promise<void> {
    await redisCommand(this.port, (redis) => redis.flushall());
  }
}
