import { withinOneWindow } from '@tieline/rate-limit/testing';
import type { TestAnswer, TestApi } from '@tieline/spaces/testing';
import { ChatSpace, startChatApi } from '../testing/chat-api.js';

const PER_MINUTE = 5;
const PER_SECOND = 2;

let api: TestApi;
let scene: ChatSpace;
beforeAll(async () => {
  api = await startChatApi({
    RATE_OTHER_WRITES_PER_MINUTE: String(PER_MINUTE),
    RATE_USER_WRITES_PER_SECOND: String(PER_SECOND),
  });
});
afterAll(() => api?.close());
beforeEach(async () => {
  scene = await ChatSpace.on(api);
});

const count = (answers: TestAnswer[], status: number): number =>
  answers.filter((answer) => answer.status === status).length;
const times = (length: number, call: () => Promise<TestAnswer>): Promise<TestAnswer[]> =>
  Promise.all(Array.from({ length }, call));

test.each<[string, string, string, () => object]>([
  ['new conversations', 'POST', '/conversations', () => ({ type: 'channel', name: 'new' })],
  ['their own settings', 'PATCH', '/me', () => ({ display_name: 'New name' })],
])('writes of a person to %s are charged: %s %s', async (_, method, path, body) => {
  const person = await scene.space.person('member');
  const answers = await times(PER_MINUTE + 3, () => scene.as(person, method, path, body()));
  expect([count(answers, 200), count(answers, 429)]).toEqual([PER_MINUTE, 3]);
  expect(answers.find(({ status }) => status === 429)?.headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
});

test('joining, muting, direct chats and settings share one rate', async () => {
  const [person, other] = [await scene.space.person('member'), await scene.space.person('member')];
  const member = { id: person.id, type: 'user' } as const;
  const channel = await scene.chat.conversation({ members: [member] });
  const as = (method: string, path: string, body?: object) => scene.as(person, method, path, body);
  const writes = [
    () => as('POST', `/conversations/${channel}/join`),
    () => as('PUT', `/conversations/${channel}/mute`, { muted: true }),
    () => as('POST', '/dm', { user_id: other.id }),
    () => as('PATCH', '/me', { display_name: 'New' }),
    () => as('PUT', `/conversations/${channel}/mute`, { muted: false }),
    () => as('POST', `/conversations/${channel}/leave`),
  ];
  const statuses: number[] = [];
  for (const write of writes) statuses.push((await write()).status);
  expect(statuses).toEqual([200, 200, 200, 200, 200, 429]);
});

test('writes of an admin are charged', async () => {
  const create = (n: number) =>
    api.call('POST', '/api/v1/admin/users', {
      token: scene.space.owner.token,
      body: { display_name: `Person ${n}` },
    });
  const answers = await Promise.all(Array.from({ length: PER_MINUTE + 2 }, (_, n) => create(n)));
  expect(count(answers, 429)).toBeGreaterThanOrEqual(2);
});

test('invalid bodies are not charged, but get 429 beyond ten times the rate', async () => {
  const person = await scene.space.person('member');
  const refused = await times(10 * PER_MINUTE + 4, () => scene.as(person, 'POST', '/conversations', {}));
  expect([count(refused, 400), count(refused, 429)]).toEqual([10 * PER_MINUTE, 4]);
  const good = await times(PER_MINUTE, () =>
    scene.as(person, 'POST', '/conversations', { type: 'channel', name: 'new' }),
  );
  expect(count(good, 200)).toBe(PER_MINUTE);
});

test('on a route with its own rate, invalid bodies get 429 beyond ten times that rate', async () => {
  const answers = await withinOneWindow(api, async () => {
    const person = await scene.space.person('member');
    const channel = await scene.chat.conversation({ members: [{ id: person.id, type: 'user' }] });
    return times(10 * PER_SECOND + 4, () =>
      scene.as(person, 'POST', `/conversations/${channel}/messages`, { text: '' }),
    );
  });
  expect([count(answers, 400), count(answers, 429)]).toEqual([10 * PER_SECOND, 4]);
});

test('on a route with its own rate, a refusal counts once', async () => {
  const answers = await withinOneWindow(api, async () => {
    const person = await scene.space.person('member');
    const closed = await scene.chat.conversation({ members: [] });
    return times(10 * PER_SECOND + 4, () =>
      scene.as(person, 'POST', `/conversations/${closed}/messages`, { text: 'hello' }),
    );
  });
  expect([count(answers, 403), count(answers, 429)]).toEqual([10 * PER_SECOND, 4]);
});
