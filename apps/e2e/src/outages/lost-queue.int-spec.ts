import { eventually, RedisServer } from '@tieline/testing';
import { call, expectOk, createWorkspace, subscribe, textsOf, Tieline } from '../tieline.js';
import type { Workspace } from '../tieline.js';

let tieline: Tieline | undefined;
let redis: RedisServer | undefined;

afterEach(async () => {
  await tieline?.close();
  await redis?.stop();
  tieline = redis = undefined;
});

const RETRY = { DELIVERY_BACKOFF_INITIAL_MS: '2000', DELIVERY_BACKOFF_MAX_MS: '4000' };

/**
 * Posts until stopped, like a patient client that retries after 503. @returns the accepted posts
 */
function traffic(
  api: { url: string },
  workspace: Workspace,
): { stop: () => Promise<string[]>; slowest: () => number } {
  const accepted: string[] = [];
  let stopped = false;
  let slowest = 0;
  const run = (async () => {
    for (let n = 0; !stopped; n += 1) {
      const begun = Date.now();
      const response = await call(api, 'POST', '/api/v1/bot/messages', workspace.botToken, {
        conversation_id: workspace.channels[0],
        content: `event ${n}`,
      });
      slowest = Math.max(slowest, Date.now() - begun);
      if (response.status === 200) accepted.push(`event ${n}`);
      else if (response.status !== 503) throw new Error(`unexpected answer ${response.status}`);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  })();
  // A failed test stops the api while posting; report the original error.
  run.catch(() => undefined);
  return {
    stop: async () => {
      stopped = true;
      await run;
      return accepted;
    },
    slowest: () => slowest,
  };
}

/** Returns the unavailable parts of a process, which must still be ready. */
async function partsAway(api: { url: string }): Promise<string[]> {
  const { status, body } = await call(api, 'GET', '/health/ready', '');
  expect(status).toBe(200);
  return Object.keys(body.info)
    .filter((name) => body.info[name].status === 'degraded')
    .sort();
}

const personPosts = async (api: { url: string }, { ownerToken, channels }: Workspace): Promise<number> =>
  (
    await call(api, 'POST', `/api/v1/client/conversations/${channels[0]}/messages`, ownerToken, {
      text: 'a person goes on',
    })
  ).status;

/** Creates an incoming webhook. @returns the path of its address */
async function incomingWebhook(api: { url: string }, workspace: Workspace): Promise<string> {
  const { url } = await expectOk(
    call(api, 'POST', '/api/v1/admin/incoming_webhooks', workspace.ownerToken, {
      name: 'alerts',
      conversation_id: workspace.channels[0],
      require_signature: false,
    }),
  );
  return new URL(url).pathname;
}

if (process.env.REDIS_URL) {
  test('stopping Redis for 30 s and flushing it during traffic loses no accepted event, and nothing hangs', async () => {
    redis = await RedisServer.start();
    tieline = await Tieline.create({ REDIS_URL: redis.url, ...RETRY });
    const [api] = await Promise.all([tieline.start('api'), tieline.start('worker')]);
    const receiver = await tieline.receiver();
    // Retries are in progress when the outage starts.
    receiver.respond(() => (Math.random() < 0.3 ? 500 : 200));
    const workspace = await createWorkspace(api);
    await subscribe(api, workspace, receiver.url);
    const alerts = await incomingWebhook(api, workspace);
    const posting = traffic(api, workspace);
    await receiver.waitFor(20);
    await redis.stop();
    await eventually(async () => expect(await partsAway(api)).toEqual(['bus', 'queue', 'rate-limiter']));
    expect(await personPosts(api, workspace)).toBe(200);
    expect((await call(api, 'POST', alerts, '', { text: 'alert' })).status).toBe(200);
    const during = await call(api, 'POST', '/api/v1/bot/messages', workspace.botToken, {
      conversation_id: workspace.channels[0],
      content: 'x',
    });
    expect(during.status).toBe(503);
    await new Promise((resolve) => setTimeout(resolve, 30_000));
    await redis.resume();
    const before = receiver.requests.length;
    await eventually(() => expect(receiver.requests.length).toBeGreaterThan(before + 10), {
      timeoutMs: 60_000,
    });
    await redis.flush();
    await eventually(() => expect(receiver.requests.length).toBeGreaterThan(before + 40), {
      timeoutMs: 60_000,
    });
    const accepted = await posting.stop();
    await eventually(() => expect(accepted.filter((text) => !textsOf(receiver).has(text))).toEqual([]), {
      timeoutMs: 60_000,
      everyMs: 250,
    });
    // A post that waits for Redis would take the 30 s of the outage.
    expect(posting.slowest()).toBeLessThan(20_000);
  });
} else {
  test('cutting all Postgres connections during traffic loses no accepted event, and nothing hangs', async () => {
    tieline = await Tieline.create(RETRY);
    const [api] = await Promise.all([tieline.start('api'), tieline.start('worker')]);
    const receiver = await tieline.receiver();
    receiver.respond(() => (Math.random() < 0.3 ? 500 : 200));
    const workspace = await createWorkspace(api);
    await subscribe(api, workspace, receiver.url);
    const accepted: string[] = [];
    for (let n = 0, cuts = 0; accepted.length < 120; n += 1) {
      if (accepted.length === 20 + 40 * cuts) {
        cuts += 1;
        await tieline.sql
          .query(
            'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
          )
          .catch(() => undefined);
      }
      const response = await call(api, 'POST', '/api/v1/bot/messages', workspace.botToken, {
        conversation_id: workspace.channels[0],
        content: `event ${n}`,
      });
      if (response.status === 200) accepted.push(`event ${n}`);
      else expect(response.status).toBe(503);
    }
    await eventually(() => expect(accepted.filter((text) => !textsOf(receiver).has(text))).toEqual([]), {
      timeoutMs: 60_000,
      everyMs: 250,
    });
  });
}
