import { eventually, slackMs } from '@tieline/testing';
import type { AppProcess } from '@tieline/testing';
import { leaderOf, createWorkspace, post, subscribe, textsOf, Tieline } from '../tieline.js';
import type { Workspace } from '../tieline.js';

let tieline: Tieline;
beforeEach(async () => {
  tieline = await Tieline.create({ DELIVERY_BACKOFF_INITIAL_MS: '100', DELIVERY_BACKOFF_MAX_MS: '1000' });
});
afterEach(() => tieline?.close());

interface Delivery {
  id: string;
  status: string;
  finished_at: Date | null;
}

const deliveries = async (): Promise<Delivery[]> =>
  (await tieline.sql.query<Delivery>('SELECT id, status, finished_at FROM deliveries ORDER BY id')).rows;

test('a standby replaces a frozen leader within 10 seconds, and the resumed one does no harm', async () => {
  const api = await tieline.start('api');
  const workers = [await tieline.start('worker'), await tieline.start('worker')];
  const receiver = await tieline.receiver();
  // Slow, so that attempts are in progress when the leader is frozen.
  receiver.respond(async () => {
    await new Promise((resolve) => setTimeout(resolve, 300));
    return 200;
  });
  const workspace = await createWorkspace(api);
  await subscribe(api, workspace, receiver.url);
  for (let n = 0; n < 20; n += 1) await post(api, workspace, `before ${n}`);
  await receiver.waitFor(1);
  const leader = await leaderOf(workers);

  process.kill(leader.pid, 'SIGSTOP');
  const frozen = Date.now();
  try {
    for (let n = 0; n < 20; n += 1) await post(api, workspace, `frozen ${n}`);
    await eventually(() => expect(textsOf(receiver).size).toBe(40), { timeoutMs: 20_000 });
    expect(Date.now() - frozen).toBeLessThan(10_000 + slackMs);
    await eventually(
      async () => expect((await deliveries()).map(({ status }) => status)).toEqual(all('success', 40)),
      {
        timeoutMs: 20_000,
      },
    );
  } finally {
    process.kill(leader.pid, 'SIGCONT');
  }

  const settled = await deliveries();
  await followsAgain(leader);
  for (let n = 0; n < 20; n += 1) await post(api, workspace, `thawed ${n}`);
  await eventually(() => expect(textsOf(receiver).size).toBe(60), { timeoutMs: 10_000 });
  await eventually(async () =>
    expect((await tieline.sql.query('SELECT 1 FROM delivery_queue')).rowCount).toBe(0),
  );
  const ended = await deliveries();
  expect(ended).toHaveLength(60);
  expect(ended.slice(0, 40)).toEqual(settled);
});

test('with one frozen shard leader other shards continue, its shard is taken over within 10 seconds, and after resuming it takes its share again', async () => {
  const api = await tieline.start('api');
  const startWorker = (): Promise<AppProcess> => tieline.start('worker', { RELAY_SHARDS: '2' });
  const workers = [await startWorker(), await startWorker()];
  const [frozen] = workers as [AppProcess, AppProcess];
  const receiver = await tieline.receiver();
  const shared = async (): Promise<void> =>
    eventually(async () => expect(await Promise.all(workers.map(slotsOf))).toEqual([8, 8]), {
      timeoutMs: 10_000,
    });
  const halves = await workspacesOfBothShards(api, receiver.url);
  await shared();
  process.kill(frozen.pid, 'SIGSTOP');
  const begun = Date.now();
  const arrived = async (text: string): Promise<number> =>
    (await receiver.waitFor((request) => request.body.includes(text), 20_000)).at - begun;
  try {
    for (const workspace of halves) await post(api, workspace, `to ${workspace.spaceId}`);
    const times = await Promise.all(halves.map(({ spaceId }) => arrived(`to ${spaceId}`)));
    const [first] = await plannedAt();
    expect((first as number) - begun).toBeLessThan(3000);
    // Redis may have woken the frozen worker; the other one polls every few seconds.
    expect(Math.max(...times)).toBeLessThan(10_000 + slackMs);
  } finally {
    process.kill(frozen.pid, 'SIGCONT');
  }
  await shared();
  for (const workspace of halves) await post(api, workspace, `thawed ${workspace.spaceId}`);
  for (const { spaceId } of halves) await arrived(`thawed ${spaceId}`);
  expect(receiver.requests).toHaveLength(4);
});

/** Returns the times at which deliveries were planned, in order, in epoch milliseconds. */
async function plannedAt(): Promise<number[]> {
  const { rows } = await tieline.sql.query<{ at: Date }>(
    'SELECT created_at AS at FROM deliveries ORDER BY created_at',
  );
  return rows.map(({ at }) => at.getTime());
}

/** Returns how many of the 16 slots of spaces a worker relays. */
async function slotsOf(worker: AppProcess): Promise<number> {
  const metrics = await fetch(`${worker.url}/metrics`).then((response) => response.text());
  return Number(/^tieline_outbox_relay_slots(?:\{[^}]*\})? (\d+)$/m.exec(metrics)?.[1]);
}

/**
 * Creates a workspace with a subscription in each of two shards. The shard depends on a bit of the
 * space's id.
 */
async function workspacesOfBothShards(api: AppProcess, url: string): Promise<Workspace[]> {
  const found = new Map<boolean, Workspace>();
  while (found.size < 2) {
    const workspace = await createWorkspace(api);
    found.set(Number.parseInt(workspace.spaceId.slice(-1), 16) < 8, workspace);
  }
  const halves = [...found.values()];
  for (const workspace of halves) await subscribe(api, workspace, url);
  return halves;
}

const all = (status: string, n: number): string[] => Array.from({ length: n }, () => status);

/** Resolves when the resumed worker has noticed that it no longer leads. */
async function followsAgain(worker: AppProcess): Promise<void> {
  await eventually(async () => expect(await leaderOf([worker]).catch(() => undefined)).toBeUndefined(), {
    timeoutMs: 10_000,
  });
}
