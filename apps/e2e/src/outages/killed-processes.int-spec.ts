import { eventually, failing } from '@tieline/testing';
import type { AppProcess, ReceivedRequest } from '@tieline/testing';
import { call, leaderOf, createWorkspace, post, subscribe, textsOf, Tieline } from '../tieline.js';

let tieline: Tieline;
let api: AppProcess;
/** Runs at the end of each test, whatever the test killed. */
let worker: AppProcess;
const FAST_RETRIES = {
  DELIVERY_BACKOFF_INITIAL_MS: '100',
  DELIVERY_BACKOFF_MAX_MS: '1000',
  // Leases expire 20 seconds later than attempts, so later than any test waits.
  DELIVERY_TIMEOUT_MS: '120000',
};

beforeAll(async () => {
  tieline = await Tieline.create(FAST_RETRIES);
  api = await tieline.start('api');
});
afterAll(() => tieline?.close());

test('after kill -9 of the worker during 1,000 deliveries to a flaky receiver all arrive, none after its dead letter, and the log is complete', async () => {
  const receiver = await tieline.receiver();
  receiver.respond(failsAtRandom());
  const workspace = await createWorkspace(api, { channels: 10 });
  for (const channel of workspace.channels)
    await subscribe(api, workspace, receiver.url, { channel_ids: [channel] });
  await Promise.all(
    workspace.channels.map(async (channel, c) => {
      for (let n = 0; n < 100; n += 1) await post(api, workspace, `${c}/${n}`, channel);
    }),
  );
  worker = await tieline.start('worker');
  for (const enough of [150, 400, 650]) {
    await eventually(() => expect(receiver.requests.length).toBeGreaterThan(enough), { timeoutMs: 60_000 });
    await worker.kill('SIGKILL');
    worker = await tieline.start('worker');
  }
  await eventually(
    async () => expect((await tieline.sql.query('SELECT 1 FROM delivery_queue')).rowCount).toBe(0),
    { timeoutMs: 60_000, everyMs: 200 },
  );
  expect(textsOf(receiver).size).toBe(1000);
  const rows = await tieline.sql.query<{
    id: string;
    status: string;
    attempts: number;
    error: string | null;
    logged: string;
    answers: (string | null)[];
    finished_at: Date;
    last: Date;
  }>(
    `SELECT d.id, d.status, d.attempts, d.error, count(a.*) AS logged, d.finished_at, max(a.at) AS last,
       array_agg(coalesce(a.status_code::text, a.error) ORDER BY a.at) AS answers
     FROM deliveries d LEFT JOIN delivery_attempts a ON a.delivery_id = d.id GROUP BY d.id, d.status, d.attempts, d.error, d.finished_at`,
  );
  expect(rows.rows).toHaveLength(1000);
  expect(rows.rows.filter(({ status }) => status !== 'success')).toEqual([]);
  for (const row of rows.rows) {
    expect(Number(row.logged)).toBeGreaterThanOrEqual(row.attempts);
    expect(row.last.getTime()).toBeLessThanOrEqual(row.finished_at.getTime());
  }
});

/**
 * Refuses one request in five, but no delivery more than five times. Otherwise one of 1,000
 * deliveries would be refused eight times in every 400th run and correctly become a dead letter.
 */
function failsAtRandom(): (request: ReceivedRequest) => number {
  const refusals = new Map<string, number>();
  return ({ headers }) => {
    const id = String(headers['webhook-id']);
    const before = refusals.get(id) ?? 0;
    if (before === 5 || Math.random() >= 0.2) return 200;
    refusals.set(id, before + 1);
    return 503;
  };
}

test('after a dead letter nothing more is sent, even if the worker is killed in between', async () => {
  const receiver = await tieline.receiver();
  receiver.respond(404);
  const workspace = await createWorkspace(api);
  await subscribe(api, workspace, receiver.url);
  for (let n = 0; n < 5; n += 1) await post(api, workspace, `dead ${n}`);
  await eventually(async () =>
    expect((await tieline.sql.query("SELECT 1 FROM deliveries WHERE status = 'dead'")).rowCount).toBe(5),
  );
  await worker.kill('SIGKILL');
  worker = await tieline.start('worker');
  await post(api, workspace, 'one more');
  await receiver.waitFor((request) => request.body.includes('one more'));
  expect(receiver.requests).toHaveLength(6);
});

test('after kill -9 of the worker right after it planned and leased a delivery, the delivery arrives', async () => {
  const receiver = await tieline.receiver();
  const workspace = await createWorkspace(api);
  const { id } = await subscribe(api, workspace, receiver.url);
  for (const text of ['leased 1', 'leased 2', 'leased 3']) {
    receiver.respond('hang');
    await post(api, workspace, text);
    await eventually(
      async () => {
        const leased = 'SELECT 1 FROM delivery_queue WHERE target_id = $1 AND lease IS NOT NULL';
        expect((await tieline.sql.query(leased, [id])).rowCount).toBe(1);
      },
      { everyMs: 1 },
    );
    await worker.kill('SIGKILL');
    receiver.respond(200);
    worker = await tieline.start('worker');
    const isSent =
      "SELECT status, attempts FROM deliveries WHERE target_id = $1 AND status <> 'pending' ORDER BY id DESC";
    await eventually(
      async () => {
        const { rows } = await tieline.sql.query(isSent, [id]);
        expect(rows).toEqual(
          Array.from({ length: Number(text.at(-1)) }, () => ({ status: 'success', attempts: 1 })),
        );
      },
      { timeoutMs: 60_000 },
    );
  }
  expect(textsOf(receiver)).toEqual(new Set(['leased 1', 'leased 2', 'leased 3']));
});

test('a standby replaces a killed relay leader', async () => {
  const workers = [worker, await tieline.start('worker')];
  const receiver = await tieline.receiver();
  const workspace = await createWorkspace(api);
  await subscribe(api, workspace, receiver.url);
  await post(api, workspace, 'before');
  await receiver.waitFor(1);
  const leader = await leaderOf(workers);
  worker = workers.find((one) => one !== leader) as AppProcess;
  await leader.kill('SIGKILL');
  await post(api, workspace, 'after');
  await receiver.waitFor((one) => one.body.includes('after'));
});

test('a receiver that fails and recovers gets everything, and the log shows each attempt', async () => {
  const receiver = await tieline.receiver();
  receiver.respond(failing(3, 500));
  const workspace = await createWorkspace(api);
  const { id } = await subscribe(api, workspace, receiver.url);
  await post(api, workspace, 'again');
  await receiver.waitFor(4);
  const list = async (): Promise<{ delivery_id: string; status: string; attempts: number }[]> =>
    (await call(api, 'GET', `/api/v1/admin/outgoing_webhooks/${id}/deliveries`, workspace.ownerToken)).body
      .deliveries;
  await eventually(async () => expect(await list()).toMatchObject([{ status: 'success', attempts: 4 }]));
  const [delivery] = await list();
  const { body } = await call(
    api,
    'GET',
    `/api/v1/admin/deliveries/${delivery?.delivery_id}`,
    workspace.ownerToken,
  );
  expect(body.delivery.attempt_log.map((attempt: { status_code: number }) => attempt.status_code)).toEqual([
    500, 500, 500, 200,
  ]);
});

test('after kill -9 of the api between commit and response the event is still delivered', async () => {
  const receiver = await tieline.receiver();
  const workspace = await createWorkspace(api);
  await subscribe(api, workspace, receiver.url);
  // The row is committed when another connection sees it. The api is stopped before it can respond
  // or notify.
  const sent = post(api, workspace, 'committed, never answered').catch(() => 'no answer');
  const frozen = killOnCommit();
  const [outcome] = await Promise.all([sent, frozen]);
  await receiver.waitFor((request) => request.body.includes('committed, never answered'));
  expect(['no answer', expect.any(String)]).toContainEqual(outcome);
});

/** Kills the api when the message becomes visible to others. */
async function killOnCommit(): Promise<void> {
  await eventually(
    async () => {
      const { rowCount } = await tieline.sql.query(
        "SELECT 1 FROM messages WHERE text = 'committed, never answered'",
      );
      return (rowCount ?? 0) > 0;
    },
    { everyMs: 1 },
  );
  await api.kill('SIGKILL');
}
