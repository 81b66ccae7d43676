import { withinOneWindow } from '@tieline/rate-limit/testing';
import { BotsFixture, startBotsApi } from '@tieline/bots/testing';
import type { SeededBot } from '@tieline/bots/testing';
import type { ChatEvent } from '@tieline/conversations';
import { FilesModule } from '@tieline/files';
import { FilesFixture, follow, sendBytes, TestStorage } from '@tieline/files/testing';
import type { SeededPerson, TestAnswer, TestApi } from '@tieline/spaces/testing';
import { BotMessagesModule } from './bot-messages.module.js';

const UNKNOWN = '01939d3e-7f0c-7aaa-9c1d-2f6a5b1c0d11';
const NOT_USABLE = {
  ok: false,
  error: 'file not available in this conversation',
  code: 'file_not_available',
};
const rates = (perSecond: string): Record<string, string> => ({
  RATE_BOT_MESSAGES_PER_SECOND: perSecond,
  RATE_BOT_WRITES_PER_SECOND: '100000',
});

describe.each(['local', 's3'] as const)('messages with files in %s storage', (driver) => {
  let storage: TestStorage;
  let api: TestApi;
  let fixture: BotsFixture;
  let bot: SeededBot;
  let person: SeededPerson;
  let channel: string;
  let files: FilesFixture;

  beforeAll(async () => {
    storage = await TestStorage.start(driver);
    api = await startBotsApi({ ...rates('10000'), ...storage.env }, [
      storage.routes,
      FilesModule,
      BotMessagesModule,
    ]);
    fixture = await BotsFixture.of(api);
    person = await fixture.space.person('member');
  });
  beforeEach(async () => {
    bot = await fixture.bot();
    channel = await fixture.chat.conversation({
      scope: 'private',
      members: [
        { id: bot.id, type: 'bot' },
        { id: person.id, type: 'user' },
      ],
    });
    files = FilesFixture.of(api, { spaceId: fixture.space.spaceId, botId: bot.id });
  });
  afterAll(async () => {
    await api?.close();
    await storage?.close();
  });

  const send = (
    ids: string[],
    body: Record<string, unknown> = {},
    headers?: Record<string, string>,
  ): Promise<TestAnswer> =>
    api.call('POST', '/api/v1/bot/messages', {
      token: bot.token,
      body: { conversation_id: channel, attachments: ids.map((file_id) => ({ file_id })), ...body },
      headers,
    });
  const history = async (conversation = channel): Promise<Record<string, any>[]> =>
    (await api.call('GET', `/api/v1/channels/${conversation}/messages`, { token: person.token })).body
      .messages;

  test("the whole path: session, upload, confirmation, message, history, a person's download", async () => {
    const call = (method: string, path: string, body: unknown): Promise<TestAnswer> =>
      api.call(method, `/api/v1/bot/files${path}`, { token: bot.token, body });
    const { body: session } = await call('POST', '/upload_sessions', {
      conversation_id: channel,
      file_name: 'Отчёт.txt',
      file_size: 5,
      mime_type: 'text/plain',
    });
    expect((await sendBytes(api, session.upload, Buffer.from('hello'))).status).toBe(200);
    expect((await send([session.file.file_id])).body).toEqual({
      ok: false,
      error: 'file not ready',
      code: 'file_not_ready',
    });
    expect(
      (await call('POST', `/${session.file.file_id}/confirm`, { conversation_id: channel })).status,
    ).toBe(200);

    const { status, body } = await send([session.file.file_id.toUpperCase()]);
    expect([status, body]).toEqual([
      200,
      { ok: true, message_id: expect.any(String), attachment_status: 'attached' },
    ]);
    const record = { ...session.file, message_id: body.message_id, status: 'ready' };
    expect(await history()).toEqual([
      expect.objectContaining({
        id: body.message_id,
        text: '',
        attachment_status: 'attached',
        attachments: [record],
      }),
    ]);
    const [event] = (await fixture.chat.events())
      .map(({ payload }) => payload as ChatEvent)
      .filter(({ message }) => message?.id === body.message_id);
    expect(event?.message?.attachments).toEqual([record]);

    const { body: link } = await api.call(
      'GET',
      `/api/v1/client/files/${session.file.file_id}/download_url`,
      { token: person.token },
    );
    const got = await follow(api, link.download_url);
    expect([got.status, await got.text(), got.headers.get('content-disposition')]).toEqual([
      200,
      'hello',
      expect.stringContaining(`filename*=UTF-8''${encodeURIComponent('Отчёт.txt')}`),
    ]);
  });

  test('files of another bot or conversation and unknown files get 403, attached ones 400; nothing is posted', async () => {
    const [id, elsewhere] = [await files.ready(channel), await files.ready(await fixture.channelOf(bot))];
    const colleague = FilesFixture.of(api, {
      spaceId: fixture.space.spaceId,
      botId: (await fixture.bot()).id,
    });
    for (const foreign of [elsewhere, await colleague.ready(channel), UNKNOWN])
      expect(await send([id, foreign])).toMatchObject({ status: 403, body: NOT_USABLE });
    expect((await send([id])).status).toBe(200);
    expect(await send([id])).toMatchObject({
      status: 400,
      body: { ok: false, error: 'file already attached' },
    });
    expect(await history()).toHaveLength(1);
  });

  test('a bot without access learns nothing about files', async () => {
    const id = await files.uploading(channel);
    await api.db.query('UPDATE conversations SET archived_at = now() WHERE id = $1', [channel]);
    expect(await send([id])).toMatchObject({ status: 403, body: { error: 'conversation is archived' } });
    await api.db.query('DELETE FROM conversation_members WHERE conversation_id = $1 AND member_id = $2', [
      channel,
      bot.id,
    ]);
    expect(await send([id])).toMatchObject({ status: 403, body: { error: 'bot not in conversation' } });
  });

  test('a reply accepts a file that was made for its channel', async () => {
    const { messageId: root } = await fixture.chat.post(channel, { id: person.id, type: 'user' }, 'root');
    const { conversationId: thread } = await fixture.chat.post(
      channel,
      { id: person.id, type: 'user' },
      'first',
      { parentMessageId: root },
    );
    const { body } = await send([await files.ready(channel)], { parent_message_id: root, content: 'here' });
    expect((await history(thread)).at(-1)).toMatchObject({
      id: body.message_id,
      thread_id: root,
      attachment_status: 'attached',
      attachments: [{ message_id: body.message_id }],
    });
  });

  test('with a key: posted once, and a repeat returns the same', async () => {
    const id = await files.ready(channel);
    const responses = await Promise.all(
      Array.from({ length: 5 }, () => send([id], {}, { 'idempotency-key': 'report-1' })),
    );
    expect(
      new Set(responses.map(({ status, body }) => `${status} ${body.message_id} ${body.attachment_status}`))
        .size,
    ).toBe(1);
    expect(await history()).toHaveLength(1);
  });

  test('an edit keeps the files', async () => {
    const { body } = await send([await files.ready(channel)], { content: 'one' });
    await api.call('PATCH', `/api/v1/bot/messages/${body.message_id}`, {
      token: bot.token,
      body: { content: 'two' },
    });
    expect(await history()).toEqual([
      expect.objectContaining({
        text: 'two',
        attachment_status: 'attached',
        attachments: [expect.objectContaining({ message_id: body.message_id })],
      }),
    ]);
  });

  test('missing bytes: not ready', async () => {
    const id = await files.ready(channel);
    await files.loseBytes(id);
    expect(await send([id])).toMatchObject({ status: 400, body: { error: 'file not ready' } });
  });

  if (driver === 's3') {
    test('storage that is down: pending', async () => {
      const id = await files.ready(channel);
      await storage.server!.stop();
      try {
        const { status, body } = await send([id], { content: 'see below' });
        expect([status, body]).toEqual([
          200,
          { ok: true, message_id: expect.any(String), attachment_status: 'pending' },
        ]);
        expect(await history()).toEqual([
          expect.objectContaining({ text: 'see below', attachment_status: 'pending' }),
        ]);
      } finally {
        await storage.server!.start();
      }
    });
  }
});

test('sends share their rate window with upload sessions', async () => {
  const storage = await TestStorage.start();
  const api = await startBotsApi({ ...rates('5'), ...storage.env }, [
    storage.routes,
    FilesModule,
    BotMessagesModule,
  ]);
  try {
    const fixture = await BotsFixture.of(api);
    const responses = await withinOneWindow(api, async () => {
      const bot = await fixture.bot();
      const conversation_id = await fixture.channelOf(bot);
      const call = (path: string, body: object): Promise<TestAnswer> =>
        api.call('POST', `/api/v1/bot/${path}`, { token: bot.token, body: { conversation_id, ...body } });
      const upload = { file_name: 'a', file_size: 1, mime_type: 'text/plain' };
      return Promise.all(
        Array.from({ length: 12 }, (_, n) =>
          n % 2 === 0 ? call('messages', { content: 'x' }) : call('files/upload_sessions', upload),
        ),
      );
    });
    expect(responses.map(({ status }) => status).sort()).toEqual([
      ...Array.from({ length: 5 }, () => 200),
      ...Array.from({ length: 7 }, () => 429),
    ]);
  } finally {
    await api.close();
    await storage.close();
  }
});
