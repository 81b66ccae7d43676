// (e) Open event streams: what one costs, and how long it takes until all of them have got a
// message.
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { median } from './load.mjs';
import { cpuMs, residentMb, startScript } from '../product.mjs';
import { createWorkspace } from '../world.mjs';

/** Files that a process opens besides its streams. */
const OTHER_FILES = 500;
const SETTLE_MS = 3000;
const IDLE_MS = 5000;

/**
 * One api process with `streams` DM streams, each of a different bot, beside bare Fastify with as
 * many. A fan-out is one message to every bot, written into the inboxes in one transaction as the
 * relay does it; it is timed from the commit to the last reader. The floor writes one frame to all.
 */
export async function streams(product, { rounds, streams: wanted }) {
  const count = Math.min(wanted, (await openFilesLimit()) - OTHER_FILES);
  if (count < wanted)
    console.log(
      `A process may open ${count + OTHER_FILES} files (ulimit -n): ${count} streams instead of ${wanted}.`,
    );
  const api = await product.start('api');
  const { spaceId, owner } = await createWorkspace(api.url, 0);
  const db = new pg.Pool({ connectionString: product.postgres.url, max: 2 });
  const bots = await insertBots(db, { spaceId, count });
  const floor = await startScript('tools/qa/bench/floor-streams.mjs', [], {});
  const [readers, floorReaders] = [await startReaders(), await startReaders()];
  const ours = await openStreams({
    readers,
    url: api.url,
    path: '/api/v1/bot/stream',
    tokens: bots.map(({ token }) => token),
    pid: api.child.pid,
  });
  const theirs = await openStreams({
    readers: floorReaders,
    url: `http://127.0.0.1:${floor.info.port}`,
    path: '/stream',
    tokens: bots.map(() => owner),
    pid: floor.child.pid,
  });
  const idle = await idleCpu(api.child.pid);
  const announce = await announcer(product);
  const times = [];
  for (let round = -1; round < rounds; round += 1) {
    const our = await timeFanOut(readers, count, () =>
      fanOut(db, { spaceId, bots, announce: announce.announce, text: `round ${round}: ${'x'.repeat(100)}` }),
    );
    const their = await timeFanOut(floorReaders, count, () => floorFanOut(floor.info.port));
    if (round >= 0) times.push({ our, their });
  }
  await announce.close();
  await db.end();
  for (const part of [readers, floorReaders, floor, api]) await part.stop();
  return rowsOf({ count, ours, theirs, idle, times });
}

function rowsOf({ count, ours, theirs, idle, times }) {
  const per = ({ grownMb }) => (grownMb * 1024) / count;
  const ms = (name) => median(times.map((time) => time[name]));
  return [
    {
      row: `memory of one of ${count} open DM streams (growth of RSS)`,
      ours: `${per(ours).toFixed(1)} KB, idle CPU ${idle.toFixed(0)} % of a core`,
      floor: `${per(theirs).toFixed(1)} KB`,
      ratio: per(ours) / per(theirs),
      target: '',
    },
    {
      row: `opening ${count} streams`,
      ours: `${(count / ours.seconds).toFixed(0)}/s`,
      floor: `${(count / theirs.seconds).toFixed(0)}/s`,
      ratio: theirs.seconds / ours.seconds,
      target: '',
    },
    {
      row: `a message to each of ${count} streams, commit to the last reader`,
      ours: `${ms('our').toFixed(0)} ms (each bot a different message, read from its inbox)`,
      floor: `${ms('their').toFixed(0)} ms (one frame for all, from memory)`,
      ratio: ms('their') / ms('our'),
      target: '',
    },
  ];
}

/** Node raises the soft limit to the hard one by itself. */
async function openFilesLimit() {
  const limits = await readFile('/proc/self/limits', 'utf8').catch(() => '');
  return Number(/Max open files\s+\S+\s+(\d+)/.exec(limits)?.[1] ?? Infinity);
}

/**
 * Bots with a direct conversation each, written straight into the database: their making is
 * measured elsewhere.
 */
async function insertBots(db, { spaceId, count }) {
  const person = randomUUID();
  const bots = Array.from({ length: count }, () => ({
    id: randomUUID(),
    token: `tlb_${randomBytes(32).toString('base64url')}`,
    conversation: randomUUID(),
  }));
  const [ids, conversations] = [bots.map(({ id }) => id), bots.map(({ conversation }) => conversation)];
  const hashes = bots.map(({ token }) => createHash('sha256').update(token).digest());
  await db.query(
    `INSERT INTO bots (space_id, id, display_name, webhook_secret, token_hash) SELECT $1, id, 'bench', '', hash FROM unnest($2::uuid[], $3::bytea[]) AS t(id, hash)`,
    [spaceId, ids, hashes],
  );
  await db.query(
    `INSERT INTO conversations (space_id, id, type, scope, dm_key, created_by, bot_ids)
     SELECT $1, id, 'chat', 'dm', least(bot, $4::uuid) || ':' || greatest(bot, $4::uuid), $4, ARRAY[bot] FROM unnest($2::uuid[], $3::uuid[]) AS t(id, bot)`,
    [spaceId, conversations, ids, person],
  );
  await db.query('ANALYZE bots, conversations');
  return bots.map((bot) => ({ ...bot, person }));
}

async function startReaders() {
  const script = await startScript('tools/qa/bench/stream-readers.mjs', [], {});
  const ask = async (path, body) => {
    const response = await fetch(`http://127.0.0.1:${script.info.port}${path}`, {
      method: 'POST',
      body: body && JSON.stringify(body),
    });
    const answer = /** @type {any} */ (await response.json());
    if (!response.ok) throw new Error(answer.error);
    return answer;
  };
  return { ask, stop: script.stop };
}

async function openStreams({ readers, url, path, tokens, pid }) {
  const before = await residentMb(pid);
  const begun = performance.now();
  await readers.ask('/open', { url, path, tokens });
  const seconds = (performance.now() - begun) / 1000;
  await sleep(SETTLE_MS);
  return { seconds, grownMb: (await residentMb(pid)) - before };
}

/**
 * Share of one core that the process takes while nothing happens but keep-alive and the watch over
 * tokens, in percent.
 */
async function idleCpu(pid) {
  const before = await cpuMs(pid);
  await sleep(IDLE_MS);
  return (((await cpuMs(pid)) - before) / IDLE_MS) * 100;
}

/** Tells the api process what the relay would tell it, over the same bus. */
async function announcer({ env }) {
  const { LiveBus, PostgresTransport, RedisTransport } = await import('@tieline/live');
  // A computed address: types are checked before there is a build.
  const built = new URL('../../../libs/bots/dist/dm-stream/announce-dms.js', import.meta.url);
  const { announceDms } = await import(built.href);
  const bus = new LiveBus(
    env.REDIS_URL ? new RedisTransport(env.REDIS_URL) : new PostgresTransport(env.DATABASE_URL),
  );
  await bus.start();
  return { announce: (entries) => announceDms(bus, entries), close: () => bus.close() };
}

async function timeFanOut(readers, count, work) {
  await readers.ask('/reset');
  const begun = await work();
  for (let tries = 0; ; tries += 1) {
    const { events, last } = await readers.ask('/stats');
    if (events > count) throw new Error(`${events} events came to ${count} streams`);
    if (events === count) return last - begun;
    if (tries > 1000) throw new Error(`only ${events} of ${count} streams got their message`);
    await sleep(20);
  }
}

const now = () => performance.timeOrigin + performance.now();

/** @returns the moment of the commit */
async function fanOut(db, { spaceId, bots, announce, text }) {
  const messages = bots.map(() => randomUUID());
  const [ids, conversations] = [bots.map(({ id }) => id), bots.map(({ conversation }) => conversation)];
  await db.query(
    `WITH t AS (SELECT * FROM unnest($2::uuid[], $3::uuid[], $4::uuid[]) AS t(bot, conversation, message)), posted AS (
       UPDATE conversations c SET last_msg_index = last_msg_index + 1 FROM t WHERE c.space_id = $1 AND c.id = t.conversation RETURNING c.id, c.last_msg_index
     ), inserted AS (
       INSERT INTO messages (space_id, id, conversation_id, msg_index, author_id, author_type, text, sent_at)
       SELECT $1, t.message, t.conversation, p.last_msg_index, $5, 'user', $6, now() FROM t JOIN posted p ON p.id = t.conversation
     )
     INSERT INTO dm_inbox (space_id, bot_id, conversation_id, message_id, event_id) SELECT $1, bot, conversation, message, gen_random_uuid() FROM t`,
    [spaceId, ids, conversations, messages, bots[0].person, text],
  );
  const committed = now();
  announce(ids.map((botId) => ({ botId })));
  return committed;
}

async function floorFanOut(port) {
  const event = {
    event: 'message.new',
    message_id: randomUUID(),
    conversation_id: randomUUID(),
    author_id: randomUUID(),
    text: 'x'.repeat(110),
    msg_index: 1,
    sent_at: '2026-01-31T09:00:00.123456000Z',
    conversation_context: {
      conversation_id: randomUUID(),
      type: 'chat',
      scope: 'dm',
      is_direct: true,
      is_public: false,
    },
  };
  const begun = now();
  await fetch(`http://127.0.0.1:${port}/fanout`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(event),
  });
  return begun;
}
