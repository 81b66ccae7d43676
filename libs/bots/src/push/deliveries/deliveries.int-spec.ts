import type { TestApi } from '@tieline/spaces/testing';
import { BotsFixture, startBotsApi } from '../../testing/index.js';

let api: TestApi;
let fixture: BotsFixture;
beforeAll(async () => {
  api = await startBotsApi();
  fixture = await BotsFixture.of(api);
});
afterAll(() => api?.close());

describe('GET /admin/bots/{id}/deliveries', () => {
  test.each([
    '',
    '?filter=all',
    '?filter=success',
    '?filter=failed&limit=1',
    '?status=dead&code=503&event_type=MESSAGE_CREATED&since=2026-01-01T00:00:00Z',
  ])('%s is an empty page before anything was pushed', async (query) => {
    const { id } = await fixture.bot();
    expect(await fixture.admin('GET', `/bots/${id}/deliveries${query}`)).toMatchObject({
      status: 200,
      body: { ok: true, deliveries: [], next_cursor: '' },
    });
  });

  test.each(['filter=dead', 'status=failed', 'code=abc', 'since=1', 'until=now', 'limit=0', 'cursor=1'])(
    '%s gets 400',
    async (query) => {
      const { id } = await fixture.bot();
      expect((await fixture.admin('GET', `/bots/${id}/deliveries?${query}`)).status).toBe(400);
    },
  );
});
