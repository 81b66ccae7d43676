import { ChatFixture, createMessage } from '@tieline/conversations/testing';
import { openDb } from '@tieline/platform/database';
import type { Db } from '@tieline/platform/database';
import type { BotPrincipal } from '@tieline/platform/http';
import { hashToken } from '@tieline/signing';
import { seedSpace } from '@tieline/spaces/testing';
import { createTestDatabase, startTcpProxy } from '@tieline/testing';
import type { TcpProxy, TestDatabase } from '@tieline/testing';
import { uuidv7 } from 'uuidv7';
import { CreateExecutionTask } from '../create-execution-task.js';
import type { NewTask } from '../create-execution-task.js';
import { NoRuns } from '../testing/no-runs.module.js';

let database: TestDatabase;
let direct: Db;
let proxy: TcpProxy;
let cut: Db;
beforeAll(async () => {
  database = await createTestDatabase();
  direct = await openDb({ databaseUrl: database.url });
  proxy = await startTcpProxy(database.url);
  cut = await openDb({ databaseUrl: proxy.url });
  cut.pool.on('error', () => undefined);
});
afterAll(async () => {
  await cut.close();
  await proxy.close();
  await direct.close();
  await database.drop();
});

/** Cuts the first COMMIT, before or after the server receives it. */
function cutFirstCommit(verdict: 'before' | 'after'): void {
  let commits = 0;
  proxy.cutWhen((bytes) => (bytes.includes('COMMIT') && (commits += 1) === 1 ? verdict : undefined));
}

test.each(['before', 'after'] as const)(
  'a task whose connection was cut %s the server received COMMIT is created once, with its anchor and token',
  async (verdict) => {
    const { spaceId } = await seedSpace(direct);
    const bot: BotPrincipal = { kind: 'bot', botId: uuidv7(), spaceId, channelIds: [], scopes: 'all' };
    const conversationId = await new ChatFixture(direct, spaceId).conversation({
      members: [{ id: bot.botId, type: 'bot' }],
    });
    const request: NewTask = {
      idempotencyKey: uuidv7(),
      conversationId,
      parentMessageId: undefined,
      agentRunId: undefined,
      title: 'Report',
      description: '',
      allowedActions: ['update'],
    };
    cutFirstCommit(verdict);
    const createTask = new CreateExecutionTask(cut, createMessage, new NoRuns());
    const { task, token } = await createTask.run(bot, request);
    expect(
      await direct.query('SELECT id, capability_hash AS hash FROM execution_tasks WHERE space_id = $1', [
        spaceId,
      ]),
    ).toEqual([{ id: task.widgetId, hash: hashToken(token ?? '') }]);
    expect(await direct.query('SELECT text FROM messages WHERE space_id = $1', [spaceId])).toEqual([
      { text: 'Report' },
    ]);
    // A repeat does not return the token.
    proxy.cutWhen(() => undefined);
    const again = await createTask.run(bot, request);
    expect([again.task.widgetId, again.token]).toEqual([task.widgetId, undefined]);
  },
);
