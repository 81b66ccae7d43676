import { uuidv7 } from 'uuidv7';
import type { Member } from '@tieline/conversations/testing';
import { runInWorkerTx } from '@tieline/platform/database';
import { eventually, readRows } from '@tieline/testing';
import type { TestAnswer, TestApi } from '@tieline/spaces/testing';
import { BotsFixture, startBotsApi } from '../testing/index.js';
import type { SeededBot } from '../testing/index.js';

let api: TestApi;
let fixture: BotsFixture;
let bot: SeededBot;

beforeAll(async () => {
  api = await startBotsApi({ RATE_BOT_WRITES_PER_SECOND: '10000', RATE_DM_PER_SECOND: '10000' });
  fixture = await BotsFixture.of(api);
});
beforeEach(async () => {
  bot = await fixture.bot();
});
afterAll(() => api?.close());

const post = (path: string, body?: unknown): Promise<TestAnswer> =>
  api.call('POST', `/api/v1/bot${path}`, { token: bot.token, body });

async function membersOf(conversationId: string): Promise<string[]> {
  const rows = await readRows<{ id: string }>(
    api.db,
    'SELECT member_id AS id FROM conversation_members WHERE conversation_id = $1',
    [conversationId],
  );
  return rows.map(({ id }) => id);
}

describe('POST /bot/conversations/{id}/join', () => {
  const join = (conversationId: string): Promise<TestAnswer> => post(`/conversations/${conversationId}/join`);
  const creator: Member = { id: uuidv7(), type: 'user' };

  test.each(['channel', 'voice'])('a public %s: 200, also repeatedly and concurrently', async (type) => {
    const conversation = await fixture.chat.conversation({ type });
    const responses = await Promise.all(Array.from({ length: 5 }, () => join(conversation)));
    for (const response of [...responses, await join(conversation.toUpperCase())])
      expect([response.status, response.body]).toEqual([200, { ok: true }]);
    expect(await membersOf(conversation)).toEqual([bot.id]);
    expect(
      (await fixture.chat.events()).filter(
        ({ type: told, payload }) =>
          told === 'conversation.members_changed' &&
          (payload as { conversation_id: string }).conversation_id === conversation,
      ),
    ).toHaveLength(1);
  });

  test('bots that join one channel concurrently hold two connections while they wait for it', async () => {
    const conversation = await fixture.channelOf();
    const bots = await Promise.all(Array.from({ length: 12 }, () => fixture.bot()));
    const { answers, waited } = await api.whileRowLocked('conversations', conversation, () =>
      bots.map(({ token }) => api.call('POST', `/api/v1/bot/conversations/${conversation}/join`, { token })),
    );
    expect(waited).toBe(2);
    expect(answers.map(({ status }) => status)).toEqual(Array(12).fill(200));
  });

  test('channel_ids do not limit where a bot may join', async () => {
    const [narrow, wide] = [await fixture.channelOf(), await fixture.channelOf()];
    await fixture.admin('PATCH', `/bots/${bot.id}`, { channel_ids: [narrow] });
    expect((await join(wide)).status).toBe(200);
  });

  test('a private one gets 403, but a member stays a member', async () => {
    const closed = await fixture.chat.conversation({ scope: 'private' });
    expect(await join(closed)).toMatchObject({
      status: 403,
      body: { ok: false, error: 'failed to join conversation' },
    });
    expect(await membersOf(closed)).toEqual([]);
    expect(
      (
        await join(
          await fixture.chat.conversation({ scope: 'private', members: [{ id: bot.id, type: 'bot' }] }),
        )
      ).status,
    ).toBe(200);
  });

  test('an archived one gets 403 failed to join conversation', async () => {
    const archived = await fixture.channelOf();
    await api.db.query('UPDATE conversations SET archived_at = now() WHERE id = $1', [archived]);
    expect(await join(archived)).toMatchObject({
      status: 403,
      body: { ok: false, error: 'failed to join conversation' },
    });
  });

  test('unknown, foreign, thread and DM get 400 failed to join conversation', async () => {
    const other = await BotsFixture.of(api);
    const channel = await fixture.chat.conversation({ members: [creator] });
    const root = await fixture.chat.post(channel, creator, 'root');
    const thread = await fixture.chat.post(channel, creator, 'reply', { parentMessageId: root.messageId });
    const dm = await fixture.chat.direct(creator, { id: bot.id, type: 'bot' });
    for (const id of [uuidv7(), await other.channelOf(), thread.conversationId, dm]) {
      expect(await join(id)).toMatchObject({
        status: 400,
        body: { ok: false, error: 'failed to join conversation' },
      });
    }
  });

  test('a malformed id gets 400 channel not found', async () => {
    expect(await join('general')).toMatchObject({
      status: 400,
      body: { ok: false, error: 'channel not found' },
    });
  });
});

describe('a bot that is deleted while it joins', () => {
  test('does not become a member', async () => {
    const channel = await fixture.channelOf();
    let joining: Promise<TestAnswer> | undefined;
    await runInWorkerTx(api.db, async (tx) => {
      await tx.query('UPDATE bots SET deleted_at = now() WHERE id = $1', [bot.id]);
      joining = post(`/conversations/${channel}/join`);
      await eventually(async () =>
        expect(
          await api.db.query(
            `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
          ),
        ).not.toEqual([]),
      );
    });
    expect(await joining).toMatchObject({ status: 401, body: { error: 'invalid or revoked token' } });
    expect(await membersOf(channel)).toEqual([]);
  });
});
