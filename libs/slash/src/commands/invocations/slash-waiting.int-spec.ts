import { readRows, slackMs } from '@tieline/testing';
import { SlashRig } from '../../testing/index.js';

let rig: SlashRig;
afterEach(() => rig?.close());

test('20 commands that wait for a bot hold no connection: with a pool of two everything else answers', async () => {
  rig = await SlashRig.start({ DATABASE_POOL_MAX: '2', CALLBACK_TIMEOUT_MS: String(5000 + 10 * slackMs) });
  let release: () => void = () => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  rig.receiver.respond(async () => {
    await held;
    return { status: 200, body: { response_type: 'in_channel', text: 'at last' } };
  });
  const command = await rig.command();
  const channel = await rig.channel();
  const waiting = Array.from({ length: 20 }, () => rig.invoke(channel, `/${command.name}`));
  await rig.receiver.waitFor(20, 10_000 + 5 * slackMs);
  expect(rig.receiver.inFlight).toBe(20);
  const begun = Date.now();
  for (let n = 0; n < 20; n += 1) expect(await rig.messages(channel)).toEqual([]);
  expect(Date.now() - begun).toBeLessThan(2000 + slackMs);
  const [row] = await readRows<{ n: number }>(
    rig.api.db,
    `SELECT count(*) AS n FROM pg_stat_activity WHERE datname = current_database() AND state LIKE 'idle in transaction%'`,
  );
  expect(row?.n).toBe(0);
  release();
  const answers = await Promise.all(waiting);
  expect(new Set(answers.map(({ body }) => body.result))).toEqual(new Set(['in_channel']));
  expect(await rig.messages(channel)).toHaveLength(20);
});
