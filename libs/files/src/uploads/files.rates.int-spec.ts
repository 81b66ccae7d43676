import { withinOneWindow } from '@tieline/rate-limit/testing';
import type { TestAnswer, TestApi } from '@tieline/spaces/testing';
import { FilesHarness, startFilesApi, TestStorage } from '../testing/index.js';

const PER_SECOND = 5;
let storage: TestStorage;
let api: TestApi;

beforeAll(async () => {
  storage = await TestStorage.start();
  api = await startFilesApi(storage, { RATE_BOT_MESSAGES_PER_SECOND: String(PER_SECOND) });
});
afterAll(async () => {
  await api?.close();
  await storage?.close();
});

const times = <T>(count: number, make: (n: number) => T): T[] =>
  Array.from({ length: count }, (_, n) => make(n));
const count = (responses: TestAnswer[], status: number): number =>
  responses.filter((response) => response.status === status).length;

test('sessions and confirmations share one rate window per bot and conversation', () =>
  withinOneWindow(api, async () => {
    const harness = await FilesHarness.of(api);
    const id = await harness.files().ready(harness.channel);
    const responses = await Promise.all(
      times(12, (n) => (n % 2 === 0 ? harness.session() : harness.confirm(id))),
    );
    expect([count(responses, 200), count(responses, 429)]).toEqual([PER_SECOND, 12 - PER_SECOND]);
    const refused = responses.find(({ status }) => status === 429);
    expect([refused?.body, refused?.headers.get('retry-after')]).toEqual([
      { error: 'rate limit exceeded' },
      '1',
    ]);
    const other = await harness.conversation();
    expect((await harness.session({ conversation_id: other })).status).toBe(200);
  }));

test('downloads are not charged', async () => {
  const harness = await FilesHarness.of(api);
  const id = await harness.files().ready(harness.channel);
  expect(count(await Promise.all(times(4 * PER_SECOND, () => harness.download(id))), 200)).toBe(
    4 * PER_SECOND,
  );
});

test('refused requests are not charged', () =>
  withinOneWindow(api, async () => {
    const harness = await FilesHarness.of(api);
    const pending = await harness.files().uploading(harness.channel);
    for (let n = 0; n < 4; n += 1) {
      const refused = await Promise.all([
        harness.session({ mime_type: 'x' }),
        harness.confirm(harness.channel),
        harness.confirm(pending),
        harness.confirm(pending, null),
      ]);
      expect(refused.map(({ status }) => status)).toEqual([400, 404, 400, 400]);
    }
    const responses = await Promise.all(times(PER_SECOND + 1, () => harness.session()));
    expect([count(responses, 200), count(responses, 429)]).toEqual([PER_SECOND, 1]);
  }));

test('requests refused because of the conversation are not charged', () =>
  withinOneWindow(api, async () => {
    const harness = await FilesHarness.of(api);
    const elsewhere = await harness.conversation({ members: [] });
    const responses = await Promise.all(
      times(PER_SECOND, () => harness.session({ conversation_id: elsewhere })),
    );
    expect(count(responses, 403)).toBe(PER_SECOND);
    expect((await harness.session({ conversation_id: elsewhere })).status).toBe(403);
  }));
