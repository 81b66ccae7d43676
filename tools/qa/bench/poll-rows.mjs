// (p) Event polling: what a page costs, whatever the length of the queue that it is read from.
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { Pool } from 'undici';
import { median, quantile } from './load.mjs';
import { startScript } from '../product.mjs';
import { createWorkspace } from '../world.mjs';

const PAGE = 50;
const SHORT = 1000;
const LONG = 1_000_000;
/** Below what autovacuum takes for a change worth new statistics (a tenth of the partition). */
const GROWN = 80_000;
const CALLERS = 4;
/**
 * The queue's records are spread evenly over this many hours, so usually over two daily partitions.
 */
const HOURS = 20;
/** As long as the payload of a message of some 200 characters in a public channel. */
const PAYLOAD = JSON.stringify({
  message_id: randomUUID(),
  conversation_id: randomUUID(),
  author_id: randomUUID(),
  text: 'a message of the bench '.repeat(9),
  msg_index: 4711,
  sent_at: '2026-01-31T09:00:00.123456000Z',
  conversation_context: {
    conversation_id: randomUUID(),
    type: 'channel',
    scope: 'public',
    is_direct: false,
    is_public: true,
  },
});

/**
 * Pages of 50 at random places of a queue of 1,000,000 records, beside pages of a queue of 1,000 in
 * the same table, and beside bare Fastify with one SELECT. A third queue grew after the statistics
 * were made, so that the planner takes it for nearly empty: its plan must not depend on that. Every
 * page is checked for its first and last record.
 */
export async function polling(product, { rounds, seconds }) {
  product.env.RATE_POLL_PER_SECOND = '1000000';
  const floor = await startScript('tools/qa/bench/floor-poll.mjs', [String(SHORT), PAYLOAD], {
    DATABASE_URL: product.postgres.url,
  });
  const api = await product.start('api');
  try {
    const { long, short, grown } = await fill(product, api);
    const bare = {
      origin: `http://127.0.0.1:${floor.info.port}`,
      path: '/events',
      token: 'none',
      id: (n) => String(n),
      size: SHORT,
    };
    return rowsOf(await inTurns({ bare, short, long, grown }, { rounds, seconds }));
  } finally {
    await api.stop();
    await floor.stop();
  }
}

/** A first round warms up and is not counted. */
async function inTurns(queues, { rounds, seconds }) {
  const runs = { bare: [], short: [], long: [], grown: [] };
  for (let round = -1; round < rounds; round += 1) {
    for (const [name, queue] of Object.entries(queues)) {
      const run = await readPages(queue, seconds);
      if (round >= 0) runs[name].push(run);
    }
  }
  return runs;
}

function rowsOf({ bare, short, long, grown }) {
  const show = (runs) =>
    `p50 ${median(runs.map((run) => run.p50)).toFixed(2)} ms, ${Math.round(median(runs.map((run) => run.perSecond)))}/s`;
  const ratio = (some, others) => median(some.map((run, n) => run.p50 / others[n].p50));
  return [
    {
      row: `page of ${PAGE} of a queue of ${LONG} records`,
      ours: show(long),
      floor: `of one of ${SHORT}: ${show(short)}`,
      ratio: ratio(long, short),
      target: '<= 1.5',
    },
    {
      row: `the same of ${GROWN} records that the planner does not know of`,
      ours: show(grown),
      floor: `of ${SHORT}: ${show(short)}`,
      ratio: ratio(grown, short),
      target: '<= 1.5',
    },
    {
      row: `page of ${PAGE} of a queue of ${SHORT} records`,
      ours: show(short),
      floor: `bare SELECT: ${show(bare)}`,
      ratio: ratio(short, bare),
      target: '',
    },
  ];
}

/**
 * Bots with queues of these lengths. A worker makes the partitions first, as it does everywhere.
 */
async function fill(product, api) {
  await (await product.start('worker')).stop();
  const db = new pg.Client({ connectionString: product.postgres.url });
  await db.connect();
  const [long, short] = [await fillOne(db, api, LONG), await fillOne(db, api, SHORT)];
  // The partitions only: nothing looks after the statistics of the table as a whole in production
  // either.
  const { rows } = await db.query(
    "SELECT inhrelid::regclass::text AS name FROM pg_inherits WHERE inhparent = 'poll_records'::regclass",
  );
  for (const { name } of rows) await db.query(`VACUUM ANALYZE ${name}`);
  const grown = await fillOne(db, api, GROWN);
  await db.query('CHECKPOINT');
  await db.end();
  return { long, short, grown };
}

async function fillOne(db, api, size) {
  const { spaceId, botId, token } = await createWorkspace(api.url, 0);
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const patched = await fetch(`${api.url}/api/v1/bot/me`, {
    method: 'PATCH',
    headers,
    body: JSON.stringify({ event_delivery_mode: 'poll' }),
  });
  if (!patched.ok) throw new Error(`the mode was refused with ${patched.status}`);
  const span = BigInt(HOURS * 3_600_000) * 1_000_000n;
  const [base, step] = [BigInt(Date.now()) * 1_000_000n - span, span / BigInt(size)];
  await db.query(
    `INSERT INTO poll_records (space_id, bot_id, id, event_id, event_type, payload)
     SELECT $1, $2, $3::bigint + n * $4::bigint, gen_random_uuid(), 'MESSAGE_CREATED', $5 FROM generate_series(1, $6::bigint) n`,
    [spaceId, botId, String(base), String(step), PAYLOAD, size],
  );
  return {
    origin: api.url,
    path: '/api/v1/bot/events',
    token,
    id: (n) => String(base + BigInt(n) * step),
    size,
  };
}

/**
 * Closed loop: callers that read their next page, somewhere else, when they have the last one.
 * Every tenth page is the queue's first.
 */
async function readPages({ origin, path, token, id, size }, seconds) {
  const pool = new Pool(origin, { connections: CALLERS, pipelining: 1 });
  const latencies = [];
  let n = 0;
  const begun = performance.now();
  const end = begun + seconds * 1000;
  const caller = async () => {
    while (performance.now() < end) {
      const at = n++ % 10 === 0 ? 0 : Math.floor(Math.random() * (size - PAGE));
      const sent = performance.now();
      const { statusCode, body } = await pool.request({
        path: `${path}?cursor=${id(at)}&limit=${PAGE}`,
        method: 'GET',
        headers: { authorization: `Bearer ${token}` },
      });
      const answer = await body.text();
      latencies.push(performance.now() - sent);
      check(statusCode, answer, id(at + 1), id(at + PAGE));
    }
  };
  await Promise.all(Array.from({ length: CALLERS }, caller));
  const perSecond = latencies.length / ((performance.now() - begun) / 1000);
  await pool.close();
  return { perSecond, p50: quantile(latencies, 0.5) };
}

function check(status, answer, first, last) {
  if (status !== 200) throw new Error(`a page was answered with ${status}: ${answer}`);
  const { events, next_cursor: next } = JSON.parse(answer);
  if (events.length !== PAGE || events[0].id !== first || next !== last)
    throw new Error(
      `not the page from ${first} to ${last}: ${events.length} events from ${events[0]?.id} to ${next}`,
    );
}
