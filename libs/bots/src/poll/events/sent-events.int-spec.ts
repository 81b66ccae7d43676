import { uuidv7 } from 'uuidv7';
import type { TestAnswer, TestApi } from '@tieline/spaces/testing';
import { BotsFixture, startBotsApi } from '../../testing/index.js';
import type { SeededBot } from '../../testing/index.js';
import { idFloor } from '../poll-ids.js';

let api: TestApi;
let fixture: BotsFixture;
let bot: SeededBot;
beforeAll(async () => {
  api = await startBotsApi();
  fixture = await BotsFixture.of(api);
});
afterAll(() => api?.close());
beforeEach(async () => {
  bot = await fixture.bot({ event_delivery_mode: 'poll' });
});

const list = (query = ''): Promise<TestAnswer> => fixture.admin('GET', `/bots/${bot.id}/events${query}`);
const minutesAgo = (minutes: number): string => idFloor(new Date(Date.now() - minutes * 60_000));
const keys = () => [fixture.space.spaceId, bot.id];

/**
 * Inserts records that were queued this many minutes ago.
 * @returns their ids
 */
async function queued(...minutes: number[]): Promise<string[]> {
  const ids = minutes.map(minutesAgo);
  for (const id of ids)
    await api.db.query(
      `INSERT INTO poll_records (space_id, bot_id, id, event_id, event_type, payload) VALUES ($1, $2, $3, $4, 'MESSAGE_CREATED', '{"text":"hi"}')`,
      [...keys(), id, uuidv7()],
    );
  return ids;
}

test('the events queued for a polling bot within the last hour, newest first, in pages', async () => {
  const [, second, third, fourth] = await queued(61, 50, 20, 1);
  const { status, body } = await list();
  expect([status, body.next_cursor]).toEqual([200, '']);
  expect(body.events).toEqual(
    [fourth, third, second].map((id) => ({
      id,
      event_id: expect.any(String),
      event_type: 'MESSAGE_CREATED',
      payload_json: '{"text":"hi"}',
      created_at: expect.stringMatching(/Z$/),
      is_taken: false,
    })),
  );
  const page = (await list('?limit=2')).body;
  expect(page.next_cursor).toBe(third);
  expect((await list(`?limit=2&cursor=${third}`)).body).toMatchObject({
    events: [{ id: second }],
    next_cursor: '',
  });
  for (const cursor of ['x', '-1', '9223372036854775808', '99999999999999999999'])
    expect([cursor, (await list(`?cursor=${cursor}`)).status]).toEqual([cursor, 400]);
});

test('is_taken is true for events that the bot has polled beyond or acknowledged over a socket', async () => {
  const [polled, , sent] = await queued(40, 30, 20, 10);
  const taken = async () => (await list()).body.events.map((event: any) => event.is_taken);
  await api.db.query('INSERT INTO poll_positions VALUES ($1, $2, $3)', [...keys(), polled]);
  expect(await taken()).toEqual([false, false, false, true]);
  await api.db.query('INSERT INTO socket_queues (space_id, bot_id, taken_to) VALUES ($1, $2, $3)', [
    ...keys(),
    sent,
  ]);
  await api.db.query(
    `INSERT INTO socket_envelopes (space_id, bot_id, record_id, is_urgent, state) VALUES ($1, $2, $3, false, 'ready')`,
    [...keys(), sent],
  );
  expect(await taken()).toEqual([false, false, true, true]);
});

test('a bot of another space gets 404', async () => {
  const other = await BotsFixture.of(api);
  expect((await other.admin('GET', `/bots/${bot.id}/events`)).status).toBe(404);
});
