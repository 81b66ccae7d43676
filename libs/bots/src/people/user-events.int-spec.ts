import type { SeededBot } from '../testing/bots-fixture.js';
import { EventsHarness } from '../testing/events-harness.js';

const TYPES = ['USER_CREATED', 'USER_UPDATED'];
let harness: EventsHarness;

beforeAll(async () => {
  harness = await EventsHarness.start();
});
beforeEach(async () => {
  await harness.admin('PATCH', '/space', { bots_see_emails: true });
});
afterAll(() => harness?.close());

const create = async (fields: object = {}): Promise<string> => {
  const { status, body } = await harness.admin('POST', '/users', { display_name: 'Ann', ...fields });
  expect(status).toBe(201);
  return body.user.id;
};
const update = async (id: string, changes: object): Promise<void> =>
  expect((await harness.admin('PATCH', `/users/${id}`, changes)).status).toBe(200);
const limit = (bot: SeededBot, scopes: string[]): Promise<unknown> =>
  harness.api.db.query('UPDATE bots SET scopes = $2 WHERE id = $1', [bot.id, scopes]);
const payloads = async (bot: SeededBot): Promise<any[]> =>
  (await harness.queue(bot)).map(({ payload_json: text }) => JSON.parse(text));

test('bots that select the types learn of new people and of changes', async () => {
  const bot = await harness.bot({ event_types: TYPES });
  const id = await create({ email: 'ann@x.test' });
  await update(id, { display_name: 'Anne', role: 'admin' });
  await update(id, { is_active: false });
  const user = { id, display_name: 'Ann', role: 'member', is_active: true, email: 'ann@x.test' };
  const occurred_at = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]{12}Z$/);
  const anne = { ...user, display_name: 'Anne', role: 'admin' };
  expect(await payloads(bot)).toEqual([
    { event_type: 'USER_CREATED', user_id: id, user, occurred_at },
    {
      ...{ event_type: 'USER_UPDATED', user_id: id, user: anne, occurred_at },
      changes: ['display_name', 'role'],
    },
    {
      ...{ event_type: 'USER_UPDATED', user_id: id, user: { ...anne, is_active: false }, occurred_at },
      changes: ['is_active'],
    },
  ]);
});

test('people who change their own name cause an event, their quiet hours do not', async () => {
  const ann = await harness.space.person('member', 'Ann');
  const bot = await harness.bot({ event_types: ['USER_UPDATED'] });
  const patch = (body: object) => harness.api.call('PATCH', '/api/v1/client/me', { token: ann.token, body });
  await patch({ dnd_until: '2030-01-01T00:00:00Z' });
  await patch({ display_name: 'Anne' });
  expect(await payloads(bot)).toMatchObject([{ user_id: ann.id, changes: ['display_name'] }]);
});

test('the event is pushed in an envelope of the space', async () => {
  const bot = await harness.pushedBot({ event_types: ['USER_CREATED'] });
  const id = await create();
  await harness.sent(bot);
  const [{ data, ...envelope }, ...more] = bot.receiver.requests.map(({ body }) =>
    JSON.parse(body.toString()),
  );
  expect(more).toEqual([]);
  expect(envelope).toEqual({
    event_id: expect.any(String),
    event_type: 'USER_CREATED',
    space_id: harness.space.spaceId,
    conversation_id: '',
    thread_id: '',
    actor_user_id: harness.owner.id,
    occurred_at: data.occurred_at.replace('Z', '000000Z'),
    schema_version: 1,
  });
  expect(data.user_id).toBe(id);
});

test('a bot without users:read learns nothing, one without users:read.email no addresses', async () => {
  const blind = await harness.bot({ event_types: TYPES });
  await limit(blind, ['events']);
  const shy = await harness.bot({ event_types: TYPES, channel_ids: [] });
  await limit(shy, ['events', 'users:read']);
  const id = await create({ email: 'ann@x.test' });
  await update(id, { email: 'anne@x.test' });
  await update(id, { email: 'annie@x.test', role: 'guest' });
  const seen = await payloads(shy);
  expect(seen).toMatchObject([{ event_type: 'USER_CREATED' }, { changes: ['role'] }]);
  for (const { user } of seen) expect(user).not.toHaveProperty('email');
  expect(await payloads(blind)).toEqual([]);
});

test('the space decides whether bots see addresses', async () => {
  await harness.admin('PATCH', '/space', { bots_see_emails: false });
  const bot = await harness.bot({ event_types: TYPES });
  const id = await create({ email: 'ann@x.test' });
  await update(id, { email: 'anne@x.test' });
  const seen = await payloads(bot);
  expect(seen.map(({ event_type: type }) => type)).toEqual(['USER_CREATED']);
  expect(seen[0].user).not.toHaveProperty('email');
});

test('neither other spaces nor bots without the types learn of it', async () => {
  const other = await harness.otherSpace();
  const bots = [await harness.bot(), await other.bot({ event_types: TYPES })];
  await create();
  await harness.planned();
  expect(await payloads(bots[0] as SeededBot)).toEqual([]);
  expect(await other.queue(bots[1] as SeededBot)).toEqual([]);
});
