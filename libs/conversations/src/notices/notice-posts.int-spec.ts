import { BusModule } from '@tieline/live';
import { OutboxModule } from '@tieline/delivery';
import { runInWorkerTx } from '@tieline/platform/database';
import { ObservabilityModule } from '@tieline/platform/observability';
import { QueueModule, QueueWorkerModule } from '@tieline/queue';
import { raiseNotice, SpacesAdminModule, SpacesModule } from '@tieline/spaces';
import { seedSpace, startTestApi } from '@tieline/spaces/testing';
import type { TestApi } from '@tieline/spaces/testing';
import { eventually, FailureLog, testRedisUrl } from '@tieline/testing';
import { ConversationsModule } from '../conversations.module.js';
import { ChatFixture, withStubs } from '../testing/index.js';
import { NoticesWorkerModule } from './notices-worker.module.js';

const { failures, logger } = new FailureLog('queue');
let api: TestApi;
beforeAll(async () => {
  const redisUrl = await testRedisUrl();
  api = await startTestApi(
    withStubs([
      ObservabilityModule.of(logger),
      BusModule,
      QueueModule,
      QueueWorkerModule,
      OutboxModule,
      SpacesModule,
      SpacesAdminModule,
      ConversationsModule,
      NoticesWorkerModule,
    ]),
    redisUrl === undefined ? {} : { REDIS_URL: redisUrl },
  );
});
afterAll(async () => {
  await api?.close();
  expect(failures).toEqual([]);
});

test('a notice is posted without a request', async () => {
  const { spaceId, owner } = await seedSpace(api.db);
  const channel = await new ChatFixture(api.db, spaceId).conversation();
  const { status } = await api.call('PATCH', '/api/v1/admin/space', {
    token: owner.token,
    body: { notices_conversation_id: channel },
  });
  expect(status).toBe(200);
  await runInWorkerTx(api.db, (tx) =>
    raiseNotice(tx, {
      spaceId,
      kind: 'bot.push_disabled',
      objectType: 'bot',
      objectId: owner.id,
      text: 'told',
    }),
  );
  await eventually(async () => {
    const path = `/api/v1/channels/${channel}/messages`;
    const { body } = await api.call('GET', path, { token: owner.token });
    expect(body.messages).toMatchObject([{ text: 'told', author_type: 'system' }]);
  });
});
