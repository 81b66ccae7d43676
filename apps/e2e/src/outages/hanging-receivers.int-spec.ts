import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from '@tieline/sdk/client';
import { eventually, startThreadReceiver } from '@tieline/testing';
import type { AppProcess, Receiver, ThreadReceiver } from '@tieline/testing';
import { eventsOf, firstAttempts, createWorkspace, subscribe, Tieline } from '../tieline.js';
import type { Workspace } from '../tieline.js';

let tieline: Tieline;
/** In another thread, because pauses of this one, which posts, would look like late deliveries. */
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
 * Limits on unanswered posts and on events not yet delivered to healthy receivers. On a machine
 * that cannot keep up both would grow without end.
 */
const OPEN = 64;

/** Time limit for posting, so that the test also ends on a machine that cannot keep up. */
const POSTING_MS = 25_000;
const DRAINED_MS = 60_000;
const PROBE_EVERY_MS = 25;

/** Results of one window of posts. */
interface Window {
  posted: number;
  msPerPost: number;
  /**
   * p99 of a PostgreSQL query and of a request to a receiver of this process, without the product.
   * Shows how busy the machine was.
   */
  probeMs: number;
}

/** If a PostgreSQL query takes this long, processes stand still and the api may refuse requests. */
const STARVED_MS = 1_000;

/** Posts like bots: refused posts are retried with the same key. */
class Poster {
  /** Number of attempts without a successful response. */
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
    const response = await fetch(...request);
    if (response.ok) this.refused -= 1;
    return response;
  }
}

/** Posts at a steady rate, or as fast as responses and healthy deliveries allow. */
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
 * From the beginning, more deliveries wait for hanging receivers than a worker's lane has places.
 * The steady rate alone would leave enough places for the others.
 */
const BACKLOG = 600;

/** Posts to these channels as fast as responses arrive. */
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
 * Probes start at fixed times, regardless of earlier ones, so that a pause affects as many probes
 * as posts.
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
 * Returns the maximum number of deliveries that a worker held for one of these subscriptions:
 * attempts in progress and results not yet stored.
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

/** Returns the p99 from commit to receiver of the deliveries after the first `skipped`. */
function p99(receiver: ThreadReceiver, skipped = 0): number {
  const requests = firstAttempts(receiver);
  const occurred = eventsOf({ requests }).map((event) => Date.parse(event.occurred_at));
  return quantile(requests.map((request, n) => request.at - (occurred[n] ?? 0)).slice(skipped));
}

const quantile = (values: number[]): number =>
  values.sort((a, b) => a - b)[Math.floor(values.length * 0.99)] ?? Infinity;

test('with 10 % hanging receivers the healthy ones get everything as fast as before: p99 under 1 s at 200 events per second', async () => {
  const [api] = await Promise.all([tieline.start('api'), tieline.start('worker')]);
  const workspace = await createWorkspace(api, { channels: 20 });
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
  // Both windows follow a backlog, so that they differ only in the hanging receivers.
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
  // Independent of load: 16 places each, and as many results being stored.
  expect(await held).toBeLessThanOrEqual(32);
  const isStarved = Math.max(quiet.probeMs, hanging.probeMs) > STARVED_MS;
  expect(isStarved ? 0 : poster.refused).toBe(0);
  // Other programs may use more of the machine than before. The probes, which no hanging receiver
  // affects, show how much.
  const busier = Math.max(1, hanging.probeMs / quiet.probeMs);
  expect(hanging.msPerPost).toBeLessThan(2 * busier * quiet.msPerPost);
  await eventually(() => expect(firstAttempts(healthy)).toHaveLength(toHealthy + healthyOf(hanging.posted)), {
    timeoutMs: DRAINED_MS,
  });
  expect(await tieline.unexplainedAttempts(healthy)).toEqual([]);
  expect(firstAttempts(others).length).toBeGreaterThan(toOthers);
  // Only a machine that needs more than half a second without hanging receivers gets more than one
  // second.
  expect(p99(healthy, toHealthy)).toBeLessThan(Math.max(1000, 2 * busier * floor));
});
