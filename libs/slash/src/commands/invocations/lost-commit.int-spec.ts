import { AnswerWaits } from '@tieline/bots';
import { v7 as uuidv7 } from 'uuid';
import { createMessage } from '@tieline/conversations/testing';
import { ComponentSigner, InteractiveModule, ResponseTokens } from '@tieline/interactive';
import { openDb } from '@tieline/platform/database';
import type { Db } from '@tieline/platform/database';
import { SecretBox } from '@tieline/signing';
import { startTcpProxy } from '@tieline/testing';
import type { TcpProxy } from '@tieline/testing';
import { createPoll } from '../../builtins/poll/create-poll.js';
import type { NewPoll } from '../../builtins/poll/create-poll.js';
import { SlashHarness } from '../../testing/index.js';
import { issueTrigger } from '../../triggers/slash-triggers.js';
import { parseCommandLine } from './command-line.js';
import { settleAnswer } from './settle-answer.js';

let harness: SlashHarness;
let proxy: TcpProxy;
let cut: Db;
let box: SecretBox;
const parts = () => ({ createMessage, signer: harness.api.app.get(ComponentSigner, { strict: false }) });
beforeAll(async () => {
  harness = await SlashHarness.start({}, [InteractiveModule]);
  box = harness.api.app.get(SecretBox);
  proxy = await startTcpProxy(harness.api.db.pool.options.connectionString as string);
  cut = await openDb({ databaseUrl: proxy.url });
  cut.pool.on('error', () => undefined);
});
afterAll(async () => {
  await cut?.close();
  await proxy?.close();
  await harness?.close();
});

async function trigger(conversationId: string): Promise<{ spaceId: string; id: string }> {
  const { id: commandId } = await harness.command();
  const { spaceId } = harness.fixture.space;
  const line = parseCommandLine('/any');
  const invocation = {
    spaceId,
    userId: harness.person.id,
    conversationId,
    threadId: undefined,
    commandId,
    line,
  };
  const { app, db } = harness.api;
  const parts = {
    db,
    responses: app.get(ResponseTokens, { strict: false }),
    waits: app.get(AnswerWaits, { strict: false }),
    ttlSeconds: 300,
  };
  const { payload } = await issueTrigger(parts, invocation, uuidv7());
  return { spaceId, id: payload.trigger_id };
}

const pollIn = (conversationId: string): NewPoll => ({
  spaceId: harness.fixture.space.spaceId,
  creatorId: harness.person.id,
  conversationId,
  threadId: undefined,
  question: 'Lunch?',
  options: ['Pizza', 'Sushi'],
});

describe.each(['before', 'after'] as const)(
  'with the connection cut %s the server receives COMMIT',
  (verdict) => {
    beforeEach(() => {
      let commits = 0;
      proxy.cutWhen((bytes) => (bytes.includes('COMMIT') && (commits += 1) === 1 ? verdict : undefined));
    });

    test('a command’s answer is posted once and returned', async () => {
      const channel = await harness.channel();
      const { spaceId, id } = await trigger(channel);
      const answer = { kind: 'text', responseType: 'in_channel', text: 'done', metadata: undefined } as const;
      const settled = await settleAnswer(
        cut,
        parts(),
        { spaceId, triggerId: id, userId: harness.person.id },
        answer,
      );
      const stored = await harness.messages(channel);
      expect(stored).toMatchObject([{ text: 'done' }]);
      expect(settled).toEqual({ kind: 'posted', messageId: stored[0]?.id });
      expect(
        await settleAnswer(
          harness.api.db,
          parts(),
          { spaceId, triggerId: id, userId: harness.person.id },
          answer,
        ),
      ).toEqual({ kind: 'late' });
    });

    test('an ephemeral answer is shown', async () => {
      const { spaceId, id } = await trigger(await harness.channel());
      const answer = { kind: 'text', responseType: 'ephemeral', text: 'psst', metadata: undefined } as const;
      expect(
        await settleAnswer(cut, parts(), { spaceId, triggerId: id, userId: harness.person.id }, answer),
      ).toEqual({ kind: 'shown' });
    });

    test('a poll is posted once and returned', async () => {
      const channel = await harness.channel();
      const messageId = await createPoll(cut, { createMessage, box }, pollIn(channel));
      expect(await harness.messages(channel)).toMatchObject([{ id: messageId }]);
    });
  },
);

describe('with no COMMIT lost', () => {
  let looks = 0;
  beforeEach(() => {
    looks = 0;
    proxy.cutWhen((bytes) => {
      if (bytes.includes('conversations.find_message')) looks += 1;
      return undefined;
    });
  });

  test.each(['ephemeral', 'in_channel'] as const)(
    'a second answer to a command, %s, is late without a lookup of messages',
    async (responseType) => {
      const { spaceId, id } = await trigger(await harness.channel());
      const answer = { kind: 'text', responseType, text: 'done', metadata: undefined } as const;
      await settleAnswer(cut, parts(), { spaceId, triggerId: id, userId: harness.person.id }, answer);
      expect(
        await settleAnswer(cut, parts(), { spaceId, triggerId: id, userId: harness.person.id }, answer),
      ).toEqual({ kind: 'late' });
      expect(looks).toBe(0);
    },
  );

  test('posting a poll does not look up earlier messages', async () => {
    await createPoll(cut, { createMessage, box }, pollIn(await harness.channel()));
    expect(looks).toBe(0);
  });
});
