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
import { SlashRig } from '../../testing/index.js';
import { issueTrigger } from '../../triggers/slash-triggers.js';
import { parseCommandLine } from './command-line.js';
import { settleAnswer } from './settle-answer.js';

let rig: SlashRig;
let proxy: TcpProxy;
let cut: Db;
let box: SecretBox;
const parts = () => ({ createMessage, signer: rig.api.app.get(ComponentSigner, { strict: false }) });
beforeAll(async () => {
  rig = await SlashRig.start({}, [InteractiveModule]);
  box = rig.api.app.get(SecretBox);
  proxy = await startTcpProxy(rig.api.db.pool.options.connectionString as string);
  cut = await openDb({ databaseUrl: proxy.url });
  cut.pool.on('error', () => undefined);
});
afterAll(async () => {
  await cut?.close();
  await proxy?.close();
  await rig?.close();
});

async function trigger(conversationId: string): Promise<{ spaceId: string; id: string }> {
  const { id: commandId } = await rig.command();
  const { spaceId } = rig.fixture.space;
  const line = parseCommandLine('/any');
  const invocation = { spaceId, userId: rig.person.id, conversationId, threadId: undefined, commandId, line };
  const { app, db } = rig.api;
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
  spaceId: rig.fixture.space.spaceId,
  creatorId: rig.person.id,
  conversationId,
  threadId: undefined,
  question: 'Lunch?',
  options: ['Pizza', 'Sushi'],
});

describe.each(['before', 'after'] as const)('with COMMIT cut %s the server has it', (verdict) => {
  beforeEach(() => {
    let commits = 0;
    proxy.cutWhen((bytes) => (bytes.includes('COMMIT') && (commits += 1) === 1 ? verdict : undefined));
  });

  test('a command’s answer is posted once, and answered', async () => {
    const channel = await rig.channel();
    const { spaceId, id } = await trigger(channel);
    const answer = { kind: 'text', responseType: 'in_channel', text: 'done', metadata: undefined } as const;
    const settled = await settleAnswer(
      cut,
      parts(),
      { spaceId, triggerId: id, userId: rig.person.id },
      answer,
    );
    const stored = await rig.messages(channel);
    expect(stored).toMatchObject([{ text: 'done' }]);
    expect(settled).toEqual({ kind: 'posted', messageId: stored[0]?.id });
    expect(
      await settleAnswer(rig.api.db, parts(), { spaceId, triggerId: id, userId: rig.person.id }, answer),
    ).toEqual({ kind: 'late' });
  });

  test('an answer for one person is shown', async () => {
    const { spaceId, id } = await trigger(await rig.channel());
    const answer = { kind: 'text', responseType: 'ephemeral', text: 'psst', metadata: undefined } as const;
    expect(
      await settleAnswer(cut, parts(), { spaceId, triggerId: id, userId: rig.person.id }, answer),
    ).toEqual({ kind: 'shown' });
  });

  test('a poll is posted once, and answered', async () => {
    const channel = await rig.channel();
    const messageId = await createPoll(cut, { createMessage, box }, pollIn(channel));
    expect(await rig.messages(channel)).toMatchObject([{ id: messageId }]);
  });
});

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
    'a second answer to a command, %s, is late, and no message is looked for',
    async (responseType) => {
      const { spaceId, id } = await trigger(await rig.channel());
      const answer = { kind: 'text', responseType, text: 'done', metadata: undefined } as const;
      await settleAnswer(cut, parts(), { spaceId, triggerId: id, userId: rig.person.id }, answer);
      expect(
        await settleAnswer(cut, parts(), { spaceId, triggerId: id, userId: rig.person.id }, answer),
      ).toEqual({ kind: 'late' });
      expect(looks).toBe(0);
    },
  );

  test('nobody looks whether a poll was posted before', async () => {
    await createPoll(cut, { createMessage, box }, pollIn(await rig.channel()));
    expect(looks).toBe(0);
  });
});
