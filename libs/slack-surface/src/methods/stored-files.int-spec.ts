import { AppsModule } from '@tieline/apps';
import { BotsFixture, startBotsApi } from '@tieline/bots/testing';
import type { SeededBot } from '@tieline/bots/testing';
import { FilesModule } from '@tieline/files';
import { FilesFixture, follow, TestStorage } from '@tieline/files/testing';
import type { TestApi } from '@tieline/spaces/testing';
import { readRows } from '@tieline/testing';
import { slackId } from '../ids/slack-ids.js';
import { SlackSurfaceModule } from '../slack-surface.module.js';

let api: TestApi;
let storage: TestStorage;
let fixture: BotsFixture;
let bot: SeededBot;
let files: FilesFixture;
let channelUuid: string;
let channel: string;

beforeAll(async () => {
  storage = await TestStorage.start();
  const rates = { RATE_BOT_MESSAGES_PER_SECOND: '10000', RATE_BOT_WRITES_PER_SECOND: '10000' };
  api = await startBotsApi({ ...rates, ...storage.env }, [
    AppsModule,
    FilesModule,
    storage.routes,
    SlackSurfaceModule,
  ]);
});
beforeEach(async () => {
  fixture = await BotsFixture.of(api);
  bot = await fixture.bot();
  files = FilesFixture.of(api, { spaceId: fixture.space.spaceId, botId: bot.id });
  channelUuid = await fixture.chat.conversation({
    members: [
      { id: bot.id, type: 'bot' },
      { id: fixture.space.owner.id, type: 'user' },
    ],
  });
  channel = slackId('publicChannel', channelUuid);
});
afterAll(async () => {
  await api?.close();
  await storage?.close();
});

async function call(method: string, args: object, token = bot.token): Promise<any> {
  const { status, body } = await api.call('POST', `/slack/api/files.${method}`, { token, body: args });
  expect(status).toBe(200);
  return body;
}

/** Sends a file of the bot and returns its id and that of the message. */
async function sent(): Promise<{ file: string; messageId: string }> {
  const id = await files.ready(channelUuid);
  const { body } = await api.call('POST', '/api/v1/bot/messages', {
    token: bot.token,
    body: { conversation_id: channelUuid, content: 'the report', attachments: [{ file_id: id }] },
  });
  return { file: slackId('file', id), messageId: body.message_id };
}

/** Sends a file as the owner and returns its id. */
async function ofPerson(conversation = channelUuid): Promise<string> {
  const id = await files.ready(conversation);
  const { owner } = fixture.space;
  await api.db.query('UPDATE files SET bot_id = NULL, user_id = $2 WHERE id = $1', [id, owner.id]);
  const { status } = await api.call('POST', `/api/v1/client/conversations/${conversation}/messages`, {
    token: owner.token,
    body: { text: 'mine', attachments: [{ file_id: id }] },
  });
  expect(status).toBe(200);
  return slackId('file', id);
}

const idsIn = ({ files: listed }: { files: { id: string }[] }): string[] => listed.map(({ id }) => id);

test('files.info shows a file of the bot, whose link leads to its bytes', async () => {
  const { file: id } = await sent();
  const { ok, file } = await call('info', { file: id });
  expect(ok).toBe(true);
  expect(file).toMatchObject({
    id,
    name: 'report.pdf',
    title: 'report.pdf',
    mimetype: 'application/pdf',
    filetype: 'pdf',
    size: 15,
    user: slackId('user', bot.id),
    channels: [channel],
    groups: [],
    ims: [],
    url_private_download: file.url_private,
    permalink: expect.stringMatching(/^http/),
  });
  const headers = { authorization: `Bearer ${bot.token}` };
  expect(await (await follow(api, file.url_private, { headers })).text()).toBe('%PDF-1.7 report');
});

test('files.info shows files of people where the bot is a member, and no others', async () => {
  const id = await ofPerson();
  expect((await call('info', { file: id })).file).toMatchObject({
    id,
    user: slackId('user', fixture.space.owner.id),
  });
  const stranger = await fixture.bot();
  for (const file of [id, (await sent()).file])
    expect((await call('info', { file }, stranger.token)).error).toBe('file_not_found');
  expect((await call('info', { file: 'F1' })).error).toBe('file_not_found');
  expect((await call('info', {})).error).toBe('invalid_arguments');
  const uploading = slackId('file', await files.uploading(channelUuid));
  expect((await call('info', { file: uploading })).error).toBe('file_not_ready');
});

test('only the bot sees and deletes an upload that is not sent yet', async () => {
  const id = await files.ready(null);
  const file = slackId('file', id);
  const stranger = await fixture.bot();
  for (const method of ['info', 'delete'])
    expect((await call(method, { file }, stranger.token)).error).toBe('file_not_found');
  const shown = (await call('info', { file })).file;
  expect(shown).toMatchObject({ id: file, channels: [] });
  expect(shown).not.toHaveProperty('url_private');
  expect(idsIn(await call('list', {}))).toContain(file);
  await api.db.query(`UPDATE files SET status = 'uploading' WHERE id = $1`, [id]);
  expect((await call('info', { file })).error).toBe('file_not_ready');
  expect((await call('delete', { file })).ok).toBe(true);
  expect((await call('info', { file })).error).toBe('file_not_found');
});

test('files.list has files of the bot, and of a channel those of people', async () => {
  const person = await ofPerson();
  const { file } = await sent();
  await files.uploading(channelUuid);
  expect(idsIn(await call('list', {}))).toEqual([file]);
  expect(await call('list', { channel })).toMatchObject({
    files: [{ id: file }, { id: person }],
    paging: { count: 100, total: 2, page: 1, pages: 1 },
  });
  expect(await call('list', { channel, count: 1, page: 2 })).toMatchObject({
    files: [{ id: person }],
    paging: { count: 1, total: 2, page: 2, pages: 2 },
  });
  const user = slackId('user', fixture.space.owner.id);
  expect(idsIn(await call('list', { channel, user }))).toEqual([person]);
  expect(idsIn(await call('list', { channel, ts_to: '1700000000' }))).toEqual([]);
  expect(idsIn(await call('list', { channel, ts_from: '1700000000' }))).toHaveLength(2);
});

test('files.list has no files of people where the bot is no member', async () => {
  await ofPerson();
  const stranger = await fixture.bot();
  expect(idsIn(await call('list', { channel }, stranger.token))).toEqual([]);
});

test.each([
  [{ user: 'X' }, 'user_not_found'],
  [{ channel: 'C1' }, 'channel_not_found'],
  [{ count: 0 }, 'invalid_arguments'],
  [{ page: -1 }, 'invalid_arguments'],
  [{ ts_from: 'yesterday' }, 'invalid_arguments'],
])('files.list with %j gets %s', async (args, error) => {
  expect((await call('list', args)).error).toBe(error);
});

test('files.delete removes a file and edits its message', async () => {
  const { file, messageId } = await sent();
  expect(await call('delete', { file })).toEqual({ ok: true });
  expect((await call('info', { file })).error).toBe('file_not_found');
  const { body } = await api.call('GET', `/api/v1/bot/messages/${messageId}`, { token: bot.token });
  expect(body.message).toMatchObject({ text: 'the report', attachments: [], edited_at: expect.any(String) });
  expect(
    await readRows(api.db, 'SELECT 1 FROM file_removals WHERE space_id = $1', [fixture.space.spaceId]),
  ).toHaveLength(1);
  expect((await call('delete', { file })).error).toBe('file_not_found');
});

test('files.delete removes a file that was never sent', async () => {
  const file = slackId('file', await files.ready(channelUuid));
  expect(await call('delete', { file })).toEqual({ ok: true });
  expect(idsIn(await call('list', {}))).toEqual([]);
});

test('files.delete refuses files of others, and of channels that the bot has left', async () => {
  expect((await call('delete', { file: await ofPerson() })).error).toBe('file_not_found');
  const { file } = await sent();
  const stranger = await fixture.bot();
  expect((await call('delete', { file }, stranger.token)).error).toBe('file_not_found');
  await api.call('POST', `/api/v1/bot/conversations/${channelUuid}/leave`, { token: bot.token });
  expect((await call('delete', { file })).error).toBe('not_in_channel');
  expect(idsIn(await call('list', {}))).toEqual([file]);
});
