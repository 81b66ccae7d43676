import { readRows } from '@tieline/testing';
import { SlashHarness } from '../../testing/index.js';

let harness: SlashHarness;
afterEach(() => harness?.close());

test('20 commands waiting for a bot hold no connection, so a pool of two still serves other requests', async () => {
  harness = await SlashHarness.start({ DATABASE_POOL_MAX: '2' });
  let release: () => void = () => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  harness.receiver.respond(async () => {
    await held;
    return { status: 200, body: { response_type: 'in_channel', text: 'at last' } };
  });
  const command = await harness.command();
  const channel = await harness.channel();
  const waiting = Array.from({ length: 20 }, () => harness.invoke(channel, `/${command.name}`));
  await harness.receiver.waitFor(20, 60_000);
  expect(harness.receiver.inFlight).toBe(20);
  for (let n = 0; n < 20; n += 1) expect(await harness.messages(channel)).toEqual([]);
  const [row] = await readRows<{ n: number }>(
    harness.api.db,
    `SELECT count(*) AS n FROM pg_stat_activity WHERE datname = current_database() AND state LIKE 'idle in transaction%'`,
  );
  expect(row?.n).toBe(0);
  release();
  const answers = await Promise.all(waiting);
  expect(new Set(answers.map(({ body }) => body.result))).toEqual(new Set(['in_channel']));
  expect(await harness.messages(channel)).toHaveLength(20);
});
