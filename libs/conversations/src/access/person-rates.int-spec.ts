import { RateLimiter } from '@tieline/rate-limit';
import type { SeededPerson, TestAnswer, TestApi } from '@tieline/spaces/testing';
import { withinOneWindow } from '@tieline/rate-limit/testing';
import { ChatSpace, startChatApi, UNKNOWN } from '../testing/chat-api.js';

const PER_SECOND = 5;

let api: TestApi;
let scene: ChatSpace;
beforeAll(async () => {
  api = await startChatApi({ RATE_USER_WRITES_PER_SECOND: String(PER_SECOND) });
});
afterAll(() => api?.close());
beforeEach(async () => {
  scene = await ChatSpace.on(api);
});

const statuses = (answers: TestAnswer[]): number[] => answers.map(({ status }) => status).sort();
const times = (count: number, call: () => Promise<TestAnswer>): Promise<TestAnswer[]> =>
  Promise.all(Array.from({ length: count }, call));

interface PersonWithMessage {
  person: SeededPerson;
  channel: string;
  messageId: string;
  post(): Promise<TestAnswer>;
}

/** Creates a person with a message in their own channel. These writes are not charged. */
async function newPerson(): Promise<PersonWithMessage> {
  const person = await scene.space.person('member');
  const author = { id: person.id, type: 'user' } as const;
  const channel = await scene.chat.conversation({ members: [author] });
  const { messageId } = await scene.chat.post(channel, author, 'x');
  const post = () => scene.as(person, 'POST', `/conversations/${channel}/messages`, { text: 'a' });
  return { person, channel, messageId, post };
}

test('posts, edits, deletions and reactions of a person share RATE_USER_WRITES_PER_SECOND; refused requests carry Retry-After', async () => {
  const answers = await withinOneWindow(api, async () => {
    const { person, messageId, post } = await newPerson();
    const change = (method: string, path = '', body?: object) =>
      scene.as(person, method, `/messages/${messageId}${path}`, body);
    return [
      await post(),
      await change('PATCH', '', { text: 'b' }),
      await change('PUT', '/reactions/:x:'),
      await change('DELETE', '/reactions/:x:'),
      await change('DELETE'),
      ...(await times(2, post)),
      await change('PUT', '/reactions/:x:'),
    ];
  });
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 429, 429, 429]);
  const refused = answers.at(-1);
  expect(refused?.headers.get('retry-after')).toBe('1');
  expect(refused?.body).toEqual({ ok: false, error: 'rate limit exceeded', code: 'rate_limited' });
});

test('each person has a separate rate, and reads are not charged', async () => {
  const answers = await withinOneWindow(api, async () => {
    const [one, other] = [await newPerson(), await newPerson()];
    const posts = [...(await times(PER_SECOND + 1, one.post)), ...(await times(PER_SECOND, other.post))];
    return [...posts, await scene.history(one.person, one.channel)];
  });
  expect(statuses(answers)).toEqual([...Array.from({ length: 2 * PER_SECOND + 1 }, () => 200), 429]);
});

test('refused requests are not charged', async () => {
  const { person } = await newPerson();
  for (let n = 0; n < 3 * PER_SECOND; n += 1)
    expect((await scene.as(person, 'PATCH', `/messages/${UNKNOWN}`, { text: 'a' })).status).toBe(404);
});

test('people can write while the rate limiter store is unavailable, limited by a counter in the process', async () => {
  const own = await startChatApi({ RATE_USER_WRITES_PER_SECOND: String(PER_SECOND) });
  scene = await ChatSpace.on(own);
  const { post } = await newPerson();
  await own.app.get(RateLimiter, { strict: false }).close();
  expect(new Set(statuses(await times(60, post)))).toEqual(new Set([200, 429]));
  await own.close();
});
