import { BUTTON, InteractiveHarness } from '../testing/index.js';

let harness: InteractiveHarness;
afterEach(() => harness?.close());

test('20 clicks waiting for a bot hold no connection, so a pool of two still serves other requests', async () => {
  harness = await InteractiveHarness.start({ DATABASE_POOL_MAX: '2' });
  let release: () => void = () => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  harness.receiver.respond(async () => {
    await held;
    return { status: 200, body: { send_message: { text: 'at last' } } };
  });
  const bot = await harness.calledBack();
  const messages = [];
  for (let n = 0; n < 20; n += 1) messages.push(await harness.message(bot, { elements: [BUTTON] }));
  const waiting = messages.map(({ id }) => harness.click(id));
  await harness.receiver.waitFor(20, 60_000);
  expect(harness.receiver.inFlight).toBe(20);
  for (const { channel } of messages) {
    expect(
      await harness.api.call('GET', `/api/v1/channels/${channel}/messages`, { token: harness.person.token }),
    ).toMatchObject({ status: 200, body: { messages: [{}] } });
  }
  expect(
    await harness.api.db.query(
      `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND state LIKE 'idle in transaction%'`,
    ),
  ).toEqual([]);
  release();
  expect((await Promise.all(waiting)).map(({ body }) => body.result)).toEqual(
    Array.from({ length: 20 }, () => 'send_message'),
  );
});
