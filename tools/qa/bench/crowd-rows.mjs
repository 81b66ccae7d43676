// Measures how long one space's requests take while another space creates many conversations.
import pg from 'pg';
import { median, openLoop } from './load.mjs';
import { promised } from './promises.mjs';
import { startScript } from '../product.mjs';
import { createWorkspace } from '../world.mjs';
import { messageRequest } from './rows.mjs';

const PER_SECOND = 50;
const REQUESTS = 300;
const MEMBERS = 150;

/**
 * (f) bot messages of one space while another space sends bursts of 300 concurrent requests that
 * create conversations of 150 people, over connections that stay open, from a process of its own.
 * The floor is without the bursts. The target is the ratio of the p99s.
 */
export async function crowds(product, { seconds, rounds }) {
  const api = await product.start('api');
  const quiet = await createWorkspace(api.url, 1);
  const noisy = await createWorkspace(api.url, 1);
  const bursts = await startScript('tools/qa/bench/bursts.mjs', [String(REQUESTS)], {
    ORIGIN: api.url,
    TOKEN: noisy.owner,
    BODY: await crowdOf(product.postgres.url, noisy.spaceId),
  });
  const control = (what) => fetch(`http://127.0.0.1:${bursts.info.port}/${what}`);
  const request = messageRequest(quiet, 'beside crowds');
  const measure = () => openLoop({ origin: api.url, perSecond: PER_SECOND, seconds, request });
  const measureBeside = async () => {
    await control('start');
    const measured = await measure();
    await control('stop');
    return measured;
  };
  await measureBeside();
  const alone = [];
  const beside = [];
  for (let round = 0; round < rounds; round += 1) {
    alone.push(await measure());
    beside.push(await measureBeside());
  }
  await bursts.stop();
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

/** Creates people in the space. Returns a body that creates a conversation of them. */
async function crowdOf(databaseUrl, spaceId) {
  const db = new pg.Client({ connectionString: databaseUrl });
  await db.connect();
  const { rows } = await db.query(
    `INSERT INTO users (id, space_id, display_name, role, token_hash)
     SELECT gen_random_uuid(), $1, 'person ' || n, 'member', sha256(gen_random_uuid()::text::bytea)
     FROM generate_series(1, $2::int) n RETURNING id`,
    [spaceId, MEMBERS],
  );
  await db.end();
  return JSON.stringify({ type: 'channel', name: 'crowd', member_ids: rows.map(({ id }) => id) });
}
