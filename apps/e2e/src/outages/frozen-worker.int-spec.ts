import { eventually } from '@tieline/testing';
import type { AppProcess } from '@tieline/testing';
import { leaderOf, createWorkspace, post, subscribe, textsOf, Tieline } from '../tieline.js';

let tieline: Tieline;
beforeEach(async () => {
  tieline = await Tieline.create({
    DELIVERY_BACKOFF_INITIAL_MS: '100',
    DELIVERY_BACKOFF_MAX_MS: '1000',
    // Leases expire 20 seconds later than attempts, so this test ends before.
    DELIVERY_TIMEOUT_MS: '120000',
  });
});
afterEach(() => tieline?.close());

interface Delivery {
  id: string;
  status: string;
  finished_at: Date | null;
}

const deliveries = async (): Promise<Delivery[]> =>
  (await tieline.sql.query<Delivery>('SELECT id, status, finished_at FROM deliveries ORDER BY id')).rows;

test('a standby replaces a frozen leader and takes its deliveries, and the resumed one does no harm', async () => {
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
  try {
    for (let n = 0; n < 20; n += 1) await post(api, workspace, `frozen ${n}`);
    // After about six seconds of silence the server ends the sessions of the frozen process.
    await eventually(() => expect(textsOf(receiver).size).toBe(40), { timeoutMs: 60_000 });
    await eventually(
      async () => expect((await deliveries()).map(({ status }) => status)).toEqual(all('success', 40)),
      { timeoutMs: 60_000 },
    );
  } finally {
    process.kill(leader.pid, 'SIGCONT');
  }

  const settled = await deliveries();
  await followsAgain(leader);
  for (let n = 0; n < 20; n += 1) await post(api, workspace, `thawed ${n}`);
  await eventually(() => expect(textsOf(receiver).size).toBe(60), { timeoutMs: 60_000 });
  await eventually(async () =>
    expect((await tieline.sql.query('SELECT 1 FROM delivery_queue')).rowCount).toBe(0),
  );
  const ended = await deliveries();
  expect(ended).toHaveLength(60);
  expect(ended.slice(0, 40)).toEqual(settled);
});

const all = (status: string, n: number): string[] => Array.from({ length: n }, () => status);

/** Resolves when the resumed worker has noticed that it no longer leads. */
async function followsAgain(worker: AppProcess): Promise<void> {
  await eventually(async () => expect(await leaderOf([worker]).catch(() => undefined)).toBeUndefined(), {
    timeoutMs: 60_000,
  });
}
