import { createMessage } from '@tieline/conversations/testing';
import { CommandModals, ComponentSigner, InteractiveModule } from '@tieline/interactive';
import { openDb } from '@tieline/platform/database';
import type { Db } from '@tieline/platform/database';
import { SecretBox } from '@tieline/signing';
import { startTcpProxy } from '@tieline/testing';
import type { TcpProxy } from '@tieline/testing';
import { CreatePoll } from '../../builtins/poll/create-poll.js';
import type { NewPoll } from '../../builtins/poll/create-poll.js';
import { SlashHarness } from '../../testing/index.js';
import { IssueTrigger } from '../../triggers/issue-trigger.js';
import { parseCommandLine } from './command-line.js';
import { CommandAnswers } from './command-answers.js';
import type { AskedCommand } from './command-answers.js';

let harness: SlashHarness;
let proxy: TcpProxy;
let cut: Db;
let box: SecretBox;
/** Applies answers over a connection that may be cut. */
const answers = (): CommandAnswers => {
  const { app } = harness.api;
  const signer = app.get(ComponentSigner, { strict: false });
  return new CommandAnswers(cut, createMessage, signer, app.get(CommandModals, { strict: false }));
};
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

async function asked(conversationId: string): Promise<AskedCommand> {
  const { id: commandId, bot } = await harness.command();
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
  const { payload } = await harness.api.app.get(IssueTrigger, { strict: false }).run(invocation);
  return { botId: bot.id, payload };
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
      const command = await asked(channel);
      const answer = { kind: 'text', responseType: 'in_channel', text: 'done', metadata: undefined } as const;
      const applied = await answers().apply(command, answer);
      const stored = await harness.messages(channel);
      expect(stored).toMatchObject([{ text: 'done' }]);
      expect(applied).toMatchObject({ kind: 'answered', result: { messageId: stored[0]?.id } });
      expect(await answers().apply(command, answer)).toEqual({ kind: 'later' });
    });

    test('an ephemeral answer is shown', async () => {
      const answer = { kind: 'text', responseType: 'ephemeral', text: 'psst', metadata: undefined } as const;
      expect(await answers().apply(await asked(await harness.channel()), answer)).toMatchObject({
        kind: 'answered',
        result: { result: 'ephemeral', text: 'psst' },
      });
    });

    test('a poll is posted once and returned', async () => {
      const channel = await harness.channel();
      const messageId = await new CreatePoll(cut, createMessage, box).run(pollIn(channel));
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
      const command = await asked(await harness.channel());
      const answer = { kind: 'text', responseType, text: 'done', metadata: undefined } as const;
      await answers().apply(command, answer);
      expect(await answers().apply(command, answer)).toEqual({ kind: 'later' });
      expect(looks).toBe(0);
    },
  );

  test('posting a poll does not look up earlier messages', async () => {
    await new CreatePoll(cut, createMessage, box).run(pollIn(await harness.channel()));
    expect(looks).toBe(0);
  });
});
