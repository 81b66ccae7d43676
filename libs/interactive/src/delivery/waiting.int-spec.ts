import { slackMs } from '@tieline/testing';
import { BUTTON, InteractiveRig } from '../testing/index.js';

let rig: InteractiveRig;
afterEach(() => rig?.close());

test('20 clicks that wait for a bot hold no connection: with a pool of two everything else answers', async () => {
  rig = await InteractiveRig.start({
    DATABASE_POOL_MAX: '2',
    CALLBACK_TIMEOUT_MS: String(5000 + 10 * slackMs),
  });
  let release: () => void = () => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  rig.receiver.respond(async () => {
    await held;
    return { status: 200, body: { send_message: { text: 'at last' } } };
  });
  const bot = await rig.calledBack();
  const messages = [];
  for (let n = 0; n < 20; n += 1) messages.push(await rig.message(bot, { elements: [BUTTON] }));
  const waiting = messages.map(({ id }) => rig.click(id));
  await rig.receiver.waitFor(20, 10_000 + 5 * slackMs);
  expect(rig.receiver.inFlight).toBe(20);
  const begun = Date.now();
  for (const { channel } of messages) {
    expect(
      await rig.api.call('GET', `/api/v1/channels/${channel}/messages`, { token: rig.person.token }),
    ).toMatchObject({ status: 200, body: { messages: [{}] } });
  }
  expect(Date.now() - begun).toBeLessThan(2000 + slackMs);
  expect(
    await rig.api.db.query(
      `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND state LIKE 'idle in transaction%'`,
    ),
  ).toEqual([]);
  release();
  expect((await Promise.all(waiting)).map(({ body }) => body.result)).toEqual(
    Array.from({ length: 20 }, () => 'send_message'),
  );
});
