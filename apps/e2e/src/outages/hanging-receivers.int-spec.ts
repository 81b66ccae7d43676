import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from '@tieline/sdk/client';
import { eventually, startThreadReceiver } from '@tieline/testing';
import type { AppProcess, Receiver, ThreadReceiver } from '@tieline/testing';
import { eventsOf, firstAttempts, makeWorkspace, subscribe, Tieline } from '../tieline.js';
import type { Workspace } from '../tieline.js';

let tieline: Tieline;
/** Not in this thread: it posts, and each of its pauses would be taken for a late delivery. */
let healthy: ThreadReceiver;
let others: ThreadReceiver;

beforeAll(async () => {
  tieline = await Tieline.create();
  [healthy, others] = await Promise.all([startThreadReceiver(), startThreadReceiver()]);
});
afterAll(async () => {
  await Promise.all([healthy?.close(), others?.close()]);
  await tieline?.close();
});

const PER_SECOND = 200;
const EVENTS = 2000;

/**
 * So many posts may be without an answer, and so many events not yet with the healthy receivers: on
 * a machine that can't carry the rate both would grow without end.
 */
const OPEN = 64;

/**
 * What is posted within this time is enough: on a machine that can't carry the rate the test must
 * end as well.
 */
const POSTING_MS = 25_000;
const DRAINED_MS = 60_000;
const PROBE_EVERY_MS = 25;

/** How one window of posts went. */
interface Window {
  posted: number;
  msPerPost: number;
  /**
   * p99 of a look at PostgreSQL and a request to a receiver of this process, without the product:
   * how busy the machine was meanwhile.
   */
  probeMs: number;
}

/** Where a look at PostgreSQL takes as long, programs stand still, and the api may refuse. */
const STARVED_MS = 1_000;

/** Posts as bots do: what is refused is posted again, under the same key. */
class Poster {
  /** Tries that were not answered with a success. */
  refused = 0;
  private readonly bot: Client;

  constructor(api: AppProcess, { botToken: token }: Workspace) {
    this.bot = new Client({
      url: api.url,
      token,
      timeoutMs: 60_000,
      fetch: (...request) => this.try(...request),
    });
  }

  async post(content: string, channel: string): Promise<void> {
    await this.bot.messages.send({ conversation_id: channel, content });
  }

  private async try(...request: Parameters<typeof fetch>): Promise<Response> {
    this.refused += 1;
    const answer = await fetch(...request);
    if (answer.ok) this.refused -= 1;
    return answer;
  }
}

/** Posts at a steady rate, or as fast as posts are answered and healthy receivers reached. */
async function postSteadily(poster: Poster, workspace: Workspace, probe: Receiver): Promise<Window> {
  const [begun, before] = [Date.now(), healthy.requests.length];
  let posted = 0;
  const underWay = (): number => healthyOf(posted) - (healthy.requests.length - before);
  const mayPost = (): boolean => posted < EVENTS && Date.now() < begun + POSTING_MS;
  const postNext = async (): Promise<void> => {
    while (mayPost()) {
      const n = posted;
      posted += 1;
      const early = begun + (n * 1000) / PER_SECOND - Date.now();
      if (early > 0) await sleep(early);
      await eventually(() => underWay() < 2 * OPEN, { timeoutMs: 60_000, everyMs: 10 });
      await poster.post(`event ${n}`, workspace.channels[n % 20]!);
    }
  };
  let isPosting = true;
  const probes = probeWhile(() => isPosting, probe);
  await Promise.all(Array.from({ length: OPEN }, postNext)).finally(() => (isPosting = false));
  return { posted, msPerPost: (Date.now() - begun) / posted, probeMs: quantile(await probes) };
}

/**
 * More than all places of a worker's lane wait for receivers that hang, from the beginning: the
 * rate alone would leave the others places enough, whoever may take them.
 */
const BACKLOG = 600;

/** Posts to these channels, as fast as posts are answered. */
async function postBacklog(poster: Poster, channels: string[]): Promise<void> {
  let posted = 0;
  const postNext = async (): Promise<void> => {
    while (posted < BACKLOG) {
      posted += 1;
      await poster.post(`backlog ${posted}`, channels[posted % channels.length]!);
    }
  };
  await Promise.all(Array.from({ length: OPEN }, postNext));
}

/** Every tenth is for a receiver that may hang. */
const healthyOf = (events: number): number => events - Math.floor(events / 10);

/**
 * Probes begin by the clock, whatever became of those before: a second in which all stands still is
 * seen by as many of them as of posts.
 */
async function probeWhile(isOn: () => boolean, receiver: Receiver): Promise<number[]> {
  const probeOnce = async (): Promise<number> => {
    const begun = performance.now();
    await tieline.sql.query('SELECT 1');
    await fetch(receiver.url, { method: 'POST', body: '{}' });
    return performance.now() - begun;
  };
  const probes: Promise<number>[] = [];
  for (; isOn(); await sleep(PROBE_EVERY_MS)) probes.push(probeOnce());
  return Promise.all(probes);
}

/**
 * The most deliveries that a worker held at once for one of these subscriptions: attempts under
 * way, and results not yet written.
 */
async function mostHeld(isOn: () => boolean, subscriptions: string[]): Promise<number> {
  let most = 0;
  for (; isOn(); await sleep(PROBE_EVERY_MS)) {
    const { rows } = await tieline.sql.query<{ held: number }>(
      'SELECT count(*)::int AS held FROM delivery_queue WHERE lease_until > now() AND target_id = ANY($1) GROUP BY target_id',
      [subscriptions],
    );
    most = Math.max(most, ...rows.map(({ held }) => held));
  }
  return most;
}

/** From the commit to the receiver, of those deliveries that came after the first `skipped`. */
function p99(receiver: ThreadReceiver, skipped = 0): number {
  const requests = firstAttempts(receiver);
  const occurred = eventsOf({ requests }).map((event) => Date.parse(event.occurred_at));
  return quantile(requests.map((request, n) => request.at - (occurred[n] ?? 0)).slice(skipped));
}

const quantile = (values: number[]): number =>
  values.sort((a, b) => a - b)[Math.floor(values.length * 0.99)] ?? Infinity;

test('with 10 % of the receivers hanging, the healthy ones get everything, and as fast as without: p99 under 1 s at 200 events per second', async () => {
  const [api] = await Promise.all([tieline.start('api'), tieline.start('worker')]);
  const workspace = await makeWorkspace(api, { channels: 20 });
  const probe = await tieline.receiver();
  const mayHang = workspace.channels.filter((_, n) => n % 10 === 9);
  const slow: string[] = [];
  for (const channel of workspace.channels) {
    const hangs = mayHang.includes(channel);
    const { url } = hangs ? others : healthy;
    const { id } = await subscribe(api, workspace, url, { channel_ids: [channel] });
    if (hangs) slow.push(id);
  }
  const poster = new Poster(api, workspace);
  // Both windows are posted after a backlog, so that they differ by what hangs and by nothing else.
  await postBacklog(poster, mayHang);
  const quiet = await postSteadily(poster, workspace, probe);
  const toHealthy = healthyOf(quiet.posted);
  const toOthers = BACKLOG + quiet.posted - toHealthy;
  await eventually(
    () =>
      expect([firstAttempts(healthy).length, firstAttempts(others).length]).toEqual([toHealthy, toOthers]),
    { timeoutMs: DRAINED_MS },
  );
  const floor = p99(healthy);

  await others.respond('hang');
  let isHanging = true;
  const held = mostHeld(() => isHanging, slow);
  await postBacklog(poster, mayHang);
  const hanging = await postSteadily(poster, workspace, probe).finally(() => (isHanging = false));
  // Whatever the machine has to do: 16 places each, and as many results on their way into the
  // database.
  expect(await held).toBeLessThanOrEqual(32);
  const isStarved = Math.max(quiet.probeMs, hanging.probeMs) > STARVED_MS;
  expect(isStarved ? 0 : poster.refused).toBe(0);
  // Other programs may use more of the machine than they did before; the probes, which no receiver
  // hangs for, tell how much.
  const busier = Math.max(1, hanging.probeMs / quiet.probeMs);
  expect(hanging.msPerPost).toBeLessThan(2 * busier * quiet.msPerPost);
  await eventually(() => expect(firstAttempts(healthy)).toHaveLength(toHealthy + healthyOf(hanging.posted)), {
    timeoutMs: DRAINED_MS,
  });
  expect(await tieline.unexplainedAttempts(healthy)).toEqual([]);
  expect(firstAttempts(others).length).toBeGreaterThan(toOthers);
  // Only a machine that needs more than half a second with no receiver hanging is given more than
  // one.
  expect(p99(healthy, toHealthy)).toBeLessThan(Math.max(1000, 2 * busier * floor));
});
