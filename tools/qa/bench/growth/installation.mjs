// A Tieline whose tables have the requested number of rows, in its own database on a shared server.
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { migrateAt, Product, rebuildSearchAt } from '../../product.mjs';
import { withClient } from '../../sql.mjs';
import { createBot, createWorkspace, subscribe } from '../../world.mjs';
import { fill } from './fill.mjs';

const CONNECTIONS = '8';

/**
 * Made by hand and by SQL; nothing runs in it.
 * @param {{ url: string }} server @param {number} size rows of each kind @param {string}
 * receiverUrl of the subscription that matches
 */
export async function makeInstallation(server, size, receiverUrl) {
  const url = await newDatabase(server.url, `rows${size}`);
  migrateAt(url);
  const product = await Product.create({ postgres: { url, stop: async () => undefined } });
  Object.assign(product.env, {
    DATABASE_POOL_MAX: CONNECTIONS,
    RATE_POLL_PER_SECOND: '1000000',
    SPACE_LIMITS: 'subscriptions=1000000/1000000/1000000',
  });
  const [api, worker] = [await product.start('api'), await product.start('worker')];
  const made = await makeBeginnings(api.url, receiverUrl);
  const db = new pg.Client(url);
  await db.connect();
  await untilPlanned(db);
  await worker.stop();
  await api.stop();
  const filled = await fill(db, size, made);
  rebuildSearchAt(url);
  await db.query('VACUUM ANALYZE search_buckets, search_messages, search_spaces');
  return { size, product, db, ...made, ...filled };
}

async function newDatabase(serverUrl, name) {
  await withClient(serverUrl, (admin) => admin.query(`CREATE DATABASE ${name}`));
  return serverUrl.replace(/\/[^/]*$/, `/${name}`);
}

/**
 * A channel with a subscription, which the rows go into, one with an ordered subscription, and a
 * bot that polls.
 */
async function makeBeginnings(url, receiverUrl) {
  const workspace = await createWorkspace(url, 2);
  const [channel, orderedChannel] = workspace.channels;
  const subscription = await subscribe(url, workspace, receiverUrl, channel);
  await subscribe(url, workspace, receiverUrl, orderedChannel, { ordered: true });
  const polling = await createBot(url, workspace.owner, 'polling', { event_delivery_mode: 'poll' });
  const small = await createWorkspace(url, 0);
  return {
    ...{
      ...workspace,
      channel,
      orderedChannel,
      subscription,
      pollingBot: polling.bot.id,
      pollToken: polling.token,
    },
    ...{ smallSpace: small.spaceId, smallOwner: small.owner },
  };
}

async function untilPlanned(db) {
  for (;;) {
    const { rows } = await db.query(
      'SELECT (SELECT count(*) FROM outbox)::int AS waiting, (SELECT count(*) FROM outgoing_webhook_plans)::int AS planned',
    );
    if (rows[0].waiting === 0 && rows[0].planned === 2) return;
    await sleep(50);
  }
}
