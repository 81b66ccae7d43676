import { LiveHarness } from '@tieline/live-stream/testing';
import { ChatFixture, createMessage } from '@tieline/conversations/testing';
import type { BotPrincipal } from '@tieline/platform/http';
import { seedSpace } from '@tieline/spaces/testing';
import { uuidv7 } from 'uuidv7';
import { cancelExecutionTask } from '../updates/cancel-execution-task.js';
import { CreateExecutionTask } from '../create-execution-task.js';
import type { CreatedTask } from '../create-execution-task.js';
import { taskView } from '../execution-task.view.js';
import { reviewExecutionTask } from '../reviews/review-execution-task.js';
import { NoRuns } from '../testing/no-runs.module.js';
import { updateExecutionTask } from '../updates/update-execution-task.js';

let harness: LiveHarness;

beforeAll(async () => {
  harness = await LiveHarness.start();
});
afterAll(() => harness?.close());

const make = (bot: BotPrincipal, conversationId: string, title: string): Promise<CreatedTask> =>
  new CreateExecutionTask(harness.db, createMessage, new NoRuns()).run(bot, {
    idempotencyKey: uuidv7(),
    conversationId,
    parentMessageId: undefined,
    agentRunId: undefined,
    title,
    description: '',
    allowedActions: ['update'],
  });

test('only members’ streams receive every change of a task, in order', async () => {
  const space = await seedSpace(harness.db);
  const [ann, eve] = await Promise.all([space.person('member'), space.person('admin')]);
  const bot: BotPrincipal = {
    kind: 'bot',
    botId: uuidv7(),
    spaceId: space.spaceId,
    channelIds: [],
    scopes: 'all',
  };
  const chat = new ChatFixture(harness.db, space.spaceId);
  const members = [
    { id: bot.botId, type: 'bot' },
    { id: ann.id, type: 'user' },
  ] as const;
  const channel = await chat.conversation({ scope: 'public', members: [...members] });
  const shared = await chat.conversation({
    scope: 'public',
    members: [...members, { id: eve.id, type: 'user' }],
  });
  const [anns, eves] = await Promise.all([harness.api.open(ann.token), harness.api.open(eve.token)]);

  const { task } = await make(bot, channel, 'Report');
  const nothing = { title: undefined, description: undefined };
  const { task: completed } = await updateExecutionTask(harness.db, bot, task.widgetId, undefined, {
    action: 'complete',
    status: undefined,
    sequence: 1,
    publicText: 'Done',
    ...nothing,
  });
  const rejected = await reviewExecutionTask(
    harness.db,
    { kind: 'user', userId: ann.id, spaceId: space.spaceId, role: 'member', scopes: 'all' },
    task.widgetId,
    'rejected',
  );
  const { task: last } = await make(bot, shared, 'For both');
  const cancelled = await cancelExecutionTask(harness.db, bot, last.widgetId);

  const of = ({ events }: typeof anns): unknown[] =>
    events.filter(({ event }) => event === 'execution_task.updated');
  await Promise.all(
    [anns, eves].map((stream) =>
      stream.until(
        (one) =>
          of(one).length > 0 &&
          (of(one).at(-1) as { execution_task: { status: string } }).execution_task.status === 'cancelled',
      ),
    ),
  );
  const told = [task, completed, rejected, last, cancelled].map((one) => ({
    event: 'execution_task.updated',
    conversation_id: one.conversationId,
    execution_task: taskView(one),
  }));
  expect(of(anns)).toEqual(told);
  expect(of(eves)).toEqual(told.slice(3));
  anns.close();
  eves.close();
});
