/**
 * `npm run test:restore`: backups as operators make them, while messages are posted and delivered,
 * and each restored into a fresh server: a base backup with archived WAL to a named moment, and a
 * dump. Nothing that was committed may be lost, and what is sent again was in flight. Needs
 * PostgreSQL's own programs (pg_basebackup, pg_dump, pg_restore), and about half a minute.
 */
import { appendFile, chmod, cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { migrateAt, Product } from '../product.mjs';
import { createBot, createWorkspace, subscribe } from '../world.mjs';
import { withClient } from '../sql.mjs';
import { ROLE } from '../../postgres/cluster.mjs';
import { startPostgres } from '../../postgres/server.mjs';
import { account } from './account.mjs';
import { startReceivers } from './receivers.mjs';
import { startSenders } from './senders.mjs';
import { findTools, packageOf, runTool } from './server-tools.mjs';

/** Between one step and the next, so that there is something before and after each. */
const BETWEEN_MS = 1_500;
const MOMENT = 'the_moment';
/** What is not taken is tried again soon, and never given up here. */
const SETTINGS = {
  DELIVERY_BACKOFF_INITIAL_MS: '300',
  DELIVERY_BACKOFF_MAX_MS: '1000',
  DELIVERY_MAX_ATTEMPTS: '100',
};

export const PROMISE = 'nothing was lost, and what came again was in flight';

/** @param {import('../run.mjs').Session} session */
export async function run({ say, later }) {
  const tools = await findTools();
  const folder = await mkdtemp(join(tmpdir(), 'tieline-restore-'));
  await chmod(folder, 0o755);
  later(() => rm(folder, { recursive: true, force: true }));
  const parts = { tools, folder, later, packageFolder: await packageOf(tools, join(folder, 'package')) };
  await mkdir(join(folder, 'archive'), { mode: 0o777 });
  await chmod(join(folder, 'archive'), 0o777);
  say('traffic begins, and the backups are made meanwhile');
  const scene = await startScene(parts);
  const backups = await backUp(parts, scene);
  say(`restoring a base backup with WAL to a named moment, by ${tools}`);
  const physical = await restorePhysical(parts, scene, backups);
  say('restoring a dump');
  return [...physical, ...(await restoreDump(parts, scene, backups))];
}

async function startScene({ folder, packageFolder, later }) {
  const dataDir = join(folder, 'first');
  const archive = join(folder, 'archive');
  const settings = { archive_mode: 'on', archive_command: `cp %p ${archive}/%f`, archive_timeout: '60' };
  // Made first: replication has to be allowed in its file before it starts.
  await (await startPostgres({ dataDir, packageFolder, rights: 'superuser' })).stop();
  await appendFile(
    join(dataDir, 'postgres/pg_hba.conf'),
    'host replication all 127.0.0.1/32 scram-sha-256\n',
  );
  const server = await startPostgres({ dataDir, packageFolder, settings });
  later(() => server.kill());
  migrateAt(server.url);
  const product = await productOn(server, later);
  const [api, worker] = [await product.start('api'), await product.start('worker')];
  later(async () => {
    for (const one of [api, worker]) one.child.kill('SIGKILL');
  });
  const receivers = await startReceivers();
  later(() => receivers.stop());
  const workspace = await createWorkspace(api.url, 1);
  for (const path of ['/hook', '/late'])
    await subscribe(api.url, workspace, `${receivers.url}${path}`, workspace.channels[0]);
  const polling = await createBot(api.url, workspace.owner, 'polling', {
    event_delivery_mode: 'poll',
    event_types: ['MESSAGE_CREATED'],
  });
  const senders = startSenders(api.url, workspace);
  return {
    ...workspace,
    pollToken: polling.token,
    server,
    dataDir,
    archive,
    receivers,
    senders,
    processes: [api, worker],
  };
}

/** Each backup with the moments before and after which it is known to be of. */
async function backUp({ tools, folder }, scene) {
  const { server, senders } = scene;
  const { password } = JSON.parse(await readFile(join(scene.dataDir, 'postgres.json'), 'utf8'));
  const at = ['-h', '127.0.0.1', '-p', String(server.port), '-U', ROLE];
  await sleep(BETWEEN_MS);
  await runTool(
    tools,
    'pg_basebackup',
    [...at, '-D', join(folder, 'base'), '-c', 'fast', '-X', 'none'],
    password,
  );
  await sleep(BETWEEN_MS);
  const dumped = await moment(() =>
    runTool(tools, 'pg_dump', [...at, '-d', 'tieline', '-Fc', '-f', join(folder, 'dump')], password),
  );
  await sleep(BETWEEN_MS);
  const named = await withClient(server.url, async (client) => {
    const point = await moment(() => client.query(`SELECT pg_create_restore_point('${MOMENT}')`));
    await sleep(BETWEEN_MS);
    await archived(client);
    return point;
  });
  await senders.stop();
  // As if the machine were gone.
  for (const one of scene.processes) one.child.kill('SIGKILL');
  server.kill();
  await server.exited;
  return { dumped, named, password };
}

/** Everything before `from` had been accepted, and everything after `to` was sent later. */
async function moment(work) {
  const from = performance.now();
  await work();
  return { from, to: performance.now() };
}

async function restorePhysical({ folder, packageFolder, later }, scene, { named, password }) {
  const dataDir = join(folder, 'second');
  await mkdir(dataDir);
  await cp(join(folder, 'base'), join(dataDir, 'postgres'), { recursive: true, preserveTimestamps: true });
  await chmod(join(dataDir, 'postgres'), 0o700);
  await writeFile(join(dataDir, 'postgres.json'), JSON.stringify({ password }), { mode: 0o600 });
  await writeFile(join(dataDir, 'postgres/recovery.signal'), '');
  const server = await startPostgres({
    dataDir,
    packageFolder,
    settings: {
      restore_command: `cp ${scene.archive}/%f %p`,
      recovery_target_name: MOMENT,
      recovery_target_action: 'promote',
    },
  });
  later(() => server.kill());
  await promoted(server.url);
  return judged(server, scene, named, later);
}

async function restoreDump({ tools, folder, packageFolder, later }, scene, { dumped }) {
  const dataDir = join(folder, 'third');
  const server = await startPostgres({ dataDir, packageFolder });
  later(() => server.kill());
  const { password } = JSON.parse(await readFile(join(dataDir, 'postgres.json'), 'utf8'));
  const at = ['-h', '127.0.0.1', '-p', String(server.port), '-U', ROLE, '-d', 'tieline'];
  await runTool(
    tools,
    'pg_restore',
    [...at, '--exit-on-error', '--single-transaction', join(folder, 'dump')],
    password,
  );
  return judged(server, scene, dumped, later);
}

async function judged(server, scene, { from, to }, later) {
  // As the documentation says: stop everything, restore, migrate, start.
  migrateAt(server.url);
  const { accepted } = scene.senders;
  return account({
    product: await productOn(server, later),
    scene,
    before: accepted.filter(({ answeredAt }) => answeredAt < from),
    after: accepted.filter(({ sentAt }) => sentAt > to),
    taken: scene.receivers.taken.length,
  });
}

async function productOn(server, later) {
  const product = await Product.create({ postgres: server });
  later(() => rm(product.dataDir, { recursive: true, force: true }));
  Object.assign(product.env, SETTINGS);
  return product;
}

/** Resolves when the WAL up to now is in the archive. */
async function archived(client) {
  const { rows } = await client.query('SELECT pg_walfile_name(pg_switch_wal()) AS name');
  await until(async () => {
    const found = await client.query('SELECT last_archived_wal >= $1 AS done FROM pg_stat_archiver', [
      rows[0].name,
    ]);
    return found.rows[0].done;
  });
}

async function promoted(url) {
  const recovering = (client) => client.query('SELECT pg_is_in_recovery() AS recovering');
  await until(() =>
    withClient(url, recovering).then(
      ({ rows }) => !rows[0].recovering,
      () => false,
    ),
  );
}

async function until(condition) {
  for (const end = Date.now() + 60_000; !(await condition()); await sleep(50))
    if (Date.now() > end) throw new Error('waited too long');
}
