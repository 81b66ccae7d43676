import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { eventually, startS3Server } from '@tieline/testing';
import type { S3Server } from '@tieline/testing';
import { call, expectOk, createWorkspace, Tieline } from '../tieline.js';

let store: S3Server;
let tieline: Tieline;
let dataDir: string;

beforeAll(async () => {
  store = await startS3Server();
  dataDir = await mkdtemp(path.join(tmpdir(), 'tieline-files-'));
  tieline = await Tieline.create({ DATA_DIR: dataDir, ...store.environment });
});
afterAll(async () => {
  await tieline?.close();
  await store?.stop();
  await rm(dataDir, { recursive: true, force: true });
});

test('a file whose storage fails before the message is attached after recovery, and deletion removes its bytes', async () => {
  const [api] = await Promise.all([tieline.start('api'), tieline.start('worker')]);
  const { botToken, ownerToken, channels } = await createWorkspace(api);
  const [conversation_id = ''] = channels;
  const asBot = (method: string, where: string, body: object) =>
    expectOk(call(api, method, `/api/v1/bot/${where}`, botToken, body));
  const message = async () =>
    (
      await expectOk(call(api, 'GET', `/api/v1/channels/${conversation_id}/messages`, ownerToken))
    ).messages.at(-1);

  const { upload } = await asBot('POST', 'files/upload_sessions', {
    conversation_id,
    file_name: 'log.txt',
    file_size: 5,
    mime_type: 'text/plain',
  });
  expect(
    (await fetch(upload.upload_url, { method: upload.method, headers: upload.headers, body: 'hello' }))
      .status,
  ).toBe(200);
  await asBot('POST', `files/${upload.file_id}/confirm`, { conversation_id });

  await store.stop();
  const sent = await asBot('POST', 'messages', {
    conversation_id,
    content: 'see the log',
    attachments: [{ file_id: upload.file_id }],
  });
  expect(sent.attachment_status).toBe('pending');
  expect(await message()).toMatchObject({ id: sent.message_id, attachment_status: 'pending' });
  await store.start();
  await eventually(
    async () =>
      expect(await message()).toMatchObject({
        text: 'see the log',
        attachment_status: 'attached',
        attachments: [{ message_id: sent.message_id }],
      }),
    { timeoutMs: 40_000 },
  );

  expect(store.objects.size).toBe(1);
  await expectOk(call(api, 'DELETE', `/api/v1/client/messages/${sent.message_id}`, ownerToken));
  await eventually(() => expect(store.objects.size).toBe(0), { timeoutMs: 40_000 });
});
