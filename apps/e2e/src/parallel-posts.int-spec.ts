import { eventually } from '@tieline/testing';
import type { AppProcess } from '@tieline/testing';
import { eventsOf, firstAttempts, createWorkspace, post, subscribe, Tieline } from './tieline.js';

let tieline: Tieline;
let apis: [AppProcess, AppProcess];

beforeAll(async () => {
  tieline = await Tieline.create();
  apis = await Promise.all([tieline.start('api'), tieline.start('api')]);
});
afterAll(() => tieline?.close());

test('50 concurrent posts in one conversation through two apis get msg_index 1..50 in commit order', async () => {
  const workspace = await createWorkspace(apis[0]);
  await Promise.all(
    Array.from({ length: 50 }, (_, n) => post(apis[n % 2 === 0 ? 0 : 1], workspace, `post ${n}`)),
  );
  const messages = await tieline.sql.query<{ id: string; msg_index: string }>(
    'SELECT id, msg_index FROM messages ORDER BY msg_index',
  );
  expect(messages.rows.map((row) => Number(row.msg_index))).toEqual(
    Array.from({ length: 50 }, (_, n) => n + 1),
  );
  // No worker has run yet, so the outbox shows the commit order.
  const outbox = await tieline.sql.query<{ payload: string }>(
    "SELECT payload FROM outbox WHERE type = 'MESSAGE_CREATED' ORDER BY id",
  );
  const order = outbox.rows.map(
    (row) => (JSON.parse(row.payload) as { posted: { msgIndex: number } }).posted.msgIndex,
  );
  expect(order).toEqual(Array.from({ length: 50 }, (_, n) => n + 1));
});

const ALL_ARRIVED = Array.from({ length: 300 }, () => ({ status: 'success' }));

test('with 12 writers, two apis and two workers every event arrives once', async () => {
  const [one, two] = apis;
  await Promise.all([tieline.start('worker'), tieline.start('worker')]);
  const receiver = await tieline.receiver();
  const workspace = await createWorkspace(one, { channels: 5 });
  const subscriptions = await Promise.all(
    workspace.channels.map((channel) => subscribe(one, workspace, receiver.url, { channel_ids: [channel] })),
  );
  expect(subscriptions).toHaveLength(5);
  await Promise.all(
    Array.from({ length: 12 }, async (_, writer) => {
      for (let n = 0; n < 25; n += 1)
        await post(
          writer % 2 === 0 ? one : two,
          workspace,
          `writer ${writer}, ${n}`,
          workspace.channels[(writer + n) % 5],
        );
    }),
  );
  await eventually(
    async () => expect((await tieline.sql.query('SELECT status FROM deliveries')).rows).toEqual(ALL_ARRIVED),
    { timeoutMs: 60_000 },
  );
  expect(await tieline.unexplainedAttempts(receiver)).toEqual([]);
  const events = eventsOf({ requests: firstAttempts(receiver) }).map(({ data }) => data);
  expect(events).toHaveLength(300);
  for (const channel of workspace.channels) {
    const indexes = events.filter((data) => data.conversation_id === channel).map((data) => data.msg_index);
    expect(indexes.sort((a, b) => a - b)).toEqual(Array.from({ length: indexes.length }, (_, n) => n + 1));
  }
});
