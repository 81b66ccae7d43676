// A primary and a standby that has every commit before it is answered, behind one address that
// follows the primary.
import { spawnSync } from 'node:child_process';
import { appendFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROLE } from '../../postgres/cluster.mjs';
import { withClient } from '../sql.mjs';
import { startPostgres } from '../../postgres/server.mjs';

const STANDBY = 'standby';

/**
 * @param {(url: string) => Promise<import('@tieline/testing').TcpProxy>} startProxy
 * @param {(url: string) => void | Promise<void>} prepare what is done to the primary before it is
 * copied
 */
export async function startPostgresPair(startProxy, prepare) {
  const folder = await mkdtemp(join(tmpdir(), 'tieline-pair-'));
  const [first, second] = [join(folder, 'first'), join(folder, 'second')];
  const alone = await startPostgres({ dataDir: first, rights: 'superuser' });
  await prepare(alone.url);
  await alone.stop();
  await appendFile(
    join(first, 'postgres', 'pg_hba.conf'),
    'host replication all 127.0.0.1/32 scram-sha-256\n',
  );
  copy(first, second);
  const { password } = JSON.parse(await readFile(join(first, 'postgres.json'), 'utf8'));
  const primary = await startPostgres({
    dataDir: first,
    settings: { synchronous_standby_names: STANDBY, max_connections: '300' },
  });
  await writeFile(join(second, 'postgres', 'standby.signal'), '');
  await rm(join(second, 'postgres.json'));
  await writeFile(join(second, 'postgres.json'), JSON.stringify({ password }), { mode: 0o600 });
  const source = `host=127.0.0.1 port=${primary.port} user=${ROLE} password=${password} application_name=${STANDBY}`;
  const standby = await startPostgres({ dataDir: second, settings: { primary_conninfo: source } });
  await followed(primary.url);
  const proxy = await startProxy(primary.url);
  return {
    url: proxy.url,
    /** As a power cut does, and whatever watches over the pair. */
    async failOver() {
      process.kill(primary.pid, 'SIGKILL');
      await primary.exited;
      await query(standby.url, 'SELECT pg_promote()');
      proxy.pointTo(standby.url);
    },
    async stop() {
      await proxy.close();
      await Promise.all([primary.stop(), standby.stop()]);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function copy(from, to) {
  const done = spawnSync('cp', ['-Rp', from, to], { encoding: 'utf8' });
  if (done.status !== 0) throw new Error(done.stderr);
}

/** From now on no commit is answered that the standby does not have. */
async function followed(url) {
  for (;;) {
    const [row] = await query(
      url,
      `SELECT FROM pg_stat_replication WHERE application_name = '${STANDBY}' AND sync_state = 'sync'`,
    );
    if (row) return;
  }
}

/** @param {string} url @param {string} text */
const query = (url, text) => withClient(url, async (client) => (await client.query(text)).rows);
