import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { eventually } from '../eventually.js';
import { freePort } from '../../../../tools/free-port.mjs';
import { endWithThisProcess } from '../processes/lifeline.js';

/** PgBouncer refuses to run as root. */
const NOBODY = 65_534;

/**
 * A PgBouncer in session mode, with the configuration of its package except for addresses and
 * sizes.
 */
export interface PgBouncer {
  /** URL of the database through PgBouncer. */
  url: string;
  stop(): Promise<void>;
}

/** Returns whether `pgbouncer` is on the PATH. */
export function hasPgBouncer(): boolean {
  return spawnSync('pgbouncer', ['--version']).status === 0;
}

/** Starts a PgBouncer in front of a database. */
export async function startPgBouncer(databaseUrl: string): Promise<PgBouncer> {
  const url = new URL(databaseUrl);
  const port = await freePort();
  const dir = mkdtempSync(path.join(tmpdir(), 'tieline-pgbouncer-'));
  chmodSync(dir, 0o755);
  const file = path.join(dir, 'pgbouncer.ini');
  writeFileSync(file, configuration(url, port));
  const owner = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};
  const child = spawn('pgbouncer', ['-q', file], { stdio: 'ignore', ...owner });
  endWithThisProcess(child);
  url.host = `127.0.0.1:${port}`;
  await eventually(() => answers(url.href), { timeoutMs: 60_000 });
  return {
    url: url.href,
    stop: async () => {
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

function configuration({ hostname, port, username, password }: URL, listenPort: number): string {
  const secret = password === '' ? '' : ` password=${decodeURIComponent(password)}`;
  return `[databases]
* = host=${hostname} port=${port || '5432'} user=${decodeURIComponent(username)}${secret}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${listenPort}
unix_socket_dir =
auth_type = any
pool_mode = session
max_client_conn = 400
default_pool_size = 200
`;
}

async function answers(connectionString: string): Promise<boolean> {
  const client = new pg.Client({ connectionString });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
}
