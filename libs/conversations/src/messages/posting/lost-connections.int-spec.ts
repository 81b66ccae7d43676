import { CommitUnknown, openDb, runInWorkerTx } from '@tieline/platform/database';
import type { Db } from '@tieline/platform/database';
import { inTxOnce } from '@tieline/idempotency';
import { createTestDatabase, startTcpProxy, readRows } from '@tieline/testing';
import type { CutRule, TcpProxy, TestDatabase } from '@tieline/testing';
import { uuidv7 } from 'uuidv7';
import { ChatFixture } from '../../testing/index.js';
import { createMessage } from '../../testing/stubs.js';
import type { NewMessage } from '../create-message.js';
import { PostMessage } from './post-message.js';

let database: TestDatabase;
/** Direct connection to the server, for setup and counting. */
let direct: Db;
let proxy: TcpProxy;
let cut: Db;
let postMessage: PostMessage;
beforeAll(async () => {
  database = await createTestDatabase();
  direct = await openDb({ databaseUrl: database.url });
});
afterAll(async () => {
  await direct.close();
  await database.drop();
});
beforeEach(async () => {
  proxy = await startTcpProxy(database.url);
  cut = await openDb({ databaseUrl: proxy.url, poolMax: 12 });
  cut.pool.on('error', () => undefined);
  postMessage = new PostMessage(cut, createMessage);
});
afterEach(async () => {
  proxy.cutWhen(() => undefined);
  await cut.close();
  await proxy.close();
  await direct.query('TRUNCATE outbox, messages, idempotency_keys CASCADE');
});

/**
 * Cuts the connection on every `nth` match, alternately before and after the server has received
 * it.
 */
function everyNth(nth: number, pattern: RegExp): CutRule {
  let seen = 0;
  return (bytes) => {
    if (!pattern.test(bytes.toString('latin1'))) return undefined;
    seen += 1;
    if (seen % nth !== 0) return undefined;
    return (seen / nth) % 2 === 0 ? 'before' : 'after';
  };
}

interface TestChannel {
  chat: ChatFixture;
  post(text: string, more?: Partial<NewMessage>): Promise<string | Error>;
}

async function testChannels(count: number): Promise<TestChannel[]> {
  return Promise.all(
    Array.from({ length: count }, async () => {
      const chat = new ChatFixture(direct);
      const bot = chat.member('bot');
      const conversationId = await chat.conversation({ members: [bot] });
      const post: TestChannel['post'] = async (text, more = {}) => {
        const message = { spaceId: chat.spaceId, conversationId, author: bot, text, ...more };
        const answer = await postMessage.run(message).catch((error: unknown) => error as Error);
        if (answer instanceof Error) return answer;
        if ('refused' in answer) throw new Error(answer.refused);
        return answer.messageId;
      };
      return { chat, post };
    }),
  );
}

/** Returns how often each text is stored, how often its event is stored, and its id. */
async function stored(): Promise<Map<string, { id: string; messages: number; events: number }>> {
  const rows = await readRows<{ text: string; id: string; messages: number; events: number }>(
    direct,
    `SELECT text, min(id::text) AS id, count(*)::int AS messages,
       sum((SELECT count(*) FROM outbox o WHERE o.type = 'MESSAGE_CREATED' AND o.payload::json -> 'posted' ->> 'id' = m.id::text))::int AS events
     FROM messages m GROUP BY text`,
  );
  return new Map(rows.map((row) => [row.text, row]));
}

async function expectOnce(answers: Map<string, string | Error>): Promise<void> {
  const found = await stored();
  for (const [text, answer] of answers) {
    const row = found.get(text);
    if (answer instanceof Error) expect([text, row]).toEqual([text, undefined]);
    else expect([text, row]).toEqual([text, { text, id: answer, messages: 1, events: 1 }]);
  }
}

/** Posts `count` messages in each channel, a few concurrently. */
async function postAll(all: TestChannel[], count: number, text = 'n'): Promise<Map<string, string | Error>> {
  const answers = new Map<string, string | Error>();
  await Promise.all(
    all.map(async ({ post }, testChannel) => {
      for (let n = 0; n < count; n += 4)
        await Promise.all(
          [0, 1, 2, 3].map(async (i) => {
            const own = `${text} ${testChannel}/${n + i}`;
            answers.set(own, await post(own));
          }),
        );
    }),
  );
  return answers;
}

test('a message whose connection was lost is not posted again because another space succeeded', async () => {
  const all = await testChannels(3);
  proxy.cutWhen(everyNth(4, /messages\.post_(many|if_free)/));
  const answers = await postAll(all, 80);
  expect(proxy.cuts).toBeGreaterThan(10);
  await expectOnce(answers);
  const refused = [...answers.values()].filter((answer) => answer instanceof Error);
  expect(refused.length).toBeLessThan(answers.size / 2);
});

test('a message whose COMMIT was not acknowledged is returned as it is stored', async () => {
  const [testChannel] = await testChannels(1);
  const person = testChannel?.chat.member();
  let cuts = 0;
  proxy.cutWhen((bytes) => (bytes.includes('COMMIT') && (cuts += 1) === 1 ? 'after' : undefined));
  const text = `with a mention <@${person?.id}>`;
  const answer = await testChannel?.post(text);
  expect(proxy.cuts).toBe(1);
  await expectOnce(new Map([[text, answer as string]]));
  expect(typeof answer).toBe('string');
});

test('posts with their own transaction exist exactly once while connections are cut at COMMIT', async () => {
  const all = await testChannels(3);
  proxy.cutWhen(everyNth(5, /COMMIT/));
  const answers = await postAll(all, 24, `<@${all[0]?.chat.member().id}>`);
  expect(proxy.cuts).toBeGreaterThan(5);
  await expectOnce(answers);
});

test('a caller that posts in a transaction of another feature learns whether the message is stored', async () => {
  const chat = new ChatFixture(direct);
  const bot = chat.member('bot');
  const conversationId = await chat.conversation({ members: [bot] });
  let verdict: 'before' | 'after' = 'after';
  proxy.cutWhen((bytes) => (bytes.includes('COMMIT') ? verdict : undefined));
  const postAndAsk = async (): Promise<boolean> => {
    const messageId = uuidv7();
    const message = { spaceId: chat.spaceId, conversationId, author: bot, text: messageId, messageId };
    await expect(runInWorkerTx(cut, (tx) => createMessage.in(tx, message))).rejects.toThrow(CommitUnknown);
    return postMessage.isStored(chat.spaceId, messageId);
  };
  expect(await postAndAsk()).toBe(true);
  verdict = 'before';
  expect(await postAndAsk()).toBe(false);
});

test('with an idempotency key, a lost COMMIT is harmless: the message exists once and is returned', async () => {
  const chat = new ChatFixture(direct);
  const bot = chat.member('bot');
  const conversationId = await chat.conversation({ members: [bot] });
  proxy.cutWhen(everyNth(3, /COMMIT/));
  const post = async (key: string): Promise<string> => {
    const message = { spaceId: chat.spaceId, conversationId, author: bot, text: key };
    const request = { spaceId: chat.spaceId, scope: 'test', key, fingerprint: Buffer.from(key) };
    const { messageId } = await inTxOnce(
      cut,
      request,
      async (tx) => {
        const answer = await createMessage.in(tx, message);
        if ('refused' in answer) throw new Error(answer.refused);
        return { messageId: answer.messageId };
      },
      { spaceId: chat.spaceId, place: conversationId },
    );
    return messageId;
  };
  // Retries with the same key after an error, as a caller does.
  const insist = async (key: string): Promise<string> => post(key).catch(() => insist(key));
  const keys = Array.from({ length: 60 }, (_, n) => `key-${n}`);
  const answers = new Map<string, string>();
  for (let n = 0; n < keys.length; n += 6)
    await Promise.all(keys.slice(n, n + 6).map(async (key) => answers.set(key, await insist(key))));
  expect(proxy.cuts).toBeGreaterThan(10);
  await expectOnce(answers);
});
