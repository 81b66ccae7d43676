import { createMessage } from '@tieline/conversations/testing';
import { openDb } from '@tieline/platform/database';
import type { BotPrincipal } from '@tieline/platform/http';
import type { TestApi } from '@tieline/spaces/testing';
import { startTcpProxy } from '@tieline/testing';
import { uuidv7 } from 'uuidv7';
import { RunsFixture, startRunsApi } from '../testing/index.js';
import { CreateAgentRun } from './create-agent-run.js';

let api: TestApi;
beforeAll(async () => {
  api = await startRunsApi();
});
afterAll(() => api?.close());

/** Removes the bot from the conversation in the same commit that creates the run. */
const LEAVES_WITH_THE_COMMIT = `
  CREATE FUNCTION leave_with_the_commit() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    DELETE FROM conversation_members WHERE member_id = NEW.bot_id;
    RETURN NULL;
  END $$;
  CREATE CONSTRAINT TRIGGER leave_with_the_commit AFTER INSERT ON agent_runs DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW EXECUTE FUNCTION leave_with_the_commit()`;

/** Creates a run on a connection whose first COMMIT is cut. */
async function createCut(
  verdict: 'before' | 'after',
  { tasks, trigger }: RunsFixture,
): Promise<{ id: string; messageId: string }> {
  const { id: botId, spaceId } = tasks.bot;
  const bot: BotPrincipal = { kind: 'bot', botId, spaceId, channelIds: [], scopes: 'all' };
  const proxy = await startTcpProxy(api.db.pool.options.connectionString as string);
  const cut = await openDb({ databaseUrl: proxy.url });
  cut.pool.on('error', () => undefined);
  let commits = 0;
  proxy.cutWhen((bytes) => (bytes.includes('COMMIT') && (commits += 1) === 1 ? verdict : undefined));
  try {
    return await new CreateAgentRun(cut, createMessage).run(bot, {
      idempotencyKey: uuidv7(),
      conversationId: tasks.channel,
      triggerMessageId: trigger,
      parentMessageId: undefined,
      widgetId: undefined,
      content: '',
    });
  } finally {
    await cut.close();
    await proxy.close();
  }
}

async function expectMade({ tasks }: RunsFixture, run: { id: string; messageId: string }): Promise<void> {
  const { spaceId } = tasks.bot;
  const runs = 'SELECT id FROM agent_runs WHERE space_id = $1';
  expect(await api.db.query(runs, [spaceId])).toEqual([{ id: run.id }]);
  const placeholders = `SELECT id FROM messages WHERE space_id = $1 AND author_type = 'bot'`;
  expect(await api.db.query(placeholders, [spaceId])).toEqual([{ id: run.messageId }]);
}

test.each(['before', 'after'] as const)(
  'a run whose connection was cut %s the server received COMMIT is created once and returned',
  async (verdict) => {
    const fixture = await RunsFixture.of(api);
    await expectMade(fixture, await createCut(verdict, fixture));
  },
);

test('a created run is returned even if it could no longer be created', async () => {
  const fixture = await RunsFixture.of(api);
  await api.db.query(LEAVES_WITH_THE_COMMIT);
  try {
    await expectMade(fixture, await createCut('after', fixture));
  } finally {
    await api.db.query('DROP FUNCTION leave_with_the_commit CASCADE');
  }
});
