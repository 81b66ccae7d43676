import { createMessage } from '@tieline/conversations/testing';
import { openDb } from '@tieline/platform/database';
import type { BotPrincipal } from '@tieline/platform/http';
import type { TestApi } from '@tieline/spaces/testing';
import { startTcpProxy } from '@tieline/testing';
import { v7 as uuidv7 } from 'uuid';
import { RunsFixture, startRunsApi } from '../testing/index.js';
import { createAgentRun } from './create-agent-run.js';

let api: TestApi;
beforeAll(async () => {
  api = await startRunsApi();
});
afterAll(() => api?.close());

test.each(['before', 'after'] as const)(
  'a run whose COMMIT was cut %s the server had it is made once, with one placeholder, and answered',
  async (verdict) => {
    const { tasks, trigger } = await RunsFixture.of(api);
    const { id: botId, spaceId } = tasks.bot;
    const bot: BotPrincipal = { kind: 'bot', botId, spaceId, channelIds: [] };
    const proxy = await startTcpProxy(api.db.pool.options.connectionString as string);
    const cut = await openDb({ databaseUrl: proxy.url });
    cut.pool.on('error', () => undefined);
    let commits = 0;
    proxy.cutWhen((bytes) => (bytes.includes('COMMIT') && (commits += 1) === 1 ? verdict : undefined));
    try {
      const run = await createAgentRun(cut, createMessage, bot, {
        idempotencyKey: uuidv7(),
        conversationId: tasks.channel,
        triggerMessageId: trigger,
        parentMessageId: undefined,
        widgetId: undefined,
        content: '',
      });
      expect(await api.db.query('SELECT id FROM agent_runs WHERE space_id = $1', [spaceId])).toEqual([
        { id: run.id },
      ]);
      const placeholders = `SELECT id FROM messages WHERE space_id = $1 AND author_type = 'bot'`;
      expect(await api.db.query(placeholders, [spaceId])).toEqual([{ id: run.messageId }]);
    } finally {
      await cut.close();
      await proxy.close();
    }
  },
);
