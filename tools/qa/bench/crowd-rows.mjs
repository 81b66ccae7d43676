// Measures how long one space's requests take while another space creates many conversations.
import pg from 'pg';
import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'undici';
import { median, openLoop } from './load.mjs';
import { promised } from './promises.mjs';
import { createWorkspace } from '../world.mjs';
import { messageRequest } from './rows.mjs';

const PER_SECOND = 50;
const REQUESTS = 300;
const MEMBERS = 150;
const BURST_EVERY_MS = 1000;

/**
 * (f) bot messages of one space while another space sends bursts of 300 concurrent requests that
 * create conversations of 150 people. The floor is without the bursts. The target is the ratio of
 * the p99s.
 */
export async function crowds(product, { seconds, rounds }) {
  const api = await product.start('api');
  const quiet = await createWorkspace(api.url, 1);
  const noisy = await createWorkspace(api.url, 1);
  const memberIds = await createPeople(product.postgres.url, noisy.spaceId);
  const request = messageRequest(quiet, 'beside crowds');
  const measure = () => openLoop({ origin: api.url, perSecond: PER_SECOND, seconds, request });
  await measure();
  const alone = [];
  const beside = [];
  for (let round = 0; round < rounds; round += 1) {
    alone.push(await measure());
    const bursts = startBursts(api.url, noisy.owner, memberIds);
    beside.push(await measure());
    await bursts.stop();
  }
  await api.stop();
  const p = (results, name) => median(results.map((result) => result[name]));
  return {
    row: `bot messages at ${PER_SECOND}/s beside bursts of ${REQUESTS} new conversations of ${MEMBERS} people`,
    ours: `p50 ${p(beside, 'p50').toFixed(1)} ms, p99 ${p(beside, 'p99').toFixed(1)} ms`,
    floor: `without them p50 ${p(alone, 'p50').toFixed(1)} ms, p99 ${p(alone, 'p99').toFixed(1)} ms`,
    ratio: median(beside.map(({ p99 }, round) => alone[round].p99 / p99)),
    target: promised('crowds'),
  };
}

async function createPeople(databaseUrl, spaceId) {
  const db = new pg.Client({ connectionString: databaseUrl });
  await db.connect();
  const { rows } = await db.query(
    `INSERT INTO users (id, space_id, display_name, role, token_hash)
     SELECT gen_random_uuid(), $1, 'person ' || n, 'member', sha256(gen_random_uuid()::text::bytea)
     FROM generate_series(1, $2::int) n RETURNING id`,
    [spaceId, MEMBERS],
  );
  await db.end();
  return rows.map(({ id }) => id);
}

/** Sends a burst every second, or when the previous one is answered, until it is stopped. */
function startBursts(origin, token, memberIds) {
  const pool = new Pool(origin, { connections: REQUESTS, pipelining: 1 });
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const body = JSON.stringify({ type: 'channel', name: 'crowd', member_ids: memberIds });
  const path = '/api/v1/client/conversations';
  const send = async () => (await pool.request({ path, method: 'POST', headers, body })).body.dump();
  let isStopped = false;
  const run = async () => {
    while (!isStopped) {
      const pause = sleep(BURST_EVERY_MS);
      await Promise.all(Array.from({ length: REQUESTS }, send));
      await pause;
    }
  };
  const running = run();
  return {
    stop: async () => {
      isStopped = true;
      await running;
      await pool.close();
    },
  };
}
