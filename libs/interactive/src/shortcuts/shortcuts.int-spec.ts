import { BotsFixture, startBotsApi } from '@tieline/bots/testing';
import type { SeededBot } from '@tieline/bots/testing';
import type { TestAnswer, TestApi } from '@tieline/spaces/testing';
import { readRows } from '@tieline/testing';
import { InteractiveAdminModule, InteractiveModule } from '../interactive.module.js';
import { SuppliedClicks } from '../testing/index.js';

let api: TestApi;
let fixture: BotsFixture;
let bot: SeededBot;

beforeAll(async () => {
  api = await startBotsApi({}, [SuppliedClicks.of(), InteractiveModule, InteractiveAdminModule]);
  fixture = await BotsFixture.of(api);
});
beforeEach(async () => {
  bot = await fixture.bot();
});
afterAll(() => api?.close());

const NEW = { callback_id: 'new', name: 'New ticket', type: 'global' };
const FILE = { callback_id: 'file', name: 'File ticket', description: 'As a ticket', type: 'message' };
const own = (method: string, shortcuts?: unknown): Promise<TestAnswer> =>
  api.call(method, '/api/v1/bot/shortcuts', {
    token: bot.token,
    ...(shortcuts !== undefined && { body: { shortcuts } }),
  });
const admin = (method: string, body?: object): Promise<TestAnswer> =>
  fixture.admin(method, `/bots/${bot.id}/shortcuts`, body);
const entries = async (): Promise<any[]> =>
  (await fixture.admin('GET', '/audit_log')).body.entries.filter(
    ({ action, object_id: id }: any) => action === 'bot.shortcuts_changed' && id === bot.id,
  );

test('a bot replaces its shortcuts, and one that stays keeps its id', async () => {
  const first = await own('PUT', [NEW, FILE]);
  const id = expect.any(String);
  expect([first.status, first.body]).toEqual([
    200,
    {
      ok: true,
      shortcuts: [
        { id, ...FILE },
        { id, description: '', ...NEW },
      ],
    },
  ]);
  const kept = first.body.shortcuts[1];
  const renamed = { ...NEW, name: 'Ask', description: null };
  expect((await own('PUT', [renamed])).body.shortcuts).toEqual([{ ...kept, name: 'Ask' }]);
  expect((await own('GET')).body.shortcuts).toEqual([{ ...kept, name: 'Ask' }]);
  expect((await own('PUT', [])).body.shortcuts).toEqual([]);
});

test('an admin does the same, and only changes are recorded', async () => {
  await own('PUT', [NEW]);
  await own('PUT', [NEW]);
  expect((await admin('GET')).body.shortcuts).toMatchObject([NEW]);
  expect((await admin('PUT', { shortcuts: [FILE] })).body.shortcuts).toMatchObject([FILE]);
  expect(await entries()).toMatchObject([
    { actor_type: 'user', changes: { shortcuts: { from: [{ callback_id: 'new' }], to: [FILE] } } },
    { actor_type: 'bot', changes: { shortcuts: { from: [], to: [{ callback_id: 'new' }] } } },
  ]);
});

test.each([
  ['no list', undefined, 'shortcuts'],
  ['26 shortcuts', Array.from({ length: 26 }, (_, n) => ({ ...NEW, callback_id: `n${n}` })), 'shortcuts'],
  ['a repeated callback id', [NEW, NEW], 'shortcuts[1].callback_id'],
  ['an empty callback id', [{ ...NEW, callback_id: '' }], 'shortcuts[0].callback_id'],
  ['a long callback id', [{ ...NEW, callback_id: 'x'.repeat(256) }], 'shortcuts[0].callback_id'],
  ['a long name', [{ ...NEW, name: 'x'.repeat(25) }], 'shortcuts[0].name'],
  ['a name of two lines', [{ ...NEW, name: 'a\nb' }], 'shortcuts[0].name'],
  ['a long description', [{ ...NEW, description: 'x'.repeat(151) }], 'shortcuts[0].description'],
  ['another type', [{ ...NEW, type: 'menu' }], 'shortcuts[0].type'],
])('%s is refused and changes nothing', async (_name, shortcuts, field) => {
  await own('PUT', [FILE]);
  const { status, body } = await own('PUT', shortcuts ?? null);
  expect([status, body.field]).toEqual([400, field]);
  expect((await own('GET')).body.shortcuts).toMatchObject([FILE]);
});

test('concurrent changes never exceed the limit', async () => {
  const lists = [1, 2].map((list) =>
    Array.from({ length: 25 }, (_, n) => ({ ...NEW, callback_id: `${list}-${n}` })),
  );
  await Promise.all(lists.map((list) => own('PUT', list)));
  expect((await own('GET')).body.shortcuts).toHaveLength(25);
});

test('shortcuts end with their bot', async () => {
  await own('PUT', [NEW]);
  await fixture.admin('DELETE', `/bots/${bot.id}`);
  expect((await admin('PUT', { shortcuts: [NEW] })).status).toBe(404);
  expect(await readRows(api.db, 'SELECT 1 FROM shortcuts WHERE bot_id = $1', [bot.id])).toEqual([]);
});
